// Rates: rate sources, the plan of products, the board and its history, and desk prices. The database stores the reports of
// rate sources, desk prices, spreads, decisions and history. Only one process at a time reads a rate source, and only one
// writes a decision.
import type { BoardSnapshot } from '../domain/rates/board.ts';
import type { LastAcceptedValues, RateDecision } from '../domain/rates/rate-decision.ts';
import type { HistoryPoint, HistoryQuestion, RateProduct } from '../domain/rates/rates.ts';
import type { ProductPlan, ReportedRate, SourceRate } from '../domain/rates/reading.ts';
import type { SpreadRule } from '../domain/rates/spread.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp } from './back-office.ts';

// External sources of rates. A rate source only reports rates; the service decides the served rate from all sources
// (domain/rates/decide-book.ts).

/**
 * `unreachable`: the rate source did not respond in time. `refused`: the response is an error. `unreadable`: the response is
 * too large or not in the documented format.
 */
export type SourceFailureCode = 'unreachable' | 'refused' | 'unreadable';

export class SourceFailure extends Error {
  readonly code: SourceFailureCode;

  constructor(code: SourceFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RateSource {
  /** The name of the rate source in RATES_FILE. It is never `desk`. */
  readonly name: string;
  readonly kind: string;
  /** The interval between reads while the rate source responds. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** The service does not use rates that are older than this. */
  readonly ageLimitMs: number;
  /**
   * Reads the rates in naira per unit, for the currencies of the rate source. It throws SourceFailure; the message contains no
   * secrets.
   */
  read(signal: AbortSignal): Promise<readonly ReportedRate[]>;
}

export interface SourceState {
  readonly name: string;
  /** The time of the last successful read; null if no read was successful. */
  readonly lastReadAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastFailure: { readonly code: SourceFailureCode; readonly message: string } | null;
  /** The number of failures since the last successful read. */
  readonly failures: number;
  readonly nextReadAtMs: number;
  /**
   * Until this time the circuit breaker is open, and the service does not read the rate source. Then one attempt decides
   * whether the circuit breaker closes. Null if it is closed.
   */
  readonly openUntilMs: number | null;
  readonly rates: readonly ReportedRate[];
}

/** A price that people set. Prices are only added: the newest price of a currency applies. */
export interface DeskPrice extends SourceRate {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly setBy: string;
  /** The person who approved the price; null if one person was enough. */
  readonly approvedBy: string | null;
  /** Whether the price is a sample rate that the service itself generates for test mode. */
  readonly sample: boolean;
}

export interface StoredSpread extends SpreadRule {
  readonly mode: Mode;
  readonly setBy: string;
}

export interface StoredDecision extends RateDecision {
  readonly id: string;
  readonly mode: Mode;
}

export interface RateBookName {
  readonly mode: Mode;
  readonly product: RateProduct;
}

/** The input of a decision about a rate book. All of it is read at the same instant. */
export interface BookInputs {
  readonly desk: readonly DeskPrice[];
  readonly sources: readonly SourceState[];
  /** The last accepted value of each currency, of any age: `findLastAccepted(last)`. */
  readonly lastAccepted: LastAcceptedValues;
  /** The last decision; null if there is no decision yet. */
  readonly last: StoredDecision | null;
}

export interface RateStore {
  /** Leases due rate sources to the caller, so that no other process reads them for `leaseMs`. */
  leaseSources(names: readonly string[], atMs: number, leaseMs: number): Promise<readonly SourceState[]>;
  saveReading(
    name: string,
    rates: readonly ReportedRate[],
    atMs: number,
    nextReadAtMs: number,
  ): Promise<void>;
  saveFailure(
    name: string,
    failure: { readonly code: SourceFailureCode; readonly message: string },
    at: { readonly atMs: number; readonly nextReadAtMs: number; readonly openUntilMs: number | null },
  ): Promise<void>;
  listSources(): Promise<readonly SourceState[]>;
  /**
   * Decides about a rate book under a lock: it reads the inputs, calls `decide`, and stores the result with the history of
   * accepted values. Null: nothing changed, and nothing was written. `busy`: another process is deciding now.
   */
  decide(
    mode: Mode,
    product: RateProduct,
    decide: (inputs: BookInputs) => StoredDecision | null,
  ): Promise<StoredDecision | null | 'busy'>;
  /** Reads the inputs of a decision without a lock, for callers that only read. */
  readInputs(mode: Mode, product: RateProduct): Promise<BookInputs>;
  /** Lists the current decision and the earlier decisions, newest first. */
  listDecisions(mode: Mode, product: RateProduct, limit: number): Promise<readonly StoredDecision[]>;
  findDecision(id: string): Promise<StoredDecision | undefined>;
  /** Returns the newest desk price of each currency, even if the price has expired. */
  currentDeskPrices(mode: Mode, product: RateProduct): Promise<readonly DeskPrice[]>;
  /** Lists the desk prices that were set since a given time, newest first. */
  listDeskPrices(mode: Mode, product: RateProduct, sinceMs: number): Promise<readonly DeskPrice[]>;
  /** Lists the spreads in the order in which they were added. */
  listSpreads(mode: Mode): Promise<readonly StoredSpread[]>;
  /** Oldest first. */
  readHistory(mode: Mode, question: HistoryQuestion): Promise<readonly HistoryPoint[]>;
  /** Adds a point for the current minute to the history of every active value, and deletes points that are too old. */
  keepHistory(atMs: number): Promise<void>;
}

export interface RateBoard {
  /**
   * Returns the rate books in memory. Undefined while the process receives no changes, or if a newer rate book has been known
   * for a second and was not read yet.
   */
  current(): BoardSnapshot | undefined;
  /** Reads the rate books after this call. It throws StoreUnavailable if the database is unreachable. */
  refresh(): Promise<BoardSnapshot>;
}

/**
 * What operators add to the rates: desk prices and spreads. Both are only added, and each addition is recorded with its author
 * in the same commit.
 */
export interface DeskWrites {
  addDeskPrices(prices: readonly DeskPrice[], doing: AuditStamp): Promise<void>;
  addSpread(spread: StoredSpread, doing: AuditStamp): Promise<void>;
}

export interface RatePlan {
  /** The sources of RATES_FILE in the order of the file, without the desk. */
  readonly sources: readonly RateSource[];
  planOf(mode: Mode, product: RateProduct): ProductPlan;
}
