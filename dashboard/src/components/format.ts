// Formats amounts, times and ids for people. Amounts are decimal text, or numbers from the public API, and their digits are
// shown unchanged. This file calculates no sums.
const ZONE = 'Africa/Lagos';

/** "15000.5" and 15000.5 become "15,000.50". Tokens keep their own number of decimals. */
export function digits(amount: string | number, decimals = 2): string {
  const text = typeof amount === 'number' ? plain(amount) : amount;
  const [, sign = '', whole = '0', fraction = ''] = /^([-−]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  const shown = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return `${sign === '' ? '' : '−'}${grouped}${shown === '' ? '' : `.${shown}`}`;
}

/**
 * Numbers of the API have at most two decimals. From 1e21 on, JavaScript writes a number with an exponent, so such a number is
 * converted to BigInt first.
 */
function plain(amount: number): string {
  return Math.abs(amount) < 1e21 ? String(amount) : BigInt(amount).toString();
}

export function naira(amount: string | number): string {
  const text = digits(amount);
  return text.startsWith('−') ? `−₦${text.slice(1)}` : `₦${text}`;
}

export function tokens(amount: string, asset: string): string {
  return `${digits(amount)} ${asset}`;
}

/** Short amounts for the axes of plots, for example ₦12.4M. The page shows the exact amounts elsewhere. */
export function shortNaira(amount: number): string {
  const steps = [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const;
  const size = Math.abs(amount);
  for (const [step, letter] of steps) {
    if (size >= step) return `₦${Number((amount / step).toPrecision(3))}${letter}`;
  }
  return `₦${Math.round(amount)}`;
}

const dateTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Returns text such as "16 Nov 2026, 09:41:07 WAT". Lagos has no summer time. */
export function lagosTime(iso: string): string {
  return `${dateTime.format(new Date(iso))} WAT`;
}

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });

export function lagosClock(iso: string): string {
  return clock.format(new Date(iso));
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** Returns "41 s", "12 min", "3 h" or "2 d". */
export function duration(seconds: number): string {
  for (const [size, unit] of UNITS) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  return `${Math.max(0, Math.round(seconds))} s`;
}

export function ago(iso: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(iso)) / 1000;
  // The clock of a page ticks only every few seconds, so a recent event may seem to be in the future.
  if (Math.abs(seconds) < 5) return 'just now';
  return seconds < 0 ? `in ${duration(-seconds)}` : `${duration(seconds)} ago`;
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/**
 * Returns text such as "9 min 41 s", "3 h 12 min" or "2 d 4 h". It has two units, so that the reader sees the smaller unit
 * change. Undefined means that no time is left.
 */
export function timeLeft(iso: string, nowMs: number): string | undefined {
  const seconds = Math.ceil((Date.parse(iso) - nowMs) / 1000);
  if (seconds <= 0) return undefined;
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min ${seconds % MINUTE_S} s`;
  if (seconds < DAY_S)
    return `${Math.floor(seconds / HOUR_S)} h ${Math.floor((seconds % HOUR_S) / MINUTE_S)} min`;
  return `${Math.floor(seconds / DAY_S)} d ${Math.floor((seconds % DAY_S) / HOUR_S)} h`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

export function shortened(text: string, keep = 6): string {
  if (text.length <= keep * 2 + 4) return text;
  const head = Math.max(text.indexOf('_') + 1, 0) + keep;
  return `${text.slice(0, head)}…${text.slice(-keep)}`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
} /** "awaiting_wallet" becomes "Awaiting wallet". */
export function words(code: string): string {
  return capitalised(code.replaceAll('_', ' '));
}

interface Part {
  readonly part: string;
  readonly same: boolean;
}

/** Texts longer than this are compared as a whole, because the comparison table grows with the square of the length. */
const LONGEST = 200;

/**
 * Finds the characters of a text that another text contains in the same order (the longest common subsequence). Upper and lower
 * case are equal.
 */
export function differences(text: string, other: string): readonly Part[] {
  const [a, b] = [[...text], [...other]];
  if (a.length > LONGEST || b.length > LONGEST) return [{ part: text, same: text === other }];
  const common = commonIn(a, b);
  const parts: { part: string; same: boolean }[] = [];
  for (const [index, letter] of a.entries()) {
    const same = common[index]!;
    const last = parts.at(-1);
    if (last !== undefined && last.same === same) last.part += letter;
    else parts.push({ part: letter, same });
  }
  return parts;
}

function commonIn(a: readonly string[], b: readonly string[]): readonly boolean[] {
  const equal = (i: number, j: number) => a[i]!.toLowerCase() === b[j]!.toLowerCase();
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = equal(i, j)
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const common = new Array<boolean>(a.length).fill(false);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (equal(i, j)) {
      common[i++] = true;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return common;
}

/**
 * The meaning of the colours: grey is waiting, blue is in progress, green is completed, amber needs a person, and red is failed
 * or stopped.
 */
export type Tone = 'waiting' | 'progress' | 'completed' | 'person' | 'failed';
