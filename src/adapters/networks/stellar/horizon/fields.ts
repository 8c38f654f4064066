// Reads the response of a server field by field. If a field is missing or has a wrong type, the whole response is unreadable,
// because a guess could be wrong. Amounts become whole stroops and are never floats.

export type HorizonFields = Readonly<Record<string, unknown>>;

/** The response of a server does not have the documented format. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/** The protocol uses this number of decimals for every asset. */
export const DECIMALS = 7;
const STROOPS = 10n ** BigInt(DECIMALS);
const MOST_STROOPS = 2n ** 63n - 1n;

export function isFields(value: unknown): value is HorizonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown, what: string): HorizonFields {
  if (!isFields(value)) throw new UnreadableAnswer(`${what} is not an object`);
  return value;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableAnswer(`${what} is not a list`);
  return value;
}

export function textOf(from: HorizonFields, name: string): string {
  const value = from[name];
  if (typeof value !== 'string') throw new UnreadableAnswer(`${name} is not a text`);
  return value;
}

/** A missing field and null both give null. Any other value must be a text. */
export function optionalText(from: HorizonFields, name: string): string | null {
  return from[name] === undefined || from[name] === null ? null : textOf(from, name);
}

/** Reads a whole number. Servers send it as a JSON number or as text. */
export function wholeOf(from: HorizonFields, name: string): bigint {
  const value = from[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value);
  throw new UnreadableAnswer(`${name} is not a whole number`);
}

export function numberOf(from: HorizonFields, name: string): number {
  const value = wholeOf(from, name);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new UnreadableAnswer(`${name} is too large`);
  return Number(value);
}

export function timeMsOf(from: HorizonFields, name: string): number {
  const atMs = Date.parse(textOf(from, name));
  if (!Number.isFinite(atMs)) throw new UnreadableAnswer(`${name} is not a time`);
  return atMs;
}

export function amountOf(from: HorizonFields, name: string): bigint {
  const found = /^(\d{1,12})(?:\.(\d{1,7}))?$/.exec(textOf(from, name));
  if (found === null) throw new UnreadableAnswer(`${name} is not an amount`);
  const minor = BigInt(found[1]!) * STROOPS + BigInt((found[2] ?? '').padEnd(DECIMALS, '0'));
  if (minor > MOST_STROOPS) throw new UnreadableAnswer(`${name} is too large`);
  return minor;
}

/** Writes an amount in the format of servers and the SDK, always with all decimals. */
export function amountText(minor: bigint): string {
  return `${minor / STROOPS}.${(minor % STROOPS).toString().padStart(DECIMALS, '0')}`;
}

export function recordsOf(page: HorizonFields): readonly unknown[] {
  return listOf(fieldsOf(page._embedded, '_embedded').records, 'records');
}
