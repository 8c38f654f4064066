// What the guard of rails keeps: up to where each rail was compared, which payment is which payout, and the payments that nothing
// explains. The pause of a rail is written in the commit that stores the first of those.
import type { ApprovalRequest, ApprovalVerdict } from '../../domain/rails/approval-request.ts';
import type { OwnPayout, UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { RailKey } from './rail-store.ts';

/** A rail whose comparison is due, held by one process until the lease ends. */
export interface LeasedGuard {
  /** Rises with every lease: what an older holder found out is not written. */
  readonly fence: bigint;
  readonly beginsAtMs: number;
  readonly comparedToMs: number;
  readonly statementNo: bigint;
}

/** A row of a statement by which money left the account. */
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
  /** The reason for pausing the rail when one of them is new. */
  readonly pause: string | null;
  /** The reason why the list could not be compared; null: it was. */
  readonly failure: string | null;
}

export interface PayoutGuard {
  /** The first lease of a rail begins at the present. `account`: by its name in the ledger. Undefined: not due, or another has it. */
  lease(of: RailKey, account: string | null, atMs: number, leaseMs: number): Promise<LeasedGuard | undefined>;
  /** Attempts on the rails that pay from the account of this one. */
  ownPayouts(of: RailKey, references: readonly string[]): Promise<readonly OwnPayout[]>;
  firstPayments(of: RailKey, references: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads at most `limit` debits, in order. */
  debitsAfter(
    of: { readonly mode: RailKey['mode']; readonly account: string },
    no: bigint,
    limit: number,
  ): Promise<readonly StatementDebit[]>;
  /** Stores the comparison with the pause and the audit entry, and returns new unexplained payments. Undefined: another process has the rail. */
  save(guarded: GuardResult): Promise<readonly UnexplainedPayment[] | undefined>;
  /** Forgets which payment was which payout, of those that were seen before. */
  forget(beforeMs: number): Promise<void>;
}

/** Our answers to rails that ask before they pay: one row per approved attempt. */
export interface PayoutApprovals {
  /**
   * Judges orders that one of these rails asks about, and stores the approvals. What concludes an attempt at the same time comes
   * before it or after it, never in between.
   */
  judge(
    orders: readonly ApprovalRequest[],
    rails: readonly RailKey[],
    atMs: number,
  ): Promise<ApprovalVerdict>;
}
