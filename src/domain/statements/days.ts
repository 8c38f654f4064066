// Parses days as banks write them. A day is text in the form YYYY-MM-DD, and means a day in Lagos. The time zone of the machine
// has no effect.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = String.raw`(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s*(AM|PM)?(Z|[+-]\d{2}:?\d{2})?)?`;
const ISO = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})${TIME}$`, 'i');
const NUMBERS = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})${TIME}$`, 'i');
const NAMED_MONTH_DAY = new RegExp(
  String.raw`^(\d{1,2})[-/ .]?([A-Za-z]{3,9})[-/ .,]*(\d{4}|\d{2})${TIME}$`,
  'i',
);
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/ ]([A-Za-z]{3,9})[-/ ](\d{1,2})${TIME}$`, 'i');
const COMPACT_DAY = /^(\d{4})(\d{2})(\d{2})$/;

export type DayOrder = 'dmy' | 'mdy';

export interface ParsedDay {
  readonly day: string;
  /** The time of the day. Null: the text has no time. */
  readonly atMs: number | null;
}

const MOST_TEXT = 60;
const LAGOS = '+01:00';
const LAGOS_MS = 3_600_000;

/** Undefined: the text is not a calendar day, or its format is not one that banks use. */
export function parseStatementDay(text: string, order: DayOrder = 'dmy'): ParsedDay | undefined {
  const given = text.trim();
  if (given.length > MOST_TEXT) return undefined;
  const compact = COMPACT_DAY.exec(given);
  if (compact !== null) return makeParsedDay(compact[1]!, compact[2]!, compact[3]!, []);
  const iso = ISO.exec(given);
  if (iso !== null) return makeParsedDay(iso[1]!, iso[2]!, iso[3]!, iso.slice(4));
  const named = NAMED_MONTH_DAY.exec(given);
  if (named !== null) return makeNamedDay(fullYear(named[3]!), named[2]!, named[1]!, named.slice(4));
  const yearFirst = YEAR_FIRST.exec(given);
  if (yearFirst !== null)
    return makeNamedDay(yearFirst[1]!, yearFirst[2]!, yearFirst[3]!, yearFirst.slice(4));
  const numbers = NUMBERS.exec(given);
  if (numbers === null) return undefined;
  const [, first, second, year, ...time] = numbers;
  const [day, month] = order === 'dmy' ? [first!, second!] : [second!, first!];
  return makeParsedDay(fullYear(year!), month, day, time);
}

function makeNamedDay(
  year: string,
  name: string,
  date: string,
  time: readonly (string | undefined)[],
): ParsedDay | undefined {
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return month === -1 || !isMonthName(name) ? undefined : makeParsedDay(year, String(month + 1), date, time);
}

const FULL_MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

function isMonthName(word: string): boolean {
  const name = word.toLowerCase();
  return name === 'sept' || FULL_MONTHS.some((full) => full === name || full.slice(0, 3) === name);
}

function fullYear(year: string): string {
  return year.length === 2 ? `20${year}` : year;
}

function makeParsedDay(
  year: string,
  month: string,
  date: string,
  time: readonly (string | undefined)[],
): ParsedDay | undefined {
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (!isDay(day)) return undefined;
  const [hours, minutes, seconds = '00', half, zone] = time;
  if (hours === undefined || minutes === undefined) return { day, atMs: null };
  const clock = `${hourOf(hours, half)}:${minutes}:${seconds}`;
  const offset = zone === undefined ? LAGOS : zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const atMs = Date.parse(`${day}T${clock}${offset}`);
  if (Number.isNaN(atMs)) return undefined;
  return { day: zone === undefined ? day : lagosDayAt(atMs), atMs };
}

function hourOf(hours: string, half: string | undefined): string {
  if (half === undefined) return hours.padStart(2, '0');
  const hour = (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return String(hour).padStart(2, '0');
}

function lagosDayAt(atMs: number): string {
  return new Date(atMs + LAGOS_MS).toISOString().slice(0, 10);
}

/** This check is needed because Date.parse reads February 30 as March 2. */
export function isDay(day: string): boolean {
  const atMs = Date.parse(day);
  return /^(19|20)\d{2}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(atMs) && dayText(atMs) === day;
}

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

export function dayAfter(day: string, days = 1): string {
  return dayText(Date.parse(day) + days * DAY_MS);
}

/** Midnight in Lagos at the start of the day. It stands for a day without a time (domain/matching/claim-evidence.ts). */
export function lagosMidnight(day: string): number {
  return Date.parse(`${day}T00:00:00${LAGOS}`);
}
