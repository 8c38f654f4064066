// The calls that contain a transaction: send (with the preflight that a node runs first), simulate, and the faucet.
import type { Address } from '@solana/kit';
import { RpcError } from '../../rpc-error.ts';
import type { LocalAccountState } from '../account-versions.ts';
import { BLOCKHASH_LIFE_BLOCKS, type LocalBlock } from '../blocks.ts';
import { feeOf } from '../fees.ts';
import { messageOf } from '../transaction-errors.ts';
import type { SimulationOutcome } from '../vm.ts';
import { readTransaction, type WireTransaction } from '../wire-transaction.ts';
import { makeFindAccount, renderAccount } from './account-methods.ts';
import {
  blockOfCall,
  type CallConfig,
  decodeBytes,
  type RpcCall,
  type RpcMethod,
  readAddress,
  readCommitment,
  readConfigAt,
  readInteger,
  readTextAt,
  withContext,
} from './params.ts';
import { renderBalances, renderInner, renderReturnData, renderTokenBalances } from './render-transaction.ts';
import { invalidParams, PREFLIGHT_FAILED, SIGNATURE_INVALID } from './rpc-error.ts';

export const sendMethods: Readonly<Record<string, RpcMethod>> = {
  /**
   * Without preflight, a node accepts every well-formed transaction, and a transaction that cannot land never lands. This
   * method does the same.
   */
  sendTransaction(call) {
    const config = readConfigAt(call, 1);
    const transaction = readTransaction(decodeBytes(readTextAt(call, 0), config.encoding));
    if (config.skipPreflight !== true) runPreflight(call, transaction, config);
    submitTransaction(call, transaction);
    return transaction.signature;
  },

  simulateTransaction(call) {
    const config = readConfigAt(call, 1);
    const verifySignatures = config.sigVerify === true;
    const anyBlockhash = config.replaceRecentBlockhash === true;
    if (verifySignatures && anyBlockhash) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const transaction = readTransaction(decodeBytes(readTextAt(call, 0), config.encoding));
    const bank = blockOfCall(call, config);
    const simulated = call.view.chain.simulate(transaction, { on: bank, verifySignatures, anyBlockhash });
    if (simulated.error === 'SignatureFailure') throw signatureInvalidError();
    return withContext(bank, renderSimulated(call, transaction, simulated, config, bank));
  },

  async requestAirdrop(call) {
    const lamports = BigInt(readInteger(call.params[1], 'lamports'));
    const transaction = await call.faucet.transfer(readAddress(call.params[0]), lamports);
    submitTransaction(call, transaction);
    return transaction.signature;
  },
};

function submitTransaction({ view, fate }: RpcCall, transaction: WireTransaction): void {
  if (fate === 'drop') return;
  if (fate !== 'queue') view.chain.forkAway(transaction.signature, fate.forkAfterSlots);
  view.chain.submit(transaction);
}

function runPreflight(call: RpcCall, transaction: WireTransaction, config: CallConfig): void {
  const bank = blockOfCall(call, config, readCommitment(config.preflightCommitment));
  const simulated = call.view.chain.simulate(transaction, { on: bank, verifySignatures: true });
  if (simulated.error === null) return;
  if (simulated.error === 'SignatureFailure') throw signatureInvalidError();
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
  call: RpcCall,
  transaction: WireTransaction,
  simulated: SimulationOutcome,
  config: CallConfig,
  bank: LocalBlock,
): object {
  const { keys } = transaction.message;
  const find = makeFindAccount(call, bank);
  const before = keys.map(find);
  const after = keys.map((key, index) => stateAfter(simulated, key, before[index]!));
  const ran = simulated.error === null;
  return {
    accounts: renderAskedAccounts(config.accounts, find, simulated),
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

function renderAskedAccounts(
  asked: unknown,
  find: ReturnType<typeof makeFindAccount>,
  simulated: SimulationOutcome,
): (object | null)[] | null {
  if (asked === undefined || asked === null) return null;
  const { addresses, encoding = 'base64' } = asked as CallConfig;
  if (!Array.isArray(addresses)) throw invalidParams('Invalid params: accounts.addresses must be a list');
  return addresses.map((value) => {
    const address = readAddress(value);
    if (simulated.error !== null) return null;
    return renderAccount(stateAfter(simulated, address, find(address)), { encoding }, find);
  });
}

function stateAfter(
  { accounts }: SimulationOutcome,
  address: Address,
  before: LocalAccountState | null,
): LocalAccountState | null {
  return accounts.has(address) ? accounts.get(address)! : before;
}

function signatureInvalidError(): RpcError {
  return new RpcError(SIGNATURE_INVALID, 'Transaction signature verification failure');
}
