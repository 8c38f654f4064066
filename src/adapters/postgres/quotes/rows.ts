// How a quote is stored, and how a row becomes a record. Whether it has expired is read with it, by the database's clock.
import type { Quote } from '../../../domain/quotes/quote.ts';
import type { UsedSource } from '../../../domain/rates/board.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { FoundQuote } from '../../../ports/quotes.ts';

export const QUOTE_COLUMNS = `q.id, q.business_id, q.mode, q.side, q.amount_minor, q.currency, q.network, q.naira_minor,
  q.fee_minor, q.rate_e4, q.sources, q.decision_id, q.transaction_id,
  (extract(epoch from q.created_at) * 1000)::float8 as created_ms,
  (extract(epoch from q.expires_at) * 1000)::float8 as expires_ms, q.expires_at <= now() as expired`;

export interface QuoteRow {
  id: string;
  business_id: string;
  mode: Mode;
  side: Quote['side'];
  amount_minor: string;
  currency: Quote['currency'];
  network: string | null;
  naira_minor: string;
  fee_minor: string;
  rate_e4: string;
  sources: StoredSource[];
  decision_id: string | null;
  transaction_id: string | null;
  created_ms: number;
  expires_ms: number;
  expired: boolean;
}

/** A source as JSON: bigint as text. */
interface StoredSource extends Omit<UsedSource, 'valueE4'> {
  readonly valueE4: string;
}

export function storedSources(sources: readonly UsedSource[]): string {
  return JSON.stringify(
    sources.map(({ name, valueE4, asOfMs }) => ({ name, valueE4: valueE4.toString(), asOfMs })),
  );
}

export function toQuote(row: QuoteRow): Quote {
  return {
    id: row.id,
    businessId: row.business_id,
    mode: row.mode,
    side: row.side,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    network: row.network,
    nairaMinor: BigInt(row.naira_minor),
    feeMinor: BigInt(row.fee_minor),
    rateE4: BigInt(row.rate_e4),
    sources: row.sources.map(({ name, valueE4, asOfMs }) => ({ name, valueE4: BigInt(valueE4), asOfMs })),
    decisionId: row.decision_id,
    createdAtMs: row.created_ms,
    expiresAtMs: row.expires_ms,
    transactionId: row.transaction_id,
  };
}

export function toFoundQuote(row: QuoteRow): FoundQuote {
  return { quote: toQuote(row), expired: row.expired };
}
