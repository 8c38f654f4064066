// What the guard of rails stores: the time up to which each rail was compared, which payment belongs to which payout, and the
// unexplained payments. The first unexplained payment and the pause of its rail are stored in one commit.
import type { ApprovalRequest, ApprovalVerdict } from '../../domain/rails/approval-request.ts';
import type { OwnPayout, UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { RailKey } from './rail-store.ts';

/** A rail whose comparison is due. One process has leased it until the lease ends. */
export interface LeasedGuard {
  /** Every lease increases this number. The service does not store results of an older holder. */
  readonly fence: bigint;
  readonly beginsAtMs: number;
  readonly comparedToMs: number;
  readonly statementNo: bigint;
}

export interface StatementDebit {
  readonly no: bigint;
  /** The id of this row in the reconciliation. */
  readonly rowId: string;
  readonly day: string;
}

export interface GuardResult extends RailKey {
  readonly fence: bigint;
  readonly atMs: number;
  readonly dueAtMs: number;
  readonly comparedToMs: number;
  readonly statementNo: bigint;
  readonly firsts: readonly { readonly reference: string; readonly payment: string }[];
  readonly unexplained: readonly UnexplainedPayment[];
  /** The reason to pause the rail if one of the payments is new; null if there is no reason. */
  readonly pause: string | null;
  /** The reason why the payments could not be compared with our payouts; null if they were compared. */
  readonly failure: string | null;
}

export interface PayoutGuard {
  /**
   * Leases a rail whose comparison is due. The first lease of a rail starts at the current time. `account` is the ledger name
   * of the rail's account. Undefined if the rail is not due, or if another process has leased it.
   */
  lease(of: RailKey, account: string | null, atMs: number, leaseMs: number): Promise<LeasedGuard | undefined>;
  /** Returns our attempts with these references, on all rails that pay from the same account as this rail. */
  ownPayouts(of: RailKey, references: readonly string[]): Promise<readonly OwnPayout[]>;
  firstPayments(of: RailKey, references: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads at most `limit` debits of the account's statement, in order. */
  debitsAfter(
    of: { readonly mode: RailKey['mode']; readonly account: string },
    no: bigint,
    limit: number,
  ): Promise<readonly StatementDebit[]>;
  /**
   * Stores the comparison, the pause and the audit entry, and returns the new unexplained payments. Undefined if another
   * process has leased the rail.
   */
  save(guarded: GuardResult): Promise<readonly UnexplainedPayment[] | undefined>;
  forget(beforeMs: number): Promise<void>;
}

/** Our responses to rails that ask for approval before they pay. Each approved attempt has one row. */
export interface PayoutApprovals {
  /**
   * Judges the orders for which one of these rails asks for approval, and stores the approvals. If an attempt ends at the same
   * time, its end is committed entirely before or entirely after the approval.
   */
  judge(
    orders: readonly ApprovalRequest[],
    rails: readonly RailKey[],
    atMs: number,
  ): Promise<ApprovalVerdict>;
}
