// Where days are reconciled and kept. A day is read, decided and written in one transaction, so that two processes never mix their results.
import type { Explained } from '../../domain/reconciliation/explain.ts';
import type { DayFacts, DayResult, DayState, Side } from '../../domain/reconciliation/reconcile.ts';
import type { Mode } from '../../domain/values/mode.ts';

/** A bank account of ours, by its name in the ledger. */
export interface AccountOf {
  readonly mode: Mode;
  readonly account: string;
}

export interface DayOf extends AccountOf {
  readonly day: string;
}

export interface ReconciledAccount extends AccountOf {
  /** The vendor whose account it is; null: payouts are made from it. */
  readonly vendor: string | null;
  readonly hasStatement: boolean;
}

export interface ReconciledDay extends DayOf {
  readonly books: Side;
  readonly statement: Side | null;
  readonly rail: { readonly balanceMinor: bigint; readonly booksMinor: bigint; readonly atMs: number } | null;
  readonly state: DayState;
  readonly links: number;
  readonly explained: number;
  readonly unexplained: number;
  /** Of the books above the statement; the rail's own differences are not in it. */
  readonly explainedMinor: bigint;
  readonly unexplainedMinor: bigint;
  readonly atMs: number;
}

export interface ShownDifference extends Explained {
  /** The other side has it since this day. */
  readonly resolvedDay: string | null;
  readonly caseId: string | null;
  /** How people or the service ended the case; null while it is open. */
  readonly caseOutcome: string | null;
  readonly isExplained: boolean;
}

export interface DayFilter {
  readonly mode: Mode;
  readonly account: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: DayState | null;
  /** The last one of the page before: days go back, accounts forward. */
  readonly after: Pick<DayOf, 'day' | 'account'> | null;
  readonly limit: number;
}

export interface CasesChanged {
  readonly opened: number;
  readonly resolved: number;
}

export type Decide = (facts: DayFacts) => DayResult;

export interface ReconciliationDesk {
  accounts(mode: Mode): Promise<readonly ReconciledAccount[]>;
  /** The first day whose result is missing or older than what it rests on, up to `through`; null: all is up to date. */
  firstDue(of: AccountOf, through: string): Promise<string | null>;
  /** The last day that has a result; null: none. */
  lastDay(of: AccountOf): Promise<string | null>;
  /** Replaces the result of the day, and forgets those of later days. */
  reconcile(of: DayOf, decide: Decide, atMs: number): Promise<DayResult>;
  /** What `reconcile` would decide. */
  compare(of: DayOf, decide: Decide): Promise<DayResult>;
  /** One case for each unexplained difference that is open; a case whose difference is gone ends as `resolved`. */
  settleCases(of: AccountOf, newId: () => string, atMs: number): Promise<CasesChanged>;
  list(filter: DayFilter): Promise<readonly ReconciledDay[]>;
  find(of: DayOf): Promise<ReconciledDay | undefined>;
  /** Open at the end of the day, as it is known now. */
  differences(of: DayOf): Promise<readonly ShownDifference[]>;
  /** Whether this process does the daily work now, for so long. */
  takeTurn(name: string, nowMs: number, forMs: number): Promise<boolean>;
}
