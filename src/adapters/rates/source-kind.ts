// What a kind of source brings: how large its answers are, fields of its own in RATES_FILE, and a function from an answer to
// rates. Asking, time limits and failures of the connection are the same for all (fetch-answer.ts).
import type { ReportedRate } from '../../domain/rates/reading.ts';
import { SourceFailure } from '../../ports/rates.ts';

/** An answer as it came, with what is needed to date it. */
export interface SourceAnswer {
  readonly text: string;
  /** By the database's clock, before the question was sent: what the source says is at least as new, unless a cache answered. */
  readonly askedAtMs: number;
  /** The `date` header; null: none that can be read. */
  readonly datedMs: number | null;
  /** The `age` header: how long a cache has kept the answer. */
  readonly cachedForMs: number;
}

/** A field of one kind alone, always text. Its value also takes the place of `{name}` in the URL, where it must be. */
export interface OptionRule {
  readonly pattern: RegExp;
  /** Ends the sentence "must be …". */
  readonly what: string;
}

export interface SourceKind {
  /** Larger answers are not read to their end. RATES_FILE may change it. */
  readonly mostBytes: number;
  readonly options: Readonly<Record<string, OptionRule>>;
  /**
   * The rates in an answer, at least one. Numbers outside of all bounds are reported as they are: the book rejects and shows them.
   * Throws a SourceFailure, made with `sourceRefusal` or `unreadableAnswer`.
   */
  parse(answer: SourceAnswer): readonly ReportedRate[];
}

export const MEBIBYTE = 1_048_576;

/** The answer is not what the source documents. The sentence never repeats the answer. */
export function unreadableAnswer(sentence: string): SourceFailure {
  return new SourceFailure('unreadable', sentence);
}

/** The source says itself that it has no rates. */
export function sourceRefusal(sentence: string): SourceFailure {
  return new SourceFailure('refused', sentence);
}
