// Tokens that arrived. A deposit is identified by its network, its transaction and its index in the transaction, so that a
// rescan finds the same deposit. A deposit counts only after the network reports it as final.
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
   * The sender, if the network shows it. The service never sends a refund automatically to the sender, because customers of an
   * exchange share addresses.
   */
  readonly sender: string | null;
  readonly asset: string;
  readonly amountMinor: bigint;
  /** The sell whose deposit target received the deposit. Null: the deposit was not sent to the target of a sell. */
  readonly transactionId: string | null;
  readonly state: DepositState;
  readonly exception: DepositException | null;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
  readonly seenAtMs: number;
  /** The time of the deposit on the network. Null: the network gives no time. */
  readonly chainAtMs: number | null;
}

/**
 * The time that counts as the arrival of the transfer. The network's time is used, because we may have seen the transfer later.
 * A network time before the creation of the sell, or after we saw the transfer, is wrong. Our own time is then used instead.
 */
export function findDepositTimeMs(
  { chainAtMs, seenAtMs }: Pick<Deposit, 'chainAtMs' | 'seenAtMs'>,
  { createdAtMs }: { readonly createdAtMs: number },
): number {
  return chainAtMs !== null && chainAtMs >= createdAtMs && chainAtMs <= seenAtMs ? chainAtMs : seenAtMs;
}
