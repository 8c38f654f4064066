// The text of a number cell. A workbook stores numbers as decimal text of a 64-bit float, so 1234.56 may be written as
// 1234.5600000000001, and a balance that a program added up row by row differs by a few floats more. The digits after the kobo count
// as noise only if the nearest kobo is at most 64 floats and a millionth of a naira away. Any other number stays as it is written,
// and is refused later.

const NUMBER = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,3}))?$/;
/** A spreadsheet keeps 15 digits of a number. */
const MOST_DIGITS = 15;
const KOBO_PLACES = 2;
/** Neighbouring floats differ by at most this part of their value, 2 to the power of -52; 64 of them by 2 to the power of -46. */
const NOISE_PART = 2n ** 46n;
const NOISE_PLACES = 6;

export function numberText(written: string): string {
  const found = NUMBER.exec(written.trim());
  if (found === null) return written;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const power = Number(exponent);
  if (power > MOST_DIGITS * 2 || power < -MOST_DIGITS * 2) return written;
  const shift = fraction.length - power;
  const digits = BigInt(whole + fraction) * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  const places = Math.max(0, shift);
  const kobo =
    places <= KOBO_PLACES ? digits * 10n ** BigInt(KOBO_PLACES - places) : nearestKobo(digits, places);
  // A longer number has lost digits, and a text of digits must not look like a complete account number or session id.
  if (kobo === null) return written;
  const text = String(kobo).padStart(KOBO_PLACES + 1, '0');
  const [naira, rest] = [text.slice(0, -KOBO_PLACES), text.slice(-KOBO_PLACES)];
  if (naira.length > MOST_DIGITS) {
    const withoutLastZeros = /^\d*[1-9]/.exec(naira.slice(1))?.[0] ?? '';
    return `${naira[0]}.${withoutLastZeros}E+${naira.length - 1}`;
  }
  const tail = rest === '00' ? '' : `.${rest}`;
  return `${sign}${naira}${tail}`;
}

/** Null: the digits after the kobo are not only noise. */
function nearestKobo(digits: bigint, places: number): bigint | null {
  const unit = 10n ** BigInt(places - KOBO_PLACES);
  const kobo = (digits + unit / 2n) / unit;
  const difference = kobo * unit - digits;
  const size = difference < 0n ? -difference : difference;
  const isSmall = size * 10n ** BigInt(NOISE_PLACES) <= 10n ** BigInt(places);
  return isSmall && size * NOISE_PART <= digits ? kobo : null;
}

const DAY_SECONDS = 86_400;
/** Day 0 of each system, for days from March 1900 on. */
const FIRST_DAYS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) } as const;
/** The system of 1900 counts a day that did not exist, 29 February 1900, as day 60. */
const FALSE_DAY = 60;
const LAST_DAY = 200_000;

/** The text of a date cell: the days since the first day, and the time as a part of a day. */
export function dateText(written: string, is1904: boolean): string {
  const found = /^(\d{1,6})(?:\.(\d{1,20}))?$/.exec(written.trim());
  if (found === null) return written;
  const [, days = '', part = '0'] = found;
  const day = Number(days);
  if (day > LAST_DAY || (!is1904 && day <= FALSE_DAY)) return written;
  const seconds = Math.round(Number(`0.${part}`) * DAY_SECONDS);
  const atMs = (is1904 ? FIRST_DAYS.from1904 : FIRST_DAYS.from1900) + (day * DAY_SECONDS + seconds) * 1_000;
  const [date, time] = new Date(atMs).toISOString().slice(0, 19).split('T') as [string, string];
  return seconds % DAY_SECONDS === 0 ? date : `${date} ${time}`;
}
