// Calendar dates as people in Nigeria read them. Stored times are UTC instants, and every date is computed from an instant.

const LAGOS_OFFSET_MS = 60 * 60 * 1000; // UTC+1 all year, no daylight saving
const DAY_MS = 24 * 60 * 60 * 1000;
const LAGOS_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Africa/Lagos' });

let cachedDay = Number.NaN;
let cachedText = '';

/** `November 14, 2026`: the date in Lagos at that instant. */
export function lagosDate(timeMs: number): string {
  const day = Math.floor((timeMs + LAGOS_OFFSET_MS) / DAY_MS);
  if (day !== cachedDay) {
    cachedText = LAGOS_DATE.format(timeMs);
    cachedDay = day;
  }
  return cachedText;
}

/** `2026-11-14`: the day in Lagos at that instant, as a key that sorts. */
export function lagosDay(timeMs: number): string {
  return new Date(timeMs + LAGOS_OFFSET_MS).toISOString().slice(0, 10);
}

/** `14:20`: the time of the day in Lagos at that instant. */
export function lagosTime(timeMs: number): string {
  return new Date(timeMs + LAGOS_OFFSET_MS).toISOString().slice(11, 16);
}

/** `2026-11-14 14:20:05`: the day and time in Lagos at that instant, as spreadsheets read it. */
export function lagosDayAndTime(timeMs: number): string {
  return new Date(timeMs + LAGOS_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** The start of that day in Lagos. */
export function lagosDayStart(timeMs: number): number {
  return Date.parse(lagosDay(timeMs)) - LAGOS_OFFSET_MS;
}

/** The start of a day such as `2026-11-14` in Lagos. */
export function lagosDayToMs(day: string): number {
  return Date.parse(day) - LAGOS_OFFSET_MS;
}

/** A calendar day such as `2026-11-14`; undefined for any other text. */
export function parseDay(text: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? text : undefined;
}

/** `2026-11`: the month in Lagos at that instant, as a key that sorts. */
export function lagosMonth(timeMs: number): string {
  return lagosDay(timeMs).slice(0, 7);
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** `2026-11-14T09:30:00Z`, or `2026-11-14` for midnight of that day in UTC; undefined for any other text. */
export function parseInstant(text: string): number | undefined {
  const timeMs = RFC_3339.test(text) && isCalendarDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return timeMs >= 0 ? timeMs : undefined;
}

/** This check is needed because Date.parse reads February 30 as March 2. */
function isCalendarDay(day: string): boolean {
  const timeMs = Date.parse(day);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(day);
}
