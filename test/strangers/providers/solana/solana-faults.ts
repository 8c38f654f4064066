// How the faults of a Solana provider change its responses about the chain, its slots, blockhashes, accounts and submitted
// transactions.
import type { Random, Use } from '../faults.ts';
import { isObject, type Json, numberOf, textOf } from '../json.ts';
import type { BatchFault, Outcome, RpcCall, RpcRule } from '../rpc.ts';
import type { TransportFault } from '../transport.ts';
import { historyRules } from './solana-history.ts';
import { ACCOUNT_METHODS, NO_ACCOUNT, type SolanaMemory } from './solana-memory.ts';
import type { SolanaFault } from './solana-names.ts';

export type SolanaRuleName = Exclude<SolanaFault, TransportFault | BatchFault>;

const GENESIS_OF_MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const GENESIS_OF_DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const HEIGHTS = ['getSlot', 'getBlockHeight', 'getEpochInfo'];
const WITH_CONTEXT = [...ACCOUNT_METHODS, 'getSignatureStatuses', 'getLatestBlockhash', 'isBlockhashValid'];
const MAY_NAME_A_SLOT = [
  ...WITH_CONTEXT,
  ...HEIGHTS,
  'getSignaturesForAddress',
  'sendTransaction',
  'simulateTransaction',
  'getFeeForMessage',
];

/** Lists the rules in the order in which they are applied: rules that remove data first, then rules that change data. */
export function solanaRules(memory: SolanaMemory, random: Random): Readonly<Record<SolanaRuleName, RpcRule>> {
  return {
    another_chain: {
      methods: ['getGenesisHash'],
      reply: (result, _call, use) => ({
        result: use.options.value ?? (result === GENESIS_OF_MAINNET ? GENESIS_OF_DEVNET : GENESIS_OF_MAINNET),
      }),
    },
    min_context_slot: { methods: MAY_NAME_A_SLOT, ask: notReached },
    ...sendRules(),
    ...slotRules(),
    ...blockhashRules(memory, random),
    ...historyRules(memory, random),
    account_lag: { methods: ACCOUNT_METHODS, reply: (result, call, use) => older(memory, result, call, use) },
    context_slot_differs: { methods: WITH_CONTEXT, reply: otherContext },
  };
}

/** The first signature of the transaction that sendTransaction submits. This signature is the id of the transaction. */
export function signatureOf(method: string, params: readonly Json[]): string | undefined {
  const text = textOf(params[0]);
  if (method !== 'sendTransaction' || text === undefined) return undefined;
  const encoding = isObject(params[1]) ? params[1].encoding : undefined;
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : fromBase58(text);
  // The first byte is the number of signatures. No transaction has so many signatures that the number needs a second byte.
  return bytes === undefined || bytes.length < 65 ? undefined : toBase58(bytes.subarray(1, 65));
}

function notReached(call: RpcCall): Outcome | undefined {
  const wanted = call.params.map((param) => (isObject(param) ? numberOf(param.minContextSlot) : undefined));
  const slot = wanted.find((value) => value !== undefined);
  if (slot === undefined) return undefined;
  const data = { contextSlot: Math.max(0, slot - 1) };
  return { error: { code: -32016, message: 'Minimum context slot has not been reached', data } };
}

function sendRules() {
  const methods = ['sendTransaction'];
  return {
    dropped: {
      methods,
      ask: (call: RpcCall) => {
        const signature = signatureOf(call.method, call.params);
        return signature === undefined ? undefined : { result: signature };
      },
    },
    accepted_but_preflight_error: {
      methods,
      reply: (_result: Json, _call: RpcCall, use: Use) => ({
        error: {
          code: -32002,
          message: use.options.message ?? 'Transaction simulation failed: Blockhash not found',
          data: { accounts: null, err: 'BlockhashNotFound', logs: [], unitsConsumed: 0 },
        },
      }),
    },
    accepted_but_node_behind: {
      methods,
      reply: (_result: Json, _call: RpcCall, use: Use) => {
        const numSlotsBehind = use.options.by ?? 150;
        const message = use.options.message ?? `Node is behind by ${numSlotsBehind} slots`;
        return { error: { code: -32005, message, data: { numSlotsBehind } } };
      },
    },
  };
}

function slotRules() {
  const moved = (sign: 1 | -1) => ({
    methods: HEIGHTS,
    reply: (result: Json, _call: RpcCall, use: Use): Outcome | undefined => {
      const by = sign * (use.options.by ?? 50);
      if (isObject(result)) {
        const absoluteSlot = Math.max(0, (numberOf(result.absoluteSlot) ?? 0) + by);
        const blockHeight = Math.max(0, (numberOf(result.blockHeight) ?? 0) + by);
        return { result: { ...result, absoluteSlot, blockHeight } };
      }
      const truth = numberOf(result);
      return truth === undefined ? undefined : { result: Math.max(0, truth + by) };
    },
  });
  return { slot_goes_back: moved(-1), slot_ahead: moved(1) };
}

function blockhashRules(memory: SolanaMemory, random: Random) {
  return {
    blockhash_old: {
      methods: ['getLatestBlockhash'],
      reply: (result: Json, _call: RpcCall, use: Use) => {
        const limit = (heightOf(result) ?? 0) - (use.options.by ?? 1);
        const old = memory.blockhashes().filter((known) => (heightOf(known) ?? Infinity) <= limit);
        // Without `by`, the fault uses the oldest blockhash. With `by`, it uses the newest blockhash that is old enough.
        const chosen = use.options.by === undefined ? old[0] : old.at(-1);
        return chosen === undefined ? undefined : { result: chosen };
      },
    },
    blockhash_of_another_chain: {
      methods: ['getLatestBlockhash'],
      reply: (result: Json, _call: RpcCall, use: Use) => {
        if (!isObject(result) || !isObject(result.value)) return undefined;
        const foreign = use.options.value ?? textOf(use.memo.get('blockhash')) ?? madeUp(random);
        use.memo.set('blockhash', foreign);
        return { result: { ...result, value: { ...result.value, blockhash: foreign } } };
      },
    },
    blockhash_said_invalid: {
      methods: ['isBlockhashValid'],
      reply: (result: Json) =>
        isObject(result) && result.value === true ? { result: { ...result, value: false } } : undefined,
    },
  };
}

function heightOf(latest: Json): number | undefined {
  return isObject(latest) && isObject(latest.value) ? numberOf(latest.value.lastValidBlockHeight) : undefined;
}

function madeUp(random: Random): string {
  return toBase58(Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256)));
}

function older(memory: SolanaMemory, result: Json, call: RpcCall, use: Use): Outcome | undefined {
  const known = memory.frozen(call, use);
  if (known === undefined || JSON.stringify(known) === JSON.stringify(result)) return undefined;
  if (known !== NO_ACCOUNT) return { result: known };
  return { error: { code: -32602, message: 'Invalid param: could not find account' } };
}

function otherContext(result: Json, _call: RpcCall, use: Use): Outcome | undefined {
  if (!isObject(result) || !isObject(result.context)) return undefined;
  const slot = (numberOf(result.context.slot) ?? 0) + (use.options.by ?? 50);
  return { result: { ...result, context: { ...result.context, slot } } };
}

// Converts to and from base58 with Bitcoin's alphabet, which Solana uses for keys, hashes and signatures.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function toBase58(bytes: Uint8Array): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = `${ALPHABET[Number(rest % 58n)]}${text}`;
    rest /= 58n;
  }
  const leading = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(leading === -1 ? bytes.length : leading) + text;
}

/** Returns the bytes of a text; undefined if the text contains a character that is not in the alphabet. */
function fromBase58(text: string): Uint8Array | undefined {
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const tail = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const leading = /^1*/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([Buffer.alloc(leading), tail]);
}
