// The calls that carry a transaction: send, with the preflight a node does first, simulate, and the faucet.
import type { Address } from '@solana/kit';
import { RpcError } from '../../rpc-error.ts';
import type { AccountState } from '../account-versions.ts';
import { BLOCKHASH_LIFE_BLOCKS, type Block } from '../blocks.ts';
import { feeOf } from '../fees.ts';
import { messageOf } from '../transaction-errors.ts';
import type { Simulated } from '../vm.ts';
import { readTransaction, type WireTransaction } from '../wire-transaction.ts';
import { finder, renderAccount } from './account-methods.ts';
import {
  addressOf,
  bankOf,
  type Call,
  type Config,
  commitmentOf,
  configAt,
  encodedBytes,
  inContext,
  integerOf,
  type Method,
  textAt,
} from './params.ts';
import { renderBalances, renderInner, renderReturnData, renderTokenBalances } from './render-transaction.ts';
import { invalidParams, PREFLIGHT_FAILED, SIGNATURE_INVALID } from './rpc-error.ts';

export const sendMethods: Readonly<Record<string, Method>> = {
  /** As a node: without preflight anything well-formed is taken, and what cannot land just never does. */
  sendTransaction(call) {
    const config = configAt(call, 1);
    const transaction = readTransaction(encodedBytes(textAt(call, 0), config.encoding));
    if (config.skipPreflight !== true) preflight(call, transaction, config);
    submit(call, transaction);
    return transaction.signature;
  },

  simulateTransaction(call) {
    const config = configAt(call, 1);
    const verifySignatures = config.sigVerify === true;
    const anyBlockhash = config.replaceRecentBlockhash === true;
    if (verifySignatures && anyBlockhash) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const transaction = readTransaction(encodedBytes(textAt(call, 0), config.encoding));
    const bank = bankOf(call, config);
    const simulated = call.view.chain.simulate(transaction, { on: bank, verifySignatures, anyBlockhash });
    if (simulated.error === 'SignatureFailure') throw signatureInvalid();
    return inContext(bank, renderSimulated(call, transaction, simulated, config, bank));
  },

  async requestAirdrop(call) {
    const lamports = BigInt(integerOf(call.params[1], 'lamports'));
    const transaction = await call.faucet.transfer(addressOf(call.params[0]), lamports);
    submit(call, transaction);
    return transaction.signature;
  },
};

function submit({ view, fate }: Call, transaction: WireTransaction): void {
  if (fate === 'drop') return;
  if (fate !== 'queue') view.chain.forkAway(transaction.signature, fate.forkAfterSlots);
  view.chain.submit(transaction);
}

function preflight(call: Call, transaction: WireTransaction, config: Config): void {
  const bank = bankOf(call, config, commitmentOf(config.preflightCommitment));
  const simulated = call.view.chain.simulate(transaction, { on: bank, verifySignatures: true });
  if (simulated.error === null) return;
  if (simulated.error === 'SignatureFailure') throw signatureInvalid();
  throw new RpcError(PREFLIGHT_FAILED, `Transaction simulation failed: ${messageOf(simulated.error)}`, {
    accounts: null,
    err: simulated.error,
    innerInstructions: null,
    logs: simulated.logs,
    replacementBlockhash: null,
    returnData: renderReturnData(simulated),
    unitsConsumed: simulated.unitsConsumed,
  });
}

function renderSimulated(
  call: Call,
  transaction: WireTransaction,
  simulated: Simulated,
  config: Config,
  bank: Block,
): object {
  const { keys } = transaction.message;
  const find = finder(call, bank);
  const before = keys.map(find);
  const after = keys.map((key, index) => afterwards(simulated, key, before[index]!));
  const ran = simulated.error === null;
  return {
    accounts: renderAsked(config.accounts, find, simulated),
    err: simulated.error,
    fee: feeOf(transaction.message),
    innerInstructions: config.innerInstructions === true ? renderInner(simulated) : null,
    loadedAccountsDataSize: before.reduce((sum, state) => sum + (state?.data.length ?? 0), 0),
    loadedAddresses: { readonly: [], writable: [] },
    logs: simulated.logs,
    postBalances: ran ? renderBalances(after) : null,
    postTokenBalances: ran ? renderTokenBalances(after, find) : null,
    preBalances: ran ? renderBalances(before) : null,
    preTokenBalances: ran ? renderTokenBalances(before, find) : null,
    replacementBlockhash:
      config.replaceRecentBlockhash === true
        ? { blockhash: bank.hash, lastValidBlockHeight: bank.height + BLOCKHASH_LIFE_BLOCKS }
        : null,
    returnData: renderReturnData(simulated),
    unitsConsumed: simulated.unitsConsumed,
  };
}

function renderAsked(
  asked: unknown,
  find: ReturnType<typeof finder>,
  simulated: Simulated,
): (object | null)[] | null {
  if (asked === undefined || asked === null) return null;
  const { addresses, encoding = 'base64' } = asked as Config;
  if (!Array.isArray(addresses)) throw invalidParams('Invalid params: accounts.addresses must be a list');
  return addresses.map((value) => {
    const address = addressOf(value);
    if (simulated.error !== null) return null;
    return renderAccount(afterwards(simulated, address, find(address)), { encoding }, find);
  });
}

function afterwards(
  { accounts }: Simulated,
  address: Address,
  before: AccountState | null,
): AccountState | null {
  return accounts.has(address) ? accounts.get(address)! : before;
}

function signatureInvalid(): RpcError {
  return new RpcError(SIGNATURE_INVALID, 'Transaction signature verification failure');
}
