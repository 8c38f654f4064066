// What we answered to rails that ask before they pay: one row for each attempt that was approved.
import type { AskedPayout, Judged } from '../../domain/rails/asked-payout.ts';
import type { RailName } from './rail-desk.ts';

export interface PayoutApprovals {
  /**
   * Judges orders that one of these rails asks about, and stores the approvals. What concludes an attempt at the same time comes
   * before it or after it, never in between.
   */
  judge(orders: readonly AskedPayout[], rails: readonly RailName[], atMs: number): Promise<Judged>;
}
