// Converts instants to calendar dates in Nigeria. Stored times are UTC instants, and every date is computed from an instant.

const LAGOS_OFFSET_MS = 60 * 60 * 1000; // UTC+1 all year, no daylight saving
const DAY_MS = 24 * 60 * 60 * 1000;
const LAGOS_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Africa/Lagos' });

let cachedDay = Number.NaN;
let cachedText = '';

/** For example `November 14, 2026`. */
export function lagosDate(timeMs: number): string {
  const day = Math.floor((timeMs + LAGOS_OFFSET_MS) / DAY_MS);
  if (day !== cachedDay) {
    cachedText = LAGOS_DATE.format(timeMs);
    cachedDay = day;
  }
  return cachedText;
}

/** Returns the day in Lagos, for example `2026-11-14`. The texts sort in the order of time. */
export function lagosDay(timeMs: number): string {
  return new Date(timeMs + LAGOS_OFFSET_MS).toISOString().slice(0, 10);
}

/** Returns the time of day in Lagos, for example `14:20`. */
export function lagosTime(timeMs: number): string {
  return new Date(timeMs + LAGOS_OFFSET_MS).toISOString().slice(11, 16);
}

/** `2026-11-14 14:20:05`: the day and time in Lagos at that instant, as spreadsheets read it. */
export function lagosDayAndTime(timeMs: number): string {
  return new Date(timeMs + LAGOS_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns the instant at which the Lagos day of the given instant starts. */
export function lagosDayStart(timeMs: number): number {
  return Date.parse(lagosDay(timeMs)) - LAGOS_OFFSET_MS;
}

/** Returns the instant at which a day such as `2026-11-14` starts in Lagos. */
export function lagosDayToMs(day: string): number {
  return Date.parse(day) - LAGOS_OFFSET_MS;
}

/** Accepts only an existing calendar day such as `2026-11-14`; undefined for any other text. */
export function parseDay(text: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? text : undefined;
}

/** Returns the month in Lagos, for example `2026-11`. The texts sort in the order of time. */
export function lagosMonth(timeMs: number): string {
  return lagosDay(timeMs).slice(0, 7);
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Parses an instant such as `2026-11-14T09:30:00Z`. A day such as `2026-11-14` means midnight of that day in UTC. The result is
 * undefined for any other text.
 */
export function parseInstant(text: string): number | undefined {
  const timeMs = RFC_3339.test(text) && isCalendarDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return timeMs >= 0 ? timeMs : undefined;
}

/** This check is needed because Date.parse reads February 30 as March 2. */
function isCalendarDay(day: string): boolean {
  const timeMs = Date.parse(day);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(day);
}
