// The ticker of one market of the exchange. Best bid (`buy`), best ask (`sell`) and last price are strings in naira for one
// token. `at` is the time of the ticker in seconds since 1970.
import { type Fault, faultyPrice, faultyTime, PRICE_FAULTS, spoilFields } from './faults.ts';
import type { Answer } from './pages.ts';
import { type CommonOptions, type RateServer, startRateServer } from './server.ts';

const PRICES = ['buy', 'sell', 'low', 'high', 'open', 'last'] as const;
type PriceName = (typeof PRICES)[number];

interface Market {
  readonly prices: Readonly<Record<PriceName, string>>;
  readonly vol: string;
  /** The time of the ticker. Null means the time of the request. */
  readonly atMs: number | null;
  /** Public code has seen both units. A live response of 2026 has seconds. */
  readonly atUnit: 'seconds' | 'milliseconds';
  readonly markets: readonly string[];
  /** For an unknown market, clients have seen both a 404 and an error with status 200. */
  readonly unknownStatus: 200 | 404;
}

export interface ExchangeTickerChange extends Partial<Omit<Market, 'prices'>> {
  readonly prices?: Partial<Market['prices']>;
}

export interface ExchangeTickerOptions extends CommonOptions, ExchangeTickerChange {}

const HOUR_MS = 3_600_000;
const PRICE_FIELDS = ['data.ticker.buy', 'data.ticker.sell', 'data.ticker.last'];

const refused = (status: number, message: string, code: string): Answer => ({
  status,
  body: JSON.stringify({ status: 'error', message, data: { code, message } }),
});

export async function startExchangeTicker({
  now,
  slowMs,
  dripMs,
  ...change
}: ExchangeTickerOptions = {}): Promise<RateServer<ExchangeTickerChange>> {
  let market: Market = {
    prices: {
      buy: '1392.15',
      sell: '1395.37',
      low: '1386.0',
      high: '1399.9',
      open: '1390.0',
      last: '1393.76',
    },
    vol: '48211.57',
    atMs: null,
    atUnit: 'seconds',
    markets: ['usdtngn'],
    unknownStatus: 404,
  };
  const set = ({ prices, ...next }: ExchangeTickerChange) => {
    market = { ...market, ...next, prices: { ...market.prices, ...prices } };
  };
  set(change);
  return startRateServer<ExchangeTickerChange>(
    {
      plays: [...PRICE_FAULTS, 'stale', 'future', 'missing', 'null', 'number_as_string', 'string_as_number'],
      set,
      ownError: refused(500, 'Internal Server Error', 'E0500'),
      answer({ path, fault, nowMs }) {
        const name = /^\/api\/v1\/markets\/tickers\/([^/]+)$/.exec(path)?.[1];
        if (name === undefined) return null;
        if (!market.markets.includes(name))
          return refused(market.unknownStatus, 'The requested resource could not be found', 'E0404');
        return { status: 200, body: JSON.stringify(documentOf(market, name, fault, nowMs)) };
      },
    },
    { now, slowMs, dripMs },
  );
}

function documentOf(
  { prices, vol, atMs, atUnit }: Market,
  name: string,
  fault: Fault | null,
  nowMs: number,
): object {
  const price = (field: PriceName) => {
    const faulty = faultyPrice(fault, Number(prices[field]));
    return faulty === Number(prices[field]) ? prices[field] : decimal(faulty);
  };
  const at = faultyTime(fault, atMs ?? nowMs, nowMs, HOUR_MS);
  const document: Record<string, unknown> = {
    status: 'success',
    message: 'Successful',
    data: {
      at: Math.floor(atUnit === 'seconds' ? at / 1000 : at),
      ticker: { ...Object.fromEntries(PRICES.map((field) => [field, price(field)])), vol },
      market: name,
    },
  };
  spoilFields(fault, document, fault?.kind === 'number_as_string' ? ['data.at'] : PRICE_FIELDS);
  return document;
}

function decimal(value: number): string {
  const text = value.toFixed(10).replace(/0+$/, '');
  return text.endsWith('.') ? `${text}0` : text;
}
