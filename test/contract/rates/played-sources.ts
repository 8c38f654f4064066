// The four kinds of sources, each with a server that plays its documented API.
import { startAmountQuote } from '../../support/rate-servers/amount-quote.ts';
import { startCentralBank } from '../../support/rate-servers/central-bank.ts';
import { startExchangeTicker } from '../../support/rate-servers/exchange-ticker.ts';
import type { RateServer } from '../../support/rate-servers/server.ts';
import { startWorldTable } from '../../support/rate-servers/world-table.ts';
import { type Played, playing } from './playing.ts';

type Work<Server extends RateServer<never>> = (played: Played<Server>) => Promise<void>;
type Started<Start extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Start>>;

export const SOURCES = {
  'central bank': (work: Work<Started<typeof startCentralBank>>, changes: object = {}) =>
    playing(
      (options) => startCentralBank({ ...options, historyDays: 30 }),
      { kind: 'central_bank', path: '/api/GetAllExchangeRates?format=json', ...changes },
      work,
    ),
  'world table': (work: Work<Started<typeof startWorldTable>>, changes: object = {}) =>
    playing(startWorldTable, { kind: 'world_table', path: '/v6/latest/USD', ...changes }, work),
  'exchange ticker': (work: Work<Started<typeof startExchangeTicker>>, changes: object = {}) =>
    playing(
      startExchangeTicker,
      { kind: 'exchange_ticker', path: '/api/v1/markets/tickers/usdtngn', ...changes },
      work,
    ),
  'amount quote': (work: Work<Started<typeof startAmountQuote>>, changes: object = {}) =>
    playing(
      startAmountQuote,
      { kind: 'amount_quote', path: '/v1/rates/USDC/{amount}/NGN', amount: '100', ...changes },
      work,
    ),
};
