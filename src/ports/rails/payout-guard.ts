// What the guard of rails stores: up to when each rail was compared, which payment belongs to which payout, and the unexplained
// payments. The first unexplained payment and the pause of its rail are stored in one commit.
import type { ApprovalRequest, ApprovalVerdict } from '../../domain/rails/approval-request.ts';
import type { OwnPayout, UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { RailKey } from './rail-store.ts';

/** A rail whose comparison is due, leased to one process until the lease ends. */
export interface LeasedGuard {
  /** Every lease increases this number: results of an older holder are not written. */
  readonly fence: bigint;
  readonly beginsAtMs: number;
  readonly comparedToMs: number;
  readonly statementNo: bigint;
}

/** A statement row about money that left the account. */
export interface StatementDebit {
  readonly no: bigint;
  /** The id of the row in reconciliation. */
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
  /** The reason to pause the rail if one of the payments is new. */
  readonly pause: string | null;
  /** The reason why the list could not be compared; null if it was compared. */
  readonly failure: string | null;
}

export interface PayoutGuard {
  /**
   * The first lease of a rail starts at the current time. `account`: its ledger name. Undefined if the rail is not due, or
   * another process has leased it.
   */
  lease(of: RailKey, account: string | null, atMs: number, leaseMs: number): Promise<LeasedGuard | undefined>;
  /** Our attempts on all rails that pay from the same account as this rail. */
  ownPayouts(of: RailKey, references: readonly string[]): Promise<readonly OwnPayout[]>;
  firstPayments(of: RailKey, references: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads at most `limit` debits, in order. */
  debitsAfter(
    of: { readonly mode: RailKey['mode']; readonly account: string },
    no: bigint,
    limit: number,
  ): Promise<readonly StatementDebit[]>;
  /**
   * Stores the comparison with the pause and the audit entry; returns new unexplained payments. Undefined if another process has
   * leased the rail.
   */
  save(guarded: GuardResult): Promise<readonly UnexplainedPayment[] | undefined>;
  /** Deletes the links between payments and payouts that were seen before this time. */
  forget(beforeMs: number): Promise<void>;
}

/** Our responses to rails that ask for approval before they pay: one row for each approved attempt. */
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
