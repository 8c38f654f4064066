// What the operator reads about treasuries besides balances: the newest movements of a network, withdrawals, and how much may be
// signed for.
import type { Movement } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';

/** In the token's minor units. Null: no limit of that kind. */
export interface SigningCaps {
  readonly perPaymentMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  /** Signed for on this day of the Lagos calendar. */
  readonly todayMinor: bigint;
}

export interface TreasuryDesk {
  /** Newest first. */
  lastMovements(mode: Mode, network: string, limit: number): Promise<readonly Movement[]>;
  /** Of all networks, newest first. */
  lastWithdrawals(mode: Mode, limit: number): Promise<readonly Movement[]>;
  /** Null: nothing is signed with a key here, because the network is simulated. `day`: as `2026-11-14`. */
  caps(mode: Mode, network: string, day: string): Promise<SigningCaps | null>;
}
