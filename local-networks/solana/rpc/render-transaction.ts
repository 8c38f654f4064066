// Writes a landed transaction in the format of a node: its message, its changes and its memo.
import type { Address } from '@solana/kit';
import type { LocalAccountState } from '../account-versions.ts';
import { base58 } from '../base58.ts';
import type { LocalLandedTransaction } from '../landed-transactions.ts';
import { decimalsOf, type FindAccount, readToken, uiAmount } from '../token-data.ts';
import type { ExecutionOutcome } from '../vm.ts';
import { signaturesOf, type WireTransaction } from '../wire-transaction.ts';
import { invalidParams } from './rpc-error.ts';

export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;

export function renderStatus(error: ExecutionOutcome['error']): object {
  return error === null ? { Ok: null } : { Err: error };
}

export function renderMeta(landed: LocalLandedTransaction, find: FindAccount): object {
  const { outcome, before, after } = landed;
  return {
    computeUnitsConsumed: outcome.unitsConsumed,
    err: outcome.error,
    fee: landed.feeLamports,
    innerInstructions: renderInner(outcome),
    loadedAddresses: { readonly: [], writable: [] },
    logMessages: outcome.logs,
    postBalances: renderBalances(after),
    postTokenBalances: renderTokenBalances(after, find),
    preBalances: renderBalances(before),
    preTokenBalances: renderTokenBalances(before, find),
    rewards: [],
    ...(outcome.returnData === null ? {} : { returnData: renderReturnData(outcome) }),
    status: renderStatus(outcome.error),
  };
}

export function renderBalances(states: readonly (LocalAccountState | null)[]): bigint[] {
  return states.map((state) => state?.lamports ?? 0n);
}

export function renderTokenBalances(
  states: readonly (LocalAccountState | null)[],
  find: FindAccount,
): object[] {
  return states.flatMap((state, accountIndex) => {
    const token = readToken(state);
    if (token === null || state === null) return [];
    return [
      {
        accountIndex,
        mint: token.mint,
        owner: token.owner,
        programId: state.owner,
        uiTokenAmount: uiAmount(token.amount, decimalsOf(token.mint, find)),
      },
    ];
  });
}

export function renderInner(outcome: ExecutionOutcome): object[] {
  return outcome.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ programIndex, accounts, data, stackHeight }) => ({
      accounts,
      data: base58(data),
      programIdIndex: programIndex,
      stackHeight,
    })),
  }));
}

export function renderReturnData({ returnData }: ExecutionOutcome): object | null {
  if (returnData === null) return null;
  return { data: [Buffer.from(returnData.data).toString('base64'), 'base64'], programId: returnData.program };
}

export function renderTransaction(transaction: WireTransaction, encoding: unknown): unknown {
  if (encoding === 'base64') return [Buffer.from(transaction.bytes).toString('base64'), 'base64'];
  if (encoding === 'base58') return [base58(transaction.bytes), 'base58'];
  if (encoding !== undefined && encoding !== 'json') {
    throw invalidParams(`encoding ${String(encoding)} is not supported here: json, base58 or base64`);
  }
  const { message } = transaction;
  return {
    message: {
      accountKeys: message.keys,
      ...(message.version === 0 ? { addressTableLookups: [] } : {}),
      header: {
        numReadonlySignedAccounts: message.readonlySigners,
        numReadonlyUnsignedAccounts: message.readonlyOthers,
        numRequiredSignatures: message.signers,
      },
      instructions: message.instructions.map(({ programIndex, accounts, data }) => ({
        accounts,
        data: base58(data),
        programIdIndex: programIndex,
        stackHeight: 1,
      })),
      recentBlockhash: message.blockhash,
    },
    signatures: signaturesOf(transaction),
  };
}

export function memoOf({ message }: WireTransaction): string | null {
  const memos = message.instructions
    .filter(({ programIndex }) => message.keys[programIndex] === MEMO_PROGRAM)
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}
