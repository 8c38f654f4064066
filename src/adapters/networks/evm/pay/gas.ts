// How much gas is allowed for a transaction. Estimated where the chain answers, and otherwise so much that the contracts never
// stop for want of it: only what is used is paid for.
import type { Call, EvmClient } from '../rpc/client.ts';
import type { Item, Payload } from './payload.ts';

/** What the contracts want left before each item, and around all of them. */
const PER_PAYMENT = 235_000n;
const PER_SWEEP = 460_000n;
const AROUND = 100_000n;
/** What an item uses at least when it goes well: an estimate in which it did not is too low. */
const USED_PER_PAYMENT = 75_000n;
const USED_PER_SWEEP = 200_000n;
const TRANSFER = 200_000n;
export const CANCEL_GAS = 21_000n;
/** Networks refuse a transaction with more than about 16.7 million. */
const MOST = 16_000_000n;

export type Kind = Exclude<Payload['kind'], 'cancel'>;

/** So many items fit into one transaction, whatever they use. */
export function itemsThatFit(kind: Kind, blockGasLimit: bigint): number {
  if (kind === 'transfer') return 1;
  const half = blockGasLimit / 2n;
  const room = (half < MOST ? half : MOST) - AROUND;
  const perItem = kind === 'disperse' ? PER_PAYMENT : PER_SWEEP;
  return room < perItem ? 1 : Number(room / perItem);
}

export async function gasFor(
  client: EvmClient,
  call: Call,
  { kind, items }: { readonly kind: Kind; readonly items: readonly Item[] },
): Promise<bigint> {
  const count = BigInt(items.length);
  const enough = kind === 'transfer' ? TRANSFER : AROUND + count * perItem(kind);
  // The state it will meet may differ: payments before it have not landed. So an error says nothing.
  const estimate = await client.estimateGas(call).catch(() => enough);
  const withMargin = (estimate * 5n) / 4n;
  const least = kind === 'transfer' ? 0n : AROUND + perItem(kind) + count * used(kind);
  const wanted = withMargin > least ? withMargin : least;
  return wanted < enough || kind === 'transfer' ? wanted : enough;
}

function perItem(kind: Kind): bigint {
  return kind === 'disperse' ? PER_PAYMENT : PER_SWEEP;
}

function used(kind: Kind): bigint {
  return kind === 'disperse' ? USED_PER_PAYMENT : USED_PER_SWEEP;
}
