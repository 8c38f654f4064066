// Whether a buy or a sell is the one that was quoted: its side, its amount to the kobo, and its network when the quote names one.
import type { TransactionType } from '../records/states.ts';
import type { Quote } from './quote.ts';

export interface QuotedRequest {
  readonly type: TransactionType;
  /** Undefined: the amount cannot be read; that is refused by itself. */
  readonly amountMinor: bigint | undefined;
  /** Of the wallet that is used, given or the default; null: none yet. Undefined: it cannot be read, and is refused by itself. */
  readonly network: string | null | undefined;
}

export type QuoteMismatch = 'type' | 'amount' | 'network';

/** What differs, in the order of the fields of a request. A quote without a network binds none. */
export function mismatchesOf(
  quote: Pick<Quote, 'side' | 'nairaMinor' | 'network'>,
  { type, amountMinor, network }: QuotedRequest,
): readonly QuoteMismatch[] {
  const found: QuoteMismatch[] = [];
  if (quote.side !== type) found.push('type');
  if (amountMinor !== undefined && amountMinor !== quote.nairaMinor) found.push('amount');
  if (quote.network !== null && network !== undefined && network !== quote.network) found.push('network');
  return found;
}
