// Remembers what a provider has seen of its Solana node: the highest slot, blockhashes, and earlier responses about accounts.
import { Earlier, type Use } from '../faults.ts';
import { isList, isObject, type Json, numberOf } from '../json.ts';
import type { RpcCall } from '../rpc.ts';

export const ACCOUNT_METHODS = [
  'getAccountInfo',
  'getMultipleAccounts',
  'getBalance',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
];

/** Stands for a node's error about a token account that the node has not seen. */
export const NO_ACCOUNT = 'no account';

const MOST_BLOCKHASHES = 1_000;

export class SolanaMemory {
  readonly #earlier = new Earlier();
  readonly #blockhashes: Json[] = [];
  #slot = 0;

  learn(call: RpcCall, result: Json): void {
    if (ACCOUNT_METHODS.includes(call.method)) this.#earlier.learn(questionOf(call), result);
    if (call.method === 'getLatestBlockhash') {
      this.#blockhashes.push(result);
      if (this.#blockhashes.length > MOST_BLOCKHASHES) this.#blockhashes.shift();
    }
    const slots = [
      call.method === 'getSlot' ? numberOf(result) : undefined,
      isObject(result) && isObject(result.context) ? numberOf(result.context.slot) : undefined,
      ...(isList(result) ? result.map((entry) => (isObject(entry) ? numberOf(entry.slot) : undefined)) : []),
    ];
    this.#slot = Math.max(this.#slot, ...slots.map((slot) => slot ?? 0));
  }

  slot(): number {
    return this.#slot;
  }

  frozen(call: RpcCall, use: Use): Json | undefined {
    return this.#earlier.frozen(questionOf(call), use, use.options.empty ? nothing(call) : undefined);
  }

  blockhashes(): readonly Json[] {
    return this.#blockhashes;
  }
}

// A request for an account with another commitment or encoding is a different request, because the response has another form.
function questionOf(call: RpcCall): string {
  return JSON.stringify([call.method, call.params]);
}

function nothing(call: RpcCall): Json | undefined {
  const context = { slot: 1 };
  if (call.method === 'getTokenAccountBalance') return NO_ACCOUNT;
  if (call.method === 'getAccountInfo') return { context, value: null };
  if (call.method === 'getBalance') return { context, value: 0 };
  if (call.method === 'getTokenAccountsByOwner') return { context, value: [] };
  if (call.method !== 'getMultipleAccounts' || !isList(call.params[0])) return undefined;
  return { context, value: call.params[0].map(() => null) };
}
