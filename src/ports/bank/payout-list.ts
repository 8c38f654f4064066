// A rail's own list of what it paid out from our account, whoever ordered it. It is only compared with our payouts: what became of a
// payout is asked by its reference (payouts.ts).
import type { ListedPayment } from '../../domain/rails/unexplained.ts';

export interface PayoutList {
  /** Everything that was made from one time to another, in any order. Throws when it cannot be read now. */
  read(fromMs: number, untilMs: number): Promise<readonly ListedPayment[]>;
}
