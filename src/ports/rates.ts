// Rates: sources, the plan of products, the board and its history, and desk prices. The database stores the reports of sources,
// desk prices, spreads, decisions and history. Only one process at a time reads a source, and only one writes a decision.
import type { BoardSnapshot } from '../domain/rates/board.ts';
import type { LastAcceptedValues, RateDecision } from '../domain/rates/rate-decision.ts';
import type { HistoryPoint, HistoryQuestion, RateProduct } from '../domain/rates/rates.ts';
import type { ProductPlan, ReportedRate, SourceRate } from '../domain/rates/reading.ts';
import type { SpreadRule } from '../domain/rates/spread.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp } from './back-office.ts';

// External sources of rates. A source only reports rates; the service decides the served rate from all sources
// (domain/rates/decide-book.ts).

/**
 * `unreachable`: no response in time. `refused`: the response is an error. `unreadable`: the response is too large or not in the
 * documented format.
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
  /** The name in RATES_FILE. Never `desk`. */
  readonly name: string;
  /** The kind of adapter, shown to people. */
  readonly kind: string;
  /** The interval between reads while the source responds. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Rates older than this are not used. */
  readonly ageLimitMs: number;
  /** The rates in naira per unit, for the currencies of the source. Throws SourceFailure; its message contains no secrets. */
  read(signal: AbortSignal): Promise<readonly ReportedRate[]>;
}

/** The health of a source, for every process and for people. */
export interface SourceState {
  readonly name: string;
  /** The time of the last successful read; null if there was none. */
  readonly lastReadAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastFailure: { readonly code: SourceFailureCode; readonly message: string } | null;
  /** The number of failures since the last successful read. */
  readonly failures: number;
  readonly nextReadAtMs: number;
  /**
   * Until this time the circuit breaker is open and the source is not read; then one attempt decides whether it closes. Null:
   * closed.
   */
  readonly openUntilMs: number | null;
  readonly rates: readonly ReportedRate[];
}

/** A price that people set. Prices are append-only: the newest price of a currency applies. */
export interface DeskPrice extends SourceRate {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly setBy: string;
  /** The person who approved it; null if one person was enough. */
  readonly approvedBy: string | null;
  /** Whether it is a sample rate that the service itself generates for test mode. */
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

/** The book of a product in a mode. */
export interface RateBookName {
  readonly mode: Mode;
  readonly product: RateProduct;
}

/** The input of a decision; all of it is read at the same instant. */
export interface BookInputs {
  readonly desk: readonly DeskPrice[];
  readonly sources: readonly SourceState[];
  /** The last accepted value of each currency, of any age: `findLastAccepted(last)`. */
  readonly lastAccepted: LastAcceptedValues;
  /** The last decision; null if there is none yet. */
  readonly last: StoredDecision | null;
}

export interface RateStore {
  /** Leases due sources to the caller, so that no other process reads them for `leaseMs`. */
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
   * Decides under a lock: reads the inputs, calls `decide`, and stores its result with the history of accepted values. Null if
   * nothing changed; then nothing is written. `busy`: another process is deciding now.
   */
  decide(
    mode: Mode,
    product: RateProduct,
    decide: (inputs: BookInputs) => StoredDecision | null,
  ): Promise<StoredDecision | null | 'busy'>;
  /** The same inputs without a lock, for callers that only read. */
  readInputs(mode: Mode, product: RateProduct): Promise<BookInputs>;
  /** The current decision and the earlier ones, newest first. */
  listDecisions(mode: Mode, product: RateProduct, limit: number): Promise<readonly StoredDecision[]>;
  findDecision(id: string): Promise<StoredDecision | undefined>;
  /** The newest price of each currency, even if it has expired. */
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

/** The rates in memory. */
export interface RateBoard {
  /**
   * The book in memory; undefined while no changes are received, or if a newer book has been known for a second and was not read
   * yet.
   */
  current(): BoardSnapshot | undefined;
  /** Reads the book after this call; throws StoreUnavailable if the database is unreachable. */
  refresh(): Promise<BoardSnapshot>;
}

/**
 * What operators add to the rates: desk prices and spreads. Both are append-only, and each addition is recorded with its author
 * in the same commit.
 */
export interface DeskWrites {
  addDeskPrices(prices: readonly DeskPrice[], doing: AuditStamp): Promise<void>;
  addSpread(spread: StoredSpread, doing: AuditStamp): Promise<void>;
}

/** All sources, and which of them each product uses. */
export interface RatePlan {
  /** The sources of RATES_FILE in the order of the file, without the desk. */
  readonly sources: readonly RateSource[];
  planOf(mode: Mode, product: RateProduct): ProductPlan;
}
