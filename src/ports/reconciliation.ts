// Stores reconciled days with their items, threshold reports, and silent vendors. A day is read, decided and written in one
// database transaction, so that the results of two processes never mix.
import type { VendorActivity } from '../domain/catalogue/vendors.ts';
import type { ExplainedDifference } from '../domain/reconciliation/explain-differences.ts';
import type {
  DayResult,
  DaySide,
  ReconciledDayState,
  ReconciliationFacts,
} from '../domain/reconciliation/reconcile.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp } from './back-office.ts';

/** One of our bank accounts, by its ledger name. */
export interface AccountKey {
  readonly mode: Mode;
  readonly account: string;
}

export interface AccountDayKey extends AccountKey {
  readonly day: string;
}

export interface ReconciledAccount extends AccountKey {
  /** The vendor of the bank account; null if the service makes payouts from the account. */
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
  /**
   * The explained difference between ledger and bank statement. It does not include differences in the balance that the rail
   * reports.
   */
  readonly explainedMinor: bigint;
  readonly unexplainedMinor: bigint;
  readonly atMs: number;
}

export interface DifferenceWithCase extends ExplainedDifference {
  /** The day from which both the ledger and the bank statement have the item; null if one of them still lacks it. */
  readonly resolvedDay: string | null;
  readonly caseId: string | null;
  /** The outcome of the case; null while the case is open. */
  readonly caseOutcome: string | null;
  readonly isExplained: boolean;
}

export interface ReconciledDayFilter {
  readonly mode: Mode;
  readonly account: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: ReconciledDayState | null;
  /** The last entry of the previous page. Newer days come first, and the accounts of a day are in ascending order. */
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
  /** Returns the first day up to `through` whose result is missing or older than its input; null if all days are up to date. */
  firstDue(of: AccountKey, through: string): Promise<string | null>;
  /** Returns the last day that has a result; null if no day has a result. */
  lastDay(of: AccountKey): Promise<string | null>;
  /** Replaces the result of the day, and deletes the results of later days. */
  reconcile(of: AccountDayKey, decide: DayDecider, atMs: number): Promise<DayResult>;
  /** Returns the result that `reconcile` would give, without storing it. */
  compare(of: AccountDayKey, decide: DayDecider): Promise<DayResult>;
  /**
   * Opens a case for each open difference that is not explained. If the difference of a case no longer exists, the case ends as
   * `resolved`.
   */
  settleCases(of: AccountKey, newId: () => string, atMs: number): Promise<CaseChanges>;
  list(filter: ReconciledDayFilter): Promise<readonly ReconciledDay[]>;
  find(of: AccountDayKey): Promise<ReconciledDay | undefined>;
  /** Returns the differences that were open at the end of the day, according to current data. */
  differences(of: AccountDayKey): Promise<readonly DifferenceWithCase[]>;
  /** Whether this process may do the daily work now. If so, no other process may do it for `forMs`. */
  takeTurn(name: string, nowMs: number, forMs: number): Promise<boolean>;
}

export interface VendorSilence {
  readonly vendorId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly lastCreditAtMs: number;
  readonly claims: number;
  /** Whether the account was removed from the list of vendors. False: it stays, because it is the last account of its mode. */
  readonly takenOff: boolean;
  readonly atMs: number;
}

export interface SilentVendors {
  records(mode: Mode, nowMs: number): Promise<readonly VendorActivity[]>;
  /**
   * Removes the vendor from the list, unless it is the last vendor of its mode, and writes the audit-log entry in the same
   * database transaction. Undefined if the vendor was already known as silent.
   */
  silence(vendor: VendorActivity, atMs: number): Promise<VendorSilence | undefined>;
  /** Ends the silence of a vendor if a person put the vendor back on the list, or if its account receives credits again. */
  endOver(mode: Mode, atMs: number): Promise<void>;
  list(mode: Mode): Promise<readonly VendorSilence[]>;
}

/** One transfer above an amount, for threshold reports: money received for buys, or money paid out. */
export interface LargeTransfer {
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
  /** The ledger name of our account; null for the simulated bank. */
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
  /** The report contains transfers with a larger amount than this. */
  readonly aboveMinor: bigint;
  readonly after: Pick<LargeTransfer, 'atMs' | 'id'> | null;
  readonly limit: number;
}

export interface LargeTransferReads {
  /** Returns the transfers, the oldest first. */
  largeTransfers(filter: LargeTransferFilter): Promise<readonly LargeTransfer[]>;
}

/** A day on which banks in Nigeria book no transfers. */
export interface PublicHoliday {
  readonly day: string;
  readonly name: string;
  /** The day depends on the moon or on a declaration that was not made yet. */
  readonly provisional: boolean;
  /** The person who last changed it; `service:migration`: it came with the service. */
  readonly setBy: string;
}

export interface HolidayStore {
  /** The oldest first. */
  list(): Promise<readonly PublicHoliday[]>;
  set(holiday: Omit<PublicHoliday, 'setBy'>, stamp: AuditStamp): Promise<void>;
  /** False if the day is no holiday. */
  remove(holiday: Pick<PublicHoliday, 'day'>, stamp: AuditStamp): Promise<boolean>;
}

/** The stores for reconciliation, public holidays, threshold reports and the monitoring of vendor accounts. */
export interface ReconciliationStores {
  readonly reconciliation: ReconciliationStore;
  readonly thresholdReads: LargeTransferReads;
  readonly silentVendors: SilentVendors;
  readonly holidays: HolidayStore;
}
