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
  readonly after: string | null;
  readonly limit: number;
}
