// Where rates come from, other than from an operator's hand. A source only reports; what is quoted is decided from the
// stored rate book.
import type { Currency } from '../domain/catalogue/rates.ts';

export interface SourceQuotes {
  /** When the source says these held; null for a sample that never ages. */
  readonly asOfMs: number | null;
  /** Naira per one unit, as decimal text. A source need not know every currency. */
  readonly values: Readonly<Partial<Record<Currency, string>>>;
}

export interface RateSource {
  readonly name: string;
  /** Throws when the source is away; an answer that cannot be understood is not an answer. */
  quotes(): Promise<SourceQuotes>;
}
