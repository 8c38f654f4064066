// Cases in the lists of the operator's pages, with the name of the business and the outcome.
import type { CaseKind, ClosedCase } from '../../domain/records/change.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface CaseRecord {
  readonly id: string;
  readonly kind: CaseKind;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly businessName: string | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  readonly movementId: string | null;
  /** The report, the difference, the credit or the deposit that the case is about. */
  readonly about: string | null;
  /** For a reconciliation case: the bank account, by its name in the ledger, and the day. */
  readonly account: string | null;
  readonly day: string | null;
  readonly amountMinor: bigint;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly closedBy: string | null;
  readonly outcome: ClosedCase['outcome'] | null;
}

export interface CaseFilter {
  readonly mode: Mode | null;
  readonly open: boolean;
  /** Only the cases about this statement file; 'loose': only the cases that are not in the group of a file; null: all cases. */
  readonly ofFile?: string | 'loose' | null;
  readonly after: string | null;
  readonly limit: number;
}

/** The open cases about one statement file with at least two of them. */
export interface CaseGroup {
  readonly fileId: string;
  readonly mode: Mode;
  /** The name and the account of the file. */
  readonly name: string;
  readonly account: string;
  readonly cases: number;
  readonly amountMinor: bigint;
  /** When the oldest case was opened. */
  readonly openedAtMs: number;
  /** The newest open proposal about these cases. */
  readonly proposalId: string | null;
}
