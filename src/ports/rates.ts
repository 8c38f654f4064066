// Rates: sources, the plan of products, the board and its history, the prices of the desk. Rates in the database: what sources
// reported, desk prices, spreads, decisions and history. One process reads a source at a time; a decision is written by one
// process at a time.
import type { BoardSnapshot } from '../domain/rates/board.ts';
import type { HistoryPoint, HistoryQuestion } from '../domain/rates/history.ts';
import type { LastAcceptedValues, RateDecision } from '../domain/rates/rate-decision.ts';
import type { RateProduct } from '../domain/rates/rates.ts';
import type { ProductPlan, ReportedRate, SourceRate } from '../domain/rates/reading.ts';
import type { SpreadRule } from '../domain/rates/spread.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp } from './back-office.ts';

// Where rates come from outside of the service. A source only reports; what is served is decided from all of them
// (domain/rates/decide-book.ts).

/** `unreachable`: no answer in time. `refused`: an answer that is not a success. `unreadable`: not the documented shape, or too large. */
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
  /** The kind of adapter, for people. */
  readonly kind: string;
  /** The interval between readings while it answers. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Numbers older than this are not used. */
  readonly ageLimitMs: number;
  /** Naira per unit, for the currencies it lists. Throws SourceFailure, with a message that has no secret in it. */
  read(signal: AbortSignal): Promise<readonly ReportedRate[]>;
}

/** The health of a source, for every process and for people. */
export interface SourceState {
  readonly name: string;
  /** The time of the last success; null: never. */
  readonly lastReadAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastFailure: { readonly code: SourceFailureCode; readonly message: string } | null;
  /** Failures since the last answer. */
  readonly failures: number;
  readonly nextReadAtMs: number;
  /** While its circuit is open it is not read; one try after that decides. Null: closed. */
  readonly openUntilMs: number | null;
  readonly rates: readonly ReportedRate[];
}

/** A price that people set. Append-only: the newest of a currency holds. */
export interface DeskPrice extends SourceRate {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly setBy: string;
  /** The person who approved it; null: one person was enough. */
  readonly approvedBy: string | null;
  /** Whether it is a sample of test mode, from the service itself. */
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

/** The input of a decision, read at one instant. */
export interface BookInputs {
  readonly desk: readonly DeskPrice[];
  readonly sources: readonly SourceState[];
  /** The last value of each currency that was accepted, however old: `lastAcceptedOf(last)`. */
  readonly lastAccepted: LastAcceptedValues;
  /** The last decision; null: none yet. */
  readonly last: StoredDecision | null;
}

export interface RateStore {
  /** Sources that are due, each leased to the caller, so that no other process reads it for `leaseMs`. */
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
   * Decides under a lock: reads the inputs, calls `decide`, and stores what it answers with the history of accepted values.
   * Null: nothing changed, and nothing is written. `busy`: another process decides right now.
   */
  decide(
    mode: Mode,
    product: RateProduct,
    decide: (inputs: BookInputs) => StoredDecision | null,
  ): Promise<StoredDecision | null | 'busy'>;
  /** The same inputs without a lock, for those who only look. */
  readInputs(mode: Mode, product: RateProduct): Promise<BookInputs>;
  /** The decision in force, and those before it, newest first. */
  listDecisions(mode: Mode, product: RateProduct, limit: number): Promise<readonly StoredDecision[]>;
  findDecision(id: string): Promise<StoredDecision | undefined>;
  /** The newest of each currency, whether it is still valid or not. */
  currentDeskPrices(mode: Mode, product: RateProduct): Promise<readonly DeskPrice[]>;
  /** Lists the desk prices set since a time, newest first. */
  listDeskPrices(mode: Mode, product: RateProduct, sinceMs: number): Promise<readonly DeskPrice[]>;
  /** Lists the spreads in the order they were added. */
  listSpreads(mode: Mode): Promise<readonly StoredSpread[]>;
  /** Oldest first. */
  readHistory(mode: Mode, question: HistoryQuestion): Promise<readonly HistoryPoint[]>;
  /** Adds the point of this minute for every value in force, and forgets what is older than it is kept. */
  keepHistory(atMs: number): Promise<void>;
}

/** The rates in memory. */
export interface RateBoard {
  /** The book in memory; undefined while changes are not received, or while a newer book has been known for a second and is not read yet. */
  current(): BoardSnapshot | undefined;
  /** Reads the book after this call; throws StoreUnavailable when the database is unavailable. */
  refresh(): Promise<BoardSnapshot>;
}

/**
 * What operators add to the rates: prices of the desk, and spreads. Both are append-only, and each
 * addition is recorded with who made it, in the same commit.
 */
export interface DeskWrites {
  addDeskPrices(prices: readonly DeskPrice[], doing: AuditStamp): Promise<void>;
  addSpread(spread: StoredSpread, doing: AuditStamp): Promise<void>;
}

/** The sources, and those that price each product. */
export interface RatePlan {
  /** The sources of RATES_FILE in its order, without the desk. */
  readonly sources: readonly RateSource[];
  planOf(mode: Mode, product: RateProduct): ProductPlan;
}
