// Reads the official rates that the Central Bank of Nigeria publishes each business day (GetAllExchangeRates). The response is
// one array with the whole history, in any order, with numbers as strings. The central rate of the newest row of each currency
// counts.
import type { Currency } from '../../domain/rates/rates.ts';
import type { ReportedRate } from '../../domain/rates/reading.ts';
import { lagosDay, parseInstant } from '../../domain/values/calendar.ts';
import { fieldOf } from '../json.ts';
import { parseLargeAnswerJson } from './answer-json.ts';
import { readDecimal, toE4 } from './decimal.ts';
import { MEBIBYTE, type SourceKind, unreadableAnswer } from './source-kind.ts';

/**
 * The names that the central bank uses for currencies, in capital letters and with single spaces. The currencies of Canada and
 * the Emirates are not in every response.
 */
const CURRENCY_NAMES: ReadonlyMap<string, Currency> = new Map([
  ['US DOLLAR', 'USD'],
  ['POUNDS STERLING', 'GBP'],
  ['POUND STERLING', 'GBP'],
  ['EURO', 'EUR'],
  ['YUAN/RENMINBI', 'CNY'],
  ['SWISS FRANC', 'CHF'],
  ['CANADIAN DOLLAR', 'CAD'],
  ['UAE DIRHAM', 'AED'],
]);

export const centralBank: SourceKind = {
  mostBytes: 32 * MEBIBYTE,
  options: {},
  parse: ({ text, askedAtMs }) => {
    const rows = parseLargeAnswerJson(text);
    if (!Array.isArray(rows)) throw unreadableAnswer('The answer is not a list of rates.');
    const rates = newestRates(rows, lagosDay(askedAtMs));
    if (rates.length === 0)
      throw unreadableAnswer(
        'No row of the list has a known currency, a date up to today and a central rate.',
      );
    return rates;
  },
};

/**
 * A row with a known currency and the bank's date format. Nothing else is checked yet, because the list has tens of thousands
 * of rows.
 */
interface CentralBankRow {
  readonly day: string;
  /** The id increases with every row that the bank publishes. A row without an id counts as older than any row with an id. */
  readonly id: number;
  readonly rate: unknown;
}

function newestRates(rows: readonly unknown[], today: string): ReportedRate[] {
  return [...rowsByCurrency(rows)].flatMap(([currency, own]) => {
    // A row with a future date is skipped, because a mistyped year would otherwise hide all later rates.
    const begun = own.filter(({ day }) => day <= today).sort(newestFirst);
    const newest = begun.find((row) => readableValue(row) !== undefined);
    if (newest === undefined) return [];
    const { day, id } = newest;
    const rivals = begun.filter((row) => row.day === day && row.id === id).map(readableValue);
    const values = new Set(rivals.filter((value) => value !== undefined));
    // Two rows of the same day have different rates, and no id shows which row is later. So this currency gets no rate.
    if (values.size > 1) return [];
    // The row has no time of day, so the age of its rate counts from the start of that day in Lagos.
    return [{ currency, valueE4: readableValue(newest)!, asOfMs: parseInstant(`${day}T00:00:00+01:00`)! }];
  });
}

function rowsByCurrency(rows: readonly unknown[]): Map<Currency, CentralBankRow[]> {
  const known = new Map<string, Currency | undefined>();
  const found = new Map<Currency, CentralBankRow[]>();
  for (const each of rows) {
    const name = fieldOf(each, 'currency');
    const day = dayIn(fieldOf(each, 'ratedate'));
    if (typeof name !== 'string' || day === undefined) continue;
    if (!known.has(name)) known.set(name, currencyOf(name));
    const currency = known.get(name);
    if (currency === undefined) continue;
    const own = found.get(currency) ?? [];
    if (own.length === 0) found.set(currency, own);
    own.push({ day, id: idIn(fieldOf(each, 'id')), rate: fieldOf(each, 'centralrate') });
  }
  return found;
}

function idIn(value: unknown): number {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) ? (id as number) : -1;
}

/** The bank corrects a rate with a second row of the same day. The later row has the higher id. */
function newestFirst(one: CentralBankRow, other: CentralBankRow): number {
  if (one.day !== other.day) return one.day > other.day ? -1 : 1;
  return other.id - one.id;
}

/** Returns undefined if the day is not in the calendar or the rate is not a number. The bank leaves some fields empty. */
function readableValue({ day, rate }: CentralBankRow): bigint | undefined {
  const decimal = typeof rate === 'string' ? readDecimal(rate) : undefined;
  return decimal === undefined || parseInstant(day) === undefined ? undefined : toE4(decimal);
}

/** Some rows of the history have extra spaces in the name of the currency. */
function currencyOf(name: string): Currency | undefined {
  return CURRENCY_NAMES.get(name.trim().replace(/\s+/g, ' ').toUpperCase());
}

const DAY = /^\s*(\d{4}-\d{2}-\d{2})(?:T00:00:00(?:\.0+)?Z?)?\s*$/;

function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' ? DAY.exec(value)?.[1] : undefined;
}
