// The calls about landed transactions: statuses by signature, whole transactions, and the history of an account.
import { RpcError } from '../../rpc-error.ts';
import type { LocalLandedTransaction } from '../landed-transactions.ts';
import {
  blockOfCall,
  type CallConfig,
  type RpcCall,
  type RpcMethod,
  readAddress,
  readConfigAt,
  readHistoryCommitment,
  readInteger,
  readSignature,
  withContext,
} from './params.ts';
import { memoOf, renderMeta, renderStatus, renderTransaction } from './render-transaction.ts';
import { invalidParams, VERSION_UNSUPPORTED } from './rpc-error.ts';

const MAX_SIGNATURES = 256;
const MAX_HISTORY = 1_000;
/** A node keeps statuses up to this many slots behind finality. Only a search in the history finds older ones. */
const STATUS_CACHE_SLOTS = 300;

export const historyMethods: Readonly<Record<string, RpcMethod>> = {
  getSignatureStatuses(call) {
    const [signatures] = call.params;
    if (!Array.isArray(signatures)) throw invalidParams('Invalid params: expected a list of signatures');
    if (signatures.length > MAX_SIGNATURES) {
      throw invalidParams(`Too many inputs provided; max ${MAX_SIGNATURES}`);
    }
    const searchHistory = readConfigAt(call, 1).searchTransactionHistory === true;
    return withContext(
      call.view.block('processed'),
      signatures.map((signature) => statusOf(call, readSignature(signature), searchHistory)),
    );
  },

  getTransaction(call) {
    const config = typeof call.params[1] === 'string' ? { encoding: call.params[1] } : readConfigAt(call, 1);
    const landed = call.view.find(readSignature(call.params[0]), readHistoryCommitment(config));
    if (landed === undefined) return null;
    const { version } = landed.transaction.message;
    const versioned = config.maxSupportedTransactionVersion !== undefined;
    if (version === 0 && !versioned) {
      throw new RpcError(
        VERSION_UNSUPPORTED,
        'Transaction version (0) is not supported by the requesting client. Please try the request again with the ' +
          'following configuration parameter: "maxSupportedTransactionVersion": 0',
      );
    }
    return {
      blockTime: landed.block.timeSeconds,
      meta: renderMeta(landed, (address) => call.view.chain.accounts.newest(address)),
      slot: landed.block.slot,
      transaction: renderTransaction(landed.transaction, config.encoding),
      ...(versioned ? { version } : {}),
    };
  },

  getSignaturesForAddress(call) {
    const config = readConfigAt(call, 1);
    const bank = blockOfCall(call, config, readHistoryCommitment(config));
    const all = call.view.chain.landed.of(readAddress(call.params[0]));
    return historyPage(call, all, config, bank.slot).map((landed) => ({
      blockTime: landed.block.timeSeconds,
      confirmationStatus: call.view.commitmentOf(landed.block.slot),
      err: landed.outcome.error,
      memo: memoOf(landed.transaction),
      signature: landed.transaction.signature,
      slot: landed.block.slot,
    }));
  },
};

function statusOf(call: RpcCall, signature: string, searchHistory: boolean): object | null {
  const placed = call.view.findPlaced(signature);
  if (placed === undefined) return null;
  const { slot, error } = placed;
  if (!searchHistory && slot <= call.view.block('finalized').slot - STATUS_CACHE_SLOTS) return null;
  const confirmationStatus = call.view.commitmentOf(slot);
  return {
    confirmationStatus,
    confirmations: confirmationStatus === 'finalized' ? null : call.view.block('processed').slot - slot,
    err: error,
    slot,
    status: renderStatus(error),
  };
}

/**
 * Returns transactions newest first, older than `before` and newer than `until`. As on a node, an unknown `before` returns
 * nothing and an unknown `until` sets no limit. The limits are positions in the whole history, so they may be transactions of
 * other accounts.
 */
function historyPage(
  call: RpcCall,
  all: readonly LocalLandedTransaction[],
  config: CallConfig,
  newestSlot: number,
): LocalLandedTransaction[] {
  const limit = config.limit === undefined ? MAX_HISTORY : readInteger(config.limit, 'limit');
  if (limit < 1 || limit > MAX_HISTORY) throw invalidParams(`Invalid limit; max ${MAX_HISTORY}`);
  const find = (value: unknown) => call.view.find(readSignature(value), 'processed');
  const before = config.before == null ? null : find(config.before);
  const until = config.until == null ? undefined : find(config.until);
  if (before === undefined) return [];
  const page: LocalLandedTransaction[] = [];
  for (let index = all.length - 1; index >= 0 && page.length < limit; index -= 1) {
    const item = all[index]!;
    if (until !== undefined && item.position <= until.position) break;
    if (item.block.slot <= newestSlot && (before === null || item.position < before.position))
      page.push(item);
  }
  return page;
}
