// How the faults of an Ethereum provider change logs and receipts.
import { concerns, meant, pick, type Random, type Use } from '../faults.ts';
import { isList, isObject, type Json, type JsonObject, textOf } from '../json.ts';
import type { Outcome, RpcCall } from '../rpc.ts';
import { type EvmMemory, quantity, quantityOf } from './evm-memory.ts';
import { keccak256 } from './keccak.ts';

const LISTS = ['eth_getLogs', 'eth_getFilterLogs', 'eth_getFilterChanges'];
const RECEIPTS = ['eth_getTransactionReceipt', 'eth_getBlockReceipts'];
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ANOTHER_CONTRACT = `0x${'ab'.repeat(20)}`;

export function logRules(memory: EvmMemory, random: Random) {
  return { ...receiptRules(), ...missingLogs(memory, random), ...untrueLogs(random) };
}

function receiptRules() {
  return {
    receipt_missing: {
      methods: RECEIPTS,
      amongEntries: true,
      reply: (result: Json, call: RpcCall, use: Use) => changeReceipts(result, call, use, () => null),
    },
    says_reverted: {
      methods: RECEIPTS,
      amongEntries: true,
      reply: (result: Json, call: RpcCall, use: Use) => changeReceipts(result, call, use, reverted),
    },
  };
}

function reverted(receipt: JsonObject): JsonObject | undefined {
  if (receipt.status !== '0x1') return undefined;
  return { ...receipt, status: '0x0', logs: [], logsBloom: `0x${'0'.repeat(512)}` };
}

function changeReceipts(
  result: Json,
  call: RpcCall,
  use: Use,
  change: (receipt: JsonObject) => JsonObject | null | undefined,
): Outcome | undefined {
  if (isObject(result)) {
    const isMeant = concerns(use, call.text) || concerns(use, JSON.stringify(result));
    const changed = isMeant ? change(result) : undefined;
    return changed === undefined ? undefined : { result: changed };
  }
  if (!isList(result)) return undefined;
  const chosen = meant(use, result, call.text);
  const receipts = result.map((entry) => {
    const changed = isObject(entry) && chosen.includes(entry) ? change(entry) : undefined;
    return changed === undefined ? entry : changed;
  });
  const kept = receipts.filter((entry) => entry !== null);
  return kept.length === result.length && kept.every((entry, at) => entry === result[at])
    ? undefined
    : { result: kept };
}

function missingLogs(memory: EvmMemory, random: Random) {
  return {
    too_large_range: {
      methods: ['eth_getLogs', 'eth_newFilter'],
      ask: (call: RpcCall, use: Use) => tooLarge(memory, call, use),
    },
    logs_lag: {
      methods: LISTS,
      reply: (result: Json, call: RpcCall, use: Use) => lagging(memory, result, call, use),
    },
    logs_hole: {
      methods: LISTS,
      amongEntries: true,
      reply: (result: Json, call: RpcCall, use: Use) => holed(result, call, use, random),
    },
  };
}

function tooLarge(memory: EvmMemory, call: RpcCall, use: Use): Outcome | undefined {
  const filter = isObject(call.params[0]) ? call.params[0] : {};
  if (filter.blockHash !== undefined) return undefined;
  const placeOf = (place: Json | undefined) =>
    place === 'earliest' ? 0 : (quantityOf(place) ?? memory.head());
  const from = placeOf(filter.fromBlock);
  const to = placeOf(filter.toBlock);
  const most = use.options.by ?? 10;
  if (from === undefined || to === undefined || to - from + 1 <= most) return undefined;
  const message = use.options.message ?? `query exceeds max block range ${most}`;
  return { error: { code: -32005, message } };
}

function lagging(memory: EvmMemory, result: Json, call: RpcCall, use: Use): Outcome | undefined {
  if (!isList(result)) return undefined;
  const head = use.options.at ?? (memory.head() ?? 0) - (use.options.by ?? 3);
  const kept = result.filter((log) => (isObject(log) ? (quantityOf(log.blockNumber) ?? 0) : 0) <= head);
  if (kept.length === result.length) return undefined;
  const filter = call.params[0];
  // If a node does not have a block yet, it returns an empty result for the block's number, but an error for the block's hash.
  const isByHash = isObject(filter) && filter.blockHash !== undefined;
  return isByHash ? { error: { code: -32000, message: 'unknown block' } } : { result: kept };
}

function holed(result: Json, call: RpcCall, use: Use, random: Random): Outcome | undefined {
  if (!isList(result)) return undefined;
  const { about, at } = use.options;
  const blockOf = (log: Json) => (isObject(log) ? quantityOf(log.blockNumber) : undefined);
  const chosen = meant(use, result, call.text);
  if (about === undefined && at === undefined && !use.memo.has('block')) {
    const block = pick(random, chosen.map(blockOf));
    if (block !== undefined) use.memo.set('block', block);
  }
  const hole = at ?? use.memo.get('block');
  const kept = result.filter((log) => !chosen.includes(log) || (hole !== undefined && blockOf(log) !== hole));
  return kept.length === result.length ? undefined : { result: kept };
}

function untrueLogs(random: Random) {
  const added = (make: (log: JsonObject, call: RpcCall, use: Use) => JsonObject | undefined) => ({
    methods: LISTS,
    amongEntries: true,
    reply: (result: Json, call: RpcCall, use: Use) => addLog(result, call, use, random, make),
  });
  return {
    value_differs: {
      methods: [...LISTS, ...RECEIPTS],
      amongEntries: true,
      reply: (result: Json, call: RpcCall, use: Use) =>
        RECEIPTS.includes(call.method)
          ? changeReceipts(result, call, use, (receipt) => withMore(receipt, call, use))
          : moreMoved(result, call, use),
    },
    extra_transfer: added((log) => ({ ...log })),
    removed_log: added((log) => ({
      ...log,
      removed: true,
      blockHash: keccak256(Buffer.from(`gone ${textOf(log.blockHash)}`)),
      transactionHash: keccak256(Buffer.from(`gone ${textOf(log.transactionHash)}`)),
    })),
    other_address_log: added((log, call, use) => {
      const filter = call.params[0];
      if (!isObject(filter) || filter.address === undefined) return undefined;
      const logIndex = quantity((quantityOf(log.logIndex) ?? 0) + 0x1000);
      return { ...log, address: use.options.value ?? ANOTHER_CONTRACT, logIndex };
    }),
  };
}

/** Inserts a false log after a real log. If the fault has `extra: false`, the function marks the real log instead. */
function addLog(
  result: Json,
  call: RpcCall,
  use: Use,
  random: Random,
  make: (log: JsonObject, call: RpcCall, use: Use) => JsonObject | undefined,
): Outcome | undefined {
  if (!isList(result)) return undefined;
  const real = pick(random, meant(use, result, call.text).filter(isObject));
  const untrue = real === undefined ? undefined : make(real, call, use);
  if (real === undefined || untrue === undefined) return undefined;
  const at = result.indexOf(real);
  if (use.options.extra === false) return { result: result.with(at, { ...real, removed: true }) };
  return { result: result.toSpliced(at + 1, 0, untrue) };
}

function withMore(receipt: JsonObject, call: RpcCall, use: Use): JsonObject | undefined {
  const changed = moreMoved(receipt.logs ?? null, call, use);
  return changed === undefined || !('result' in changed) ? undefined : { ...receipt, logs: changed.result };
}

function moreMoved(logs: Json, call: RpcCall, use: Use): Outcome | undefined {
  if (!isList(logs)) return undefined;
  const chosen = meant(use, logs, call.text);
  const changed = logs.map((log) => {
    const data =
      isObject(log) && isList(log.topics) && log.topics[0] === TRANSFER ? textOf(log.data) : undefined;
    if (!isObject(log) || !chosen.includes(log) || data?.length !== 66) return log;
    const moved = BigInt(data);
    const said = moved + (use.options.by === undefined ? moved / 100n + 1n : BigInt(use.options.by));
    return { ...log, data: `0x${said.toString(16).padStart(64, '0')}` };
  });
  return changed.every((log, at) => log === logs[at]) ? undefined : { result: changed };
}
