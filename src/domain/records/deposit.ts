// Tokens that came in. A deposit is known by its network, transaction and index in it, so a rescan finds the same one;
// it counts only once the network calls it final.
import type { Mode } from '../values/mode.ts';
import type { DepositException } from './exceptions.ts';

export type DepositState =
  | 'seen'
  | 'applied'
  | 'suspense'
  | 'refunded'
  | 'written_off'
  | 'own_funds'
  | 'gone';

export interface Deposit {
  readonly id: string;
  readonly mode: Mode;
  readonly network: string;
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  readonly memo: string;
  /** The sender, where the network shows it. Never a refund destination by itself: customers of an exchange share addresses. */
  readonly sender: string | null;
  readonly asset: string;
  readonly amountMinor: bigint;
  /** The sell whose deposit target it came to; null when it came to no sell's target. */
  readonly transactionId: string | null;
  readonly state: DepositState;
  readonly exception: DepositException | null;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
  readonly seenAtMs: number;
  /** The time according to the network; null: the network gives none. */
  readonly chainAtMs: number | null;
}

/**
 * When the transfer for a sell was made. The network's time counts, because we may have looked later; one before the sell was
 * made, or after we saw the transfer, cannot be true, and our own time counts.
 */
export function findDepositTimeMs(
  { chainAtMs, seenAtMs }: Pick<Deposit, 'chainAtMs' | 'seenAtMs'>,
  { createdAtMs }: { readonly createdAtMs: number },
): number {
  return chainAtMs !== null && chainAtMs >= createdAtMs && chainAtMs <= seenAtMs ? chainAtMs : seenAtMs;
}
