// Lists the kinds of rate sources that RATES_FILE can name. To add a kind, a developer adds a file next to this one and a line
// in this list (docs/extend/adding-a-rate-source.md).
import { amountQuote } from './amount-quote.ts';
import { centralBank } from './central-bank.ts';
import { exchangeTicker } from './exchange-ticker.ts';
import type { SourceKind } from './source-kind.ts';
import { worldTable } from './world-table.ts';

export const SOURCE_KINDS: ReadonlyMap<string, SourceKind> = new Map([
  ['central_bank', centralBank],
  ['world_table', worldTable],
  ['exchange_ticker', exchangeTicker],
  ['amount_quote', amountQuote],
]);
