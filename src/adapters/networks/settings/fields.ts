// Reads the fields of one object of the networks file. An error names the field; the value is never repeated, because it may be
// a provider's key or a secret.

/** The message is for the operator. */
export class NetworkSettingsError extends Error {
  override readonly name = 'NetworkSettingsError';
}

export interface Fields<Name extends string> {
  /** The names of all fields. */
  readonly names: readonly string[];
  /** Undefined when the field is missing. */
  value(name: Name): unknown;
  problem(name: Name, what: string): NetworkSettingsError;
  /** An object inside this one; an empty one where it is missing. */
  inside<Inner extends string>(name: Name, known: readonly Inner[]): Fields<Inner>;
}

/** `where` begins every message: the network, once its name is known. */
export function fieldsOf<Name extends string>(value: unknown, where: string, path = ''): Fields<Name> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const what = path === '' ? 'it' : `"${path.slice(0, -1)}"`;
    throw new NetworkSettingsError(`${where}: ${what} must be an object { … }.`);
  }
  const values = new Map<string, unknown>(Object.entries(value));
  return {
    names: [...values.keys()],
    value: (name) => values.get(name),
    problem: (name, what) => new NetworkSettingsError(`${where}: "${path}${name}" ${what}.`),
    inside: (name, known) => {
      const inner = values.get(name);
      const fields = fieldsOf<(typeof known)[number]>(
        inner === undefined ? {} : inner,
        where,
        `${path}${name}.`,
      );
      refuseUnknown(fields, known, where, `${path}${name}.`);
      return fields;
    },
  };
}

const SHOWABLE = /^\w{1,40}$/;

/** A limit with a mistyped name would be no limit, and nothing would show it. */
export function refuseUnknown(
  fields: Fields<never>,
  known: readonly string[],
  where: string,
  path = '',
): void {
  const stranger = fields.names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const shown = SHOWABLE.test(stranger) ? `"${path}${stranger}"` : 'a field whose name cannot be shown';
  throw new NetworkSettingsError(
    `${where}: ${shown} is not a known field. Known fields: ${known.join(', ')}.`,
  );
}

/** The value, or else the fallback; without a fallback the field is required. */
function given<Name extends string>(fields: Fields<Name>, name: Name, fallback: unknown): unknown {
  const found = fields.value(name);
  const value = found === undefined ? fallback : found;
  if (value === undefined) throw fields.problem(name, 'is missing');
  return value;
}

export function text<Name extends string>(
  fields: Fields<Name>,
  name: Name,
  rule: { readonly pattern: RegExp; readonly what: string },
  fallback?: string,
): string {
  const value = given(fields, name, fallback);
  if (typeof value === 'string' && rule.pattern.test(value)) return value;
  throw fields.problem(name, `must be ${rule.what}`);
}

/** A list of texts; empty when it is left out. */
export function words<Name extends string>(
  fields: Fields<Name>,
  name: Name,
  rule: { readonly pattern: RegExp; readonly what: string },
): readonly string[] {
  const value = given(fields, name, []);
  const fits = (each: unknown) => typeof each === 'string' && rule.pattern.test(each);
  if (Array.isArray(value) && value.every(fits)) return value as readonly string[];
  throw fields.problem(name, `must be ${rule.what}`);
}

export function oneOf<Name extends string, Word extends string>(
  fields: Fields<Name>,
  name: Name,
  words: readonly Word[],
  fallback?: Word,
): Word {
  const value = given(fields, name, fallback);
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  throw fields.problem(name, `must be ${words.map((each) => `"${each}"`).join(' or ')}`);
}

export function whole<Name extends string>(
  fields: Fields<Name>,
  name: Name,
  [min, max]: readonly [number, number],
  fallback?: number,
): number {
  const value = given(fields, name, fallback);
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
    return value as number;
  throw fields.problem(name, `must be a whole number from ${min} to ${max}, without quotes`);
}

const DECIMAL = /^(0|[1-9]\d{0,19})(?:\.(\d{1,30}))?$/;

/** An amount in whole units, as text because a number would be rounded, in minor units. */
export function amount<Name extends string>(
  fields: Fields<Name>,
  name: Name,
  decimals: number,
  fallback?: string,
): bigint {
  const value = given(fields, name, fallback);
  const match = typeof value === 'string' ? DECIMAL.exec(value) : null;
  if (match === null)
    throw fields.problem(name, 'must be an amount in whole units and in quotes, such as "1000000" or "0.5"');
  const [, units, fraction = ''] = match;
  if (fraction.length > decimals)
    throw fields.problem(name, `has more than ${decimals} digits after the point`);
  return BigInt(`${units}${fraction.padEnd(decimals, '0')}`);
}
