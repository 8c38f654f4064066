// Reconciliation: days and their items, threshold reports, silent vendors. Where days are reconciled and kept. A day is read,
// decided and written in one transaction, so that two processes never mix their results.
import type { VendorActivity } from '../domain/catalogue/vendors.ts';
import type { ExplainedDifference } from '../domain/reconciliation/explain-differences.ts';
import type {
  DayResult,
  DaySide,
  ReconciledDayState,
  ReconciliationFacts,
} from '../domain/reconciliation/reconcile.ts';
import type { Mode } from '../domain/values/mode.ts';

/** A bank account of ours, by its name in the ledger. */
export interface AccountKey {
  readonly mode: Mode;
  readonly account: string;
}

export interface AccountDayKey extends AccountKey {
  readonly day: string;
}

export interface ReconciledAccount extends AccountKey {
  /** The vendor whose account it is; null: payouts are made from it. */
  readonly vendor: string | null;
  readonly hasStatement: boolean;
}

export interface ReconciledDay extends AccountDayKey {
  readonly books: DaySide;
  readonly statement: DaySide | null;
  readonly rail: { readonly balanceMinor: bigint; readonly booksMinor: bigint; readonly atMs: number } | null;
  readonly state: ReconciledDayState;
  readonly links: number;
  readonly explained: number;
  readonly unexplained: number;
  /** The explained difference of the books from the statement, without the rail's own differences. */
  readonly explainedMinor: bigint;
  readonly unexplainedMinor: bigint;
  readonly atMs: number;
}

export interface DifferenceWithCase extends ExplainedDifference {
  /** The other side has it since this day. */
  readonly resolvedDay: string | null;
  readonly caseId: string | null;
  /** The outcome of the case; null while it is open. */
  readonly caseOutcome: string | null;
  readonly isExplained: boolean;
}

export interface ReconciledDayFilter {
  readonly mode: Mode;
  readonly account: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: ReconciledDayState | null;
  /** The last one of the page before: days go back, accounts forward. */
  readonly after: Pick<AccountDayKey, 'day' | 'account'> | null;
  readonly limit: number;
}

export interface CaseChanges {
  readonly opened: number;
  readonly resolved: number;
}

export type DayDecider = (facts: ReconciliationFacts) => DayResult;

export interface ReconciliationStore {
  accounts(mode: Mode): Promise<readonly ReconciledAccount[]>;
  /** The first day whose result is missing or older than what it rests on, up to `through`; null: all is up to date. */
  firstDue(of: AccountKey, through: string): Promise<string | null>;
  /** The last day that has a result; null: none. */
  lastDay(of: AccountKey): Promise<string | null>;
  /** Replaces the result of the day, and forgets those of later days. */
  reconcile(of: AccountDayKey, decide: DayDecider, atMs: number): Promise<DayResult>;
  /** The result that `reconcile` would give. */
  compare(of: AccountDayKey, decide: DayDecider): Promise<DayResult>;
  /** Opens a case for each unexplained open difference; a case whose difference is gone ends as `resolved`. */
  settleCases(of: AccountKey, newId: () => string, atMs: number): Promise<CaseChanges>;
  list(filter: ReconciledDayFilter): Promise<readonly ReconciledDay[]>;
  find(of: AccountDayKey): Promise<ReconciledDay | undefined>;
  /** Open at the end of the day, as it is known now. */
  differences(of: AccountDayKey): Promise<readonly DifferenceWithCase[]>;
  /** Whether this process does the daily work now, for so long. */
  takeTurn(name: string, nowMs: number, forMs: number): Promise<boolean>;
}

/** The records of vendor accounts that stopped crediting. */
export interface VendorSilence {
  readonly vendorId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly lastCreditAtMs: number;
  readonly claims: number;
  /** Whether it was taken off the list; false: it is the last account of its mode and stays. */
  readonly takenOff: boolean;
  readonly atMs: number;
}

export interface SilentVendors {
  /** Reads the record of every active vendor of the mode. */
  records(mode: Mode, nowMs: number): Promise<readonly VendorActivity[]>;
  /**
   * In one transaction: the vendor leaves the list, unless it is the last one of its mode, with the line in the audit log. Undefined: it was
   * known to be silent before.
   */
  silence(vendor: VendorActivity, atMs: number): Promise<VendorSilence | undefined>;
  /** Ends what is over: a person put the vendor back on the list, or the account credits again. */
  endOver(mode: Mode, atMs: number): Promise<void>;
  list(mode: Mode): Promise<readonly VendorSilence[]>;
}

/** Single transfers above an amount, for threshold reports: what came in for buys, and what was paid out. */
export interface LargeTransfer {
  /** The credit or the movement. */
  readonly id: string;
  readonly direction: 'in' | 'out';
  readonly kind: 'buy' | 'credit' | 'sell' | 'refund';
  readonly mode: Mode;
  readonly atMs: number;
  readonly amountMinor: bigint;
  readonly state: string;
  readonly transactionId: string | null;
  readonly businessId: string | null;
  readonly businessName: string | null;
  /** Our account, by its name in the ledger; null: the simulated bank. */
  readonly ourAccount: string | null;
  readonly otherName: string | null;
  readonly otherAccount: string | null;
  readonly otherBank: string | null;
  readonly reference: string;
  readonly sessionId: string | null;
  readonly narration: string | null;
  readonly wallet: string | null;
}

export interface LargeTransferFilter {
  readonly mode: Mode;
  readonly fromMs: number;
  readonly toMs: number;
  /** The lower bound of the amount, exclusive. */
  readonly aboveMinor: bigint;
  readonly after: Pick<LargeTransfer, 'atMs' | 'id'> | null;
  readonly limit: number;
}

export interface LargeTransferReads {
  /** The oldest first. */
  largeTransfers(filter: LargeTransferFilter): Promise<readonly LargeTransfer[]>;
}

/** The store for reconciliation, threshold reports and the watch of vendor accounts. */
export interface ReconciliationStores {
  readonly reconciliation: ReconciliationStore;
  readonly thresholdReads: LargeTransferReads;
  readonly silentVendors: SilentVendors;
}
