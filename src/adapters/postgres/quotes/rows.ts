// Defines how a quote is stored, and how a row becomes a quote. The database's clock decides whether a quote has expired.
import type { Quote } from '../../../domain/quotes/quote.ts';
import type { UsedSource } from '../../../domain/rates/board.ts';
import type { QuoteWithExpiry } from '../../../ports/quotes.ts';
import {
  all,
  bigintColumn,
  convertedColumn,
  defineColumns,
  ms,
  plainColumn,
} from '../connection/record-columns.ts';

export const WRITTEN = {
  ...all(plainColumn, 'id', 'businessId', 'mode', 'side', 'currency', 'network', 'decisionId'),
  ...all(bigintColumn, 'amountMinor', 'nairaMinor', 'feeMinor', 'rateE4'),
};

const QUOTE = defineColumns<Quote>({
  ...WRITTEN,
  transactionId: plainColumn,
  ...all(ms, 'createdAtMs', 'expiresAtMs'),
  sources: convertedColumn((sources: readonly StoredSource[]) =>
    sources.map(({ name, valueE4, asOfMs }) => ({ name, valueE4: BigInt(valueE4), asOfMs })),
  ),
});
export const QUOTE_COLUMNS = `${QUOTE.list('q')}, q.expires_at <= now() as expired`;

export interface QuoteRow {
  id: string;
  expired: boolean;
}

interface StoredSource extends Omit<UsedSource, 'valueE4'> {
  readonly valueE4: string;
}

export function sourcesJson(sources: readonly UsedSource[]): string {
  return JSON.stringify(
    sources.map(({ name, valueE4, asOfMs }) => ({ name, valueE4: valueE4.toString(), asOfMs })),
  );
}

export const toQuote: (row: QuoteRow) => Quote = QUOTE.read;

export function toFoundQuote(row: QuoteRow): QuoteWithExpiry {
  return { quote: toQuote(row), expired: row.expired };
}
