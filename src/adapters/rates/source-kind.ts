// What a kind of source provides: the maximum size of its answers, its own fields in RATES_FILE, and a function that reads rates
// from an answer. Requests, time limits and connection failures are the same for all kinds (fetch-answer.ts).
import type { ReportedRate } from '../../domain/rates/reading.ts';
import { SourceFailure } from '../../ports/rates.ts';

/** An answer as received, with the values that are needed to date it. */
export interface SourceAnswer {
  readonly text: string;
  /**
   * The time before the request was sent, by the database's clock. The answer is not older than this, unless it came from a
   * cache.
   */
  readonly askedAtMs: number;
  /** The `date` header; null if it is missing or invalid. */
  readonly datedMs: number | null;
  /** The `age` header: how long a cache has kept the answer. */
  readonly cachedForMs: number;
}

/** A text field that only one kind has. The value replaces `{name}` in the URL, and the URL must contain `{name}`. */
export interface OptionRule {
  readonly pattern: RegExp;
  /** The end of the sentence "must be …". */
  readonly what: string;
}

export interface SourceKind {
  /** Larger answers are not read to their end. RATES_FILE can change this limit. */
  readonly mostBytes: number;
  readonly options: Readonly<Record<string, OptionRule>>;
  /**
   * Reads the rates in an answer; an answer without a rate is an error. Numbers outside the limits are reported unchanged: the book rejects and shows
   * them. Throws a SourceFailure, made with `sourceRefusal` or `unreadableAnswer`.
   */
  parse(answer: SourceAnswer): readonly ReportedRate[];
}

export const MEBIBYTE = 1_048_576;

/** The answer does not match the source's documentation. The sentence never repeats the answer. */
export function unreadableAnswer(sentence: string): SourceFailure {
  return new SourceFailure('unreadable', sentence);
}

/** The source itself reports that it has no rates. */
export function sourceRefusal(sentence: string): SourceFailure {
  return new SourceFailure('refused', sentence);
}
