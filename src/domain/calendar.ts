// Calendar dates as people in Nigeria read them. Stored times are UTC instants; a date is only ever derived.

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
