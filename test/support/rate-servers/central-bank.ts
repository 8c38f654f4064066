// The central bank's table of exchange rates: one array with every rate of every day since 2001. All its numbers except the id
// are strings. The README next to this file describes what is known of its shape and its irregular rows.
import { type Fault, faultyPrice, faultyTime, PRICE_FAULTS, spoilFields } from './faults.ts';
import { type Answer, blockedPage } from './pages.ts';
import { type CommonOptions, type RateServer, startRateServer } from './server.ts';

export interface CentralBankRow {
  readonly id: number;
  readonly currency: string;
  readonly ratedate: string;
  readonly buyingrate: string;
  readonly centralrate: string;
  readonly sellingrate: string;
}

interface Table {
  /** Naira for one unit of each currency. The key is the bank's name for the currency. */
  readonly prices: Readonly<Record<string, string>>;
  /** The newest `ratedate`. Null means the last weekday that the clock has reached. */
  readonly date: string | null;
  readonly currencies: readonly string[];
  readonly historyDays: number;
  readonly order: 'newest_first' | 'oldest_first' | 'mixed';
  /** Other spellings of currency names on the newest day. */
  readonly labels: Readonly<Record<string, string>>;
  /** Rows that are added unchanged before and after all other rows. */
  readonly rowsBefore: readonly Partial<CentralBankRow>[];
  readonly rowsAfter: readonly Partial<CentralBankRow>[];
  readonly irregular: boolean;
}

export type CentralBankChange = Partial<Table>;

export interface CentralBankOptions extends CommonOptions, CentralBankChange {
  readonly browsersOnly?: boolean;
}

/** The number of days in the whole table, which has about 61 800 rows and 8 MB. */
export const FULL_HISTORY_DAYS = 4752;
const DAY_MS = 86_400_000;
/** This day and all earlier days use the older spelling of names. */
const OLD_SPELLING_DAY = 3400;
const OLD_SPELLING: Readonly<Record<string, string>> = {
  'POUNDS STERLING': 'POUND STERLING',
  'DANISH KRONA': 'DANISH KRONER',
  YEN: 'JAPANESE YEN',
};
const PRICES = {
  CFA: '2.4193',
  'YUAN/RENMINBI': '200.9300',
  'DANISH KRONA': '211.0437',
  EURO: '1576.3000',
  YEN: '8.6147',
  RIYAL: '362.9885',
  'SOUTH AFRICAN RAND': '82.1431',
  SDR: '1884.0400',
  'SWISS FRANC': '1712.6000',
  'POUNDS STERLING': '1826.5000',
  'US DOLLAR': '1361.5000',
  WAUA: '1876.6600',
  'UAE DIRHAM': '370.6900',
};
const RATES = ['buyingrate', 'centralrate', 'sellingrate'];

export async function startCentralBank({
  browsersOnly = true,
  now,
  slowMs,
  dripMs,
  ...change
}: CentralBankOptions = {}): Promise<RateServer<CentralBankChange>> {
  let table: Table = merge(
    {
      prices: PRICES,
      date: null,
      currencies: Object.keys(PRICES),
      historyDays: 60,
      order: 'newest_first',
      labels: {},
      rowsBefore: [],
      rowsAfter: [],
      irregular: true,
    },
    change,
  );
  let written: { readonly key: string; readonly body: string } | null = null;
  const answer = (fault: Fault | null, nowMs: number): Answer => {
    const key = JSON.stringify([fault, new Date(nowMs).toISOString().slice(0, 10)]);
    if (written?.key !== key) written = { key, body: JSON.stringify(rowsOf(table, fault, nowMs)) };
    return { status: 200, body: written.body };
  };
  return startRateServer<CentralBankChange>(
    {
      plays: [...PRICE_FAULTS, 'stale', 'future', 'missing', 'null', 'number_as_string', 'string_as_number'],
      set(next) {
        table = merge(table, next);
        written = null;
      },
      answer({ path, headers, fault, nowMs }) {
        if (browsersOnly && !/^Mozilla\/5\.0\b/.test(headers['user-agent'] ?? '')) return blockedPage();
        return path === '/api/GetAllExchangeRates' ? answer(fault, nowMs) : null;
      },
    },
    { now, slowMs, dripMs },
  );
}

const merge = (table: Table, { prices, ...change }: CentralBankChange): Table => ({
  ...table,
  ...change,
  prices: { ...table.prices, ...prices },
});

function rowsOf(table: Table, fault: Fault | null, nowMs: number): object[] {
  const { currencies, historyDays, order, rowsBefore, rowsAfter } = table;
  const dates = datesOf(table, fault, nowMs);
  const rows: object[] = [];
  for (const [back, ratedate] of dates.entries()) {
    const firstId = (historyDays - back) * (currencies.length + 1);
    for (const [place, currency] of currencies.entries())
      rows.push(
        ...rowsFor(table, fault, {
          currency,
          back,
          ratedate,
          id: firstId + place,
          spareId: firstId + currencies.length,
        }),
      );
  }
  if (order === 'oldest_first') rows.reverse();
  // In this order, neither the first nor the last row of a currency is its newest.
  if (order === 'mixed') rows.push(...rows.splice(0, Math.floor(rows.length / 2)).reverse());
  return [...rowsBefore, ...rows, ...rowsAfter];
}

interface Place {
  readonly currency: string;
  readonly back: number;
  readonly ratedate: string;
  readonly id: number;
  /** The id for a correction. It is higher than all other ids of its day. */
  readonly spareId: number;
}

function rowsFor(
  { prices, labels, irregular }: Table,
  fault: Fault | null,
  { currency, back, ratedate, id, spareId }: Place,
): object[] {
  const price = Number(prices[currency] ?? Number.NaN);
  if (Number.isNaN(price)) throw new Error(`Set a price for the currency "${currency}" of the central bank.`);
  const row = (label: string, central: number, rowId = id): Record<string, unknown> => ({
    id: rowId,
    currency: label,
    ratedate,
    buyingrate: (central * 0.99964).toFixed(4),
    centralrate: central.toFixed(4),
    sellingrate: (central * 1.00036).toFixed(4),
  });
  if (back === 0) {
    const hit = fault?.currencies?.includes(currency) ?? true;
    const newest = row(labels[currency] ?? currency, hit ? faultyPrice(fault, price) : price);
    if (hit) spoilFields(fault, newest, fault?.kind === 'number_as_string' ? ['id'] : RATES);
    return [newest];
  }
  const central = price * (1 + 0.01 * Math.sin(back / 7));
  const label = back >= OLD_SPELLING_DAY ? (OLD_SPELLING[currency] ?? currency) : currency;
  const usual = row(label, central);
  if (!irregular) return [usual];
  switch (`${currency} ${back}`) {
    case 'US DOLLAR 3':
      return [{ ...usual, currency: 'US DOLLAR ' }];
    case 'SWISS FRANC 4':
      return [{ ...usual, currency: 'SWISS FRANC\t' }];
    case 'US DOLLAR 5':
      // A correction: the same day occurs twice, and the row with the higher id is the later one.
      return [row(label, central, spareId), row(label, central * 1.034)];
    case 'EURO 6':
      return [{ ...usual, centralrate: '' }];
    case 'YEN 7':
      return [row(label, 0)];
    default:
      return [usual];
  }
}

function datesOf({ date, historyDays }: Table, fault: Fault | null, nowMs: number): string[] {
  const setMs = date === null ? weekday(nowMs) : Date.parse(date);
  let atMs = faultyTime(fault, setMs, nowMs, fault?.kind === 'stale' ? 14 * DAY_MS : 3 * DAY_MS);
  const dates: string[] = [];
  while (dates.length < historyDays) {
    dates.push(new Date(atMs).toISOString().slice(0, 10));
    atMs = weekday(atMs - DAY_MS);
  }
  return dates;
}

function weekday(atMs: number): number {
  const day = new Date(atMs).getUTCDay();
  if (day === 0) return atMs - 2 * DAY_MS;
  return day === 6 ? atMs - DAY_MS : atMs;
}
