// Received tokens. A deposit is identified by its network, its transaction and its index in the transaction, so a rescan finds
// the same deposit. A deposit counts only once the network reports it as final.
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
  /**
   * The sender, if the network shows it. The sender is never used automatically as a refund destination, because customers of an
   * exchange share addresses.
   */
  readonly sender: string | null;
  readonly asset: string;
  readonly amountMinor: bigint;
  /** The sell whose deposit target received the deposit; null: it was not sent to the target of a sell. */
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
 * The time of the transfer for a sell. The network's time is used, because we may have seen the transfer later. A network time
 * cannot be correct if it is before the creation of the sell or after we saw the transfer. Our own time is then used instead.
 */
export function findDepositTimeMs(
  { chainAtMs, seenAtMs }: Pick<Deposit, 'chainAtMs' | 'seenAtMs'>,
  { createdAtMs }: { readonly createdAtMs: number },
): number {
  return chainAtMs !== null && chainAtMs >= createdAtMs && chainAtMs <= seenAtMs ? chainAtMs : seenAtMs;
}
