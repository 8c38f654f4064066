// What of a transaction's money is there and what is still to arrive. Nothing is missing once nothing is awaited any more, and
// while tokens that were seen are not final: a customer who read "missing" then would send them again.
import type { State } from './states.ts';
import type { Transaction } from './transaction.ts';

const AWAITED: ReadonlySet<State> = new Set(['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit']);

/** `heldMinor`: payments that wait for review only because they are not the amount asked for. An excess does not count. */
export function arrivedMinor({ amountMinor, receivedMinor }: Transaction, heldMinor: bigint): bigint {
  const allMinor = receivedMinor + heldMinor;
  return allMinor < amountMinor ? allMinor : amountMinor;
}

export function missingMinor(transaction: Transaction, hereMinor: bigint): bigint {
  const { state, exception, amountMinor } = transaction;
  // On hold, more money is wanted only where less came; everything else waits for people.
  const awaited = state === 'on_hold' ? exception === 'paid_partial' : AWAITED.has(state);
  return awaited ? amountMinor - hereMinor : 0n;
}
