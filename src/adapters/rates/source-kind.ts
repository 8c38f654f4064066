// Defines what a kind of rate source provides: the maximum size of its responses, its own fields in RATES_FILE, and a function
// that reads rates from a response. Requests, time limits and connection failures are the same for all kinds (fetch-answer.ts).
import type { ReportedRate } from '../../domain/rates/reading.ts';
import { SourceFailure } from '../../ports/rates.ts';

export interface SourceAnswer {
  readonly text: string;
  /**
   * The time before the request was sent, by the database's clock. The response is not older than this, unless it came from a
   * cache.
   */
  readonly askedAtMs: number;
  /** The time in the `date` header. Null if the header is missing or invalid. */
  readonly datedMs: number | null;
  /** The `age` header, which tells how long a cache has kept the response. */
  readonly cachedForMs: number;
}

/**
 * A text field in RATES_FILE that only one kind of rate source has. The value replaces `{name}` in the URL, and the URL must
 * contain `{name}`.
 */
export interface OptionRule {
  readonly pattern: RegExp;
  /** The end of an error message that begins with "must be". */
  readonly what: string;
}

export interface SourceKind {
  /** The service stops reading a response that is larger than this. RATES_FILE can change this limit. */
  readonly mostBytes: number;
  readonly options: Readonly<Record<string, OptionRule>>;
  /**
   * Reads the rates in a response. A response without a rate is an error. Numbers outside the limits are reported unchanged,
   * because the rate book rejects and shows them. Throws a SourceFailure, made with `sourceRefusal` or `unreadableAnswer`.
   */
  parse(answer: SourceAnswer): readonly ReportedRate[];
}

export const MEBIBYTE = 1_048_576;

/** The failure when a response does not match the rate source's documentation. The sentence never repeats the response. */
export function unreadableAnswer(sentence: string): SourceFailure {
  return new SourceFailure('unreadable', sentence);
}

/** The failure when the rate source itself reports that it has no rates. */
export function sourceRefusal(sentence: string): SourceFailure {
  return new SourceFailure('refused', sentence);
}
