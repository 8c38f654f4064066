// How the faults of a Solana provider change its responses about signatures, their statuses and their transactions.
import { concerns, meant, pick, type Random, shuffled, type Use } from '../faults.ts';
import { isList, isObject, type Json, type JsonObject, numberOf, textOf } from '../json.ts';
import type { Outcome, RpcCall } from '../rpc.ts';
import type { SolanaMemory } from './solana-memory.ts';

const ERR = { InstructionError: [0, { Custom: 1 }] };

export function historyRules(memory: SolanaMemory, random: Random) {
  return { ...statusRules(), ...transactionRules(), ...listRules(memory, random) };
}

function statusRules() {
  const rule = (change: (status: JsonObject, call: RpcCall) => Json | undefined) => ({
    methods: ['getSignatureStatuses'],
    reply: (result: Json, call: RpcCall, use: Use) => changeStatuses(result, call, use, change),
  });
  return {
    status_missing: rule(() => null),
    status_missing_recent: rule((_status, call) => {
      const searches = isObject(call.params[1]) && call.params[1].searchTransactionHistory === true;
      return searches ? undefined : null;
    }),
    says_failed: rule((status) =>
      status.err === null ? { ...status, err: ERR, status: { Err: ERR } } : undefined,
    ),
    finalized_early: {
      methods: ['getSignatureStatuses', 'getSignaturesForAddress'],
      amongEntries: true,
      reply: (result: Json, call: RpcCall, use: Use) =>
        isList(result)
          ? changeEntries(result, call, use, finalized)
          : changeStatuses(result, call, use, finalized),
    },
  };
}

function finalized(status: JsonObject): JsonObject | undefined {
  if (status.confirmationStatus === 'finalized') return undefined;
  const early = { ...status, confirmationStatus: 'finalized' };
  return 'confirmations' in status ? { ...early, confirmations: null } : early;
}

/** Changes the statuses of the signatures that the fault is about. Statuses have the order of the request. */
function changeStatuses(
  result: Json,
  call: RpcCall,
  use: Use,
  change: (status: JsonObject, call: RpcCall) => Json | undefined,
): Outcome | undefined {
  if (!isObject(result) || !isList(result.value)) return undefined;
  const asked = isList(call.params[0]) ? call.params[0] : [];
  const before = result.value;
  const value = before.map((status, at) => {
    const isMeant = concerns(use, textOf(asked[at]) ?? '');
    const changed = isObject(status) && isMeant ? change(status, call) : undefined;
    return changed === undefined ? status : changed;
  });
  return value.every((status, at) => status === before[at]) ? undefined : { result: { ...result, value } };
}

function changeEntries(
  entries: readonly Json[],
  call: RpcCall,
  use: Use,
  change: (entry: JsonObject) => JsonObject | undefined,
): Outcome | undefined {
  const chosen = meant(use, entries, call.text);
  const changed = entries.map((entry) =>
    isObject(entry) && chosen.includes(entry) ? (change(entry) ?? entry) : entry,
  );
  return changed.every((entry, at) => entry === entries[at]) ? undefined : { result: changed };
}

function transactionRules() {
  const methods = ['getTransaction'];
  return {
    transaction_missing: {
      methods,
      reply: (result: Json) => (result === null ? undefined : { result: null }),
    },
    history_says_failed: {
      methods: ['getTransaction', 'getSignaturesForAddress'],
      amongEntries: true,
      reply: (result: Json, call: RpcCall, use: Use) => {
        const failed = (entry: JsonObject) => (entry.err === null ? { ...entry, err: ERR } : undefined);
        if (isList(result)) return changeEntries(result, call, use, failed);
        const isMeant = concerns(use, call.text) || concerns(use, JSON.stringify(result));
        if (!isMeant || !isObject(result) || !isObject(result.meta) || result.meta.err !== null)
          return undefined;
        return { result: { ...result, meta: { ...result.meta, err: ERR, status: { Err: ERR } } } };
      },
    },
    token_balance_differs: { methods, amongEntries: true, reply: moreTokens },
  };
}

function moreTokens(result: Json, call: RpcCall, use: Use): Outcome | undefined {
  if (!isObject(result) || !isObject(result.meta) || !isList(result.meta.postTokenBalances)) return undefined;
  const { postTokenBalances: after, preTokenBalances: before } = result.meta;
  const chosen = meant(use, after, call.text).filter(isObject);
  const grown = chosen.find((entry) => amountOf(entry) > amountBefore(entry, isList(before) ? before : []));
  if (grown === undefined || !isObject(grown.uiTokenAmount)) return undefined;
  const moved = amountOf(grown) - amountBefore(grown, isList(before) ? before : []);
  const said = amountOf(grown) + (use.options.by === undefined ? moved / 100n + 1n : BigInt(use.options.by));
  const decimals = numberOf(grown.uiTokenAmount.decimals) ?? 0;
  const uiAmountString = withPoint(said, decimals);
  const uiTokenAmount = {
    ...grown.uiTokenAmount,
    amount: String(said),
    uiAmount: Number(uiAmountString),
    uiAmountString,
  };
  const postTokenBalances = after.map((entry) => (entry === grown ? { ...grown, uiTokenAmount } : entry));
  return { result: { ...result, meta: { ...result.meta, postTokenBalances } } };
}

function amountOf(entry: JsonObject): bigint {
  return BigInt((isObject(entry.uiTokenAmount) ? textOf(entry.uiTokenAmount.amount) : undefined) ?? '0');
}

function amountBefore(entry: JsonObject, before: readonly Json[]): bigint {
  const same = before.find((known) => isObject(known) && known.accountIndex === entry.accountIndex);
  return isObject(same) ? amountOf(same) : 0n;
}

function withPoint(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

function listRules(memory: SolanaMemory, random: Random) {
  const rule = (
    change: (entries: readonly Json[], chosen: readonly Json[], use: Use) => readonly Json[],
  ) => ({
    methods: ['getSignaturesForAddress'],
    amongEntries: true,
    reply: (result: Json, call: RpcCall, use: Use): Outcome | undefined => {
      if (!isList(result)) return undefined;
      const changed = change(result, meant(use, result, call.text), use);
      const isSame = changed.length === result.length && changed.every((entry, at) => entry === result[at]);
      return isSame ? undefined : { result: changed };
    },
  });
  return {
    signatures_lag: rule((entries, chosen, use) => {
      const head = use.options.at ?? memory.slot() - (use.options.by ?? 50);
      return entries.filter((entry) => !chosen.includes(entry) || slotOf(entry) <= head);
    }),
    signatures_hole: rule((entries, chosen, use) => {
      const hole = use.memo.get('hole') ?? signatureIn(pick(random, chosen));
      if (hole !== undefined) use.memo.set('hole', hole);
      return entries.filter((entry) => signatureIn(entry) !== hole);
    }),
    signatures_twice: rule((entries, chosen) => {
      const twice = pick(random, chosen);
      return twice === undefined ? entries : entries.toSpliced(entries.indexOf(twice), 0, twice);
    }),
    signatures_unordered: rule((entries, chosen) =>
      chosen.length < 2 ? entries : shuffled(random, entries),
    ),
  };
}

function slotOf(entry: Json): number {
  return (isObject(entry) ? numberOf(entry.slot) : undefined) ?? 0;
}

function signatureIn(entry: Json | undefined): string | undefined {
  return isObject(entry) ? textOf(entry.signature) : undefined;
}
