// Quotes of liquidity providers for an amount, in naira for one token, as a string without a timestamp. A provider accepts
// amounts within its own limits, so another amount has another rate or none. Without a rate, the response is 404.
import { type Fault, faultyPrice, PRICE_FAULTS, spoilFields } from './faults.ts';
import type { Answer } from './pages.ts';
import { type CommonOptions, type Question, type RateServer, startRateServer } from './server.ts';

export interface Tier {
  /** The smallest and the largest amount of the token that the provider accepts. */
  readonly from: number;
  readonly to: number;
  /** The price of one token in fiat money. */
  readonly rate: string;
  /** Whether the provider accepts the amount as an over-the-counter order. The response shows this. */
  readonly overTheCounter?: boolean;
}

interface Book {
  /** The tiers in order of priority. The first tier that accepts the amount is chosen. */
  readonly tiers: readonly Tier[];
  readonly tokens: readonly string[];
  readonly currencies: readonly string[];
  readonly networks: readonly string[];
  /** The type of `data` in the response. The documentation says number, but the published code writes a string. */
  readonly dataType: 'string' | 'number';
}

export type AmountQuoteChange = Partial<Book>;

export interface AmountQuoteOptions extends CommonOptions, AmountQuoteChange {}

const NETWORKS = ['arbitrum-one', 'base', 'bnb-smart-chain', 'celo', 'ethereum', 'lisk', 'polygon', 'scroll'];
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const said = (status: number, message: string): Answer => ({
  status,
  body: JSON.stringify({ status: 'error', message, data: null }),
});

export async function startAmountQuote({
  now,
  slowMs,
  dripMs,
  ...change
}: AmountQuoteOptions = {}): Promise<RateServer<AmountQuoteChange>> {
  let book: Book = {
    tiers: [
      { from: 0.5, to: 999.99, rate: '1391.2' },
      { from: 1000, to: 25_000, rate: '1393.76' },
      { from: 25_000, to: 250_000, rate: '1394.5', overTheCounter: true },
    ],
    tokens: ['USDC', 'USDT'],
    currencies: ['NGN', 'KES'],
    networks: NETWORKS,
    dataType: 'string',
    ...change,
  };
  return startRateServer<AmountQuoteChange>(
    {
      plays: [
        ...PRICE_FAULTS,
        'missing',
        'null',
        book.dataType === 'string' ? 'string_as_number' : 'number_as_string',
      ],
      set(next) {
        book = { ...book, ...next };
      },
      ownError: said(500, 'Failed to fetch token rate'),
      answer: (question) => quote(book, question),
    },
    { now, slowMs, dripMs },
  );
}

function quote(book: Book, { path, query, fault }: Question): Answer | null {
  const found = /^\/v1\/rates\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path);
  if (found === null) return null;
  const [token = '', given = '', fiat = ''] = found.slice(1).map((part) => decodeURIComponent(part));
  const symbol = token.toUpperCase();
  const network = (query.get('network') ?? '').toLowerCase();
  if (!book.tokens.includes(symbol) || (network !== '' && !book.networks.includes(network)))
    return said(400, `Token ${symbol} is not supported${network === '' ? '' : ` on network ${network}`}`);
  if (!book.currencies.includes(fiat.toUpperCase()))
    return said(400, `Fiat currency ${fiat.toUpperCase()} is not supported`);
  if (!DECIMAL.test(given)) return said(400, 'Invalid amount');
  const amount = Number(given);
  const tier = book.tiers.find(({ from, to }) => amount >= from && amount <= to);
  if (tier === undefined)
    return said(
      404,
      `no provider available for ${symbol} to ${fiat.toUpperCase()} conversion with amount ${amount} on ${network === '' ? 'any network' : network}`,
    );
  return { status: 200, body: JSON.stringify(documentOf(book, tier, fault)) };
}

function documentOf({ dataType }: Book, { rate, overTheCounter }: Tier, fault: Fault | null): object {
  const price = faultyPrice(fault, Number(rate));
  const text = price === Number(rate) ? rate : String(Number(price.toFixed(10)));
  const document: Record<string, unknown> = {
    status: 'success',
    message: 'Rate fetched successfully',
    data: dataType === 'string' ? text : Number(text),
    ...(overTheCounter === true && { metadata: { orderType: 'otc', refundTimeoutMinutes: 60 } }),
  };
  spoilFields(fault, document, ['data']);
  return document;
}
