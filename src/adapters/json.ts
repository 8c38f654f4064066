// Reads JSON from other systems. Numbers keep their source text, because a double would round an amount. A text that repeats a
// name is ambiguous and is refused.

/** The source text of a JSON number. It is a class, so that it cannot be confused with a JSON string. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

export function parseJsonWithNumbers(
  text: string,
  numberOf: (source: string, value: number) => unknown,
): unknown {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === 'number' ? numberOf(source, value) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/**
 * Every number becomes a NumberText. This is slow, so use it for texts of a few kilobytes. Undefined means that the text is not
 * JSON, was cut off, or repeats a name.
 */
export function readJson(given: Uint8Array | string): unknown {
  try {
    const text = typeof given === 'string' ? given : new TextDecoder('utf-8', { fatal: true }).decode(given);
    const value = parseJsonWithNumbers(text, (source) => new NumberText(source));
    return findRepeatedName(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Returns the position of a repeated name, or undefined if all names are different. JSON.parse would silently keep the last
 * value. The input must be valid JSON, so every string before a colon is a name.
 */
export function findRepeatedName(text: string): number | undefined {
  const open: Set<string>[] = [];
  let last = { text: '', at: 0 };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1)!;
      const name: string = JSON.parse(last.text);
      if (names.has(name)) return last.at;
      names.add(name);
    }
    last = { text: token, at: index };
  }
  return undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** A text that is not blank, or null. */
export function textOf(value: unknown, ...names: readonly string[]): string | null {
  const found = fieldOf(value, ...names);
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : null;
}

/** The text of a number or of a string, because banks use both. */
export function numberTextOf(value: unknown, ...names: readonly string[]): string | null {
  const found = fieldOf(value, ...names);
  return found instanceof NumberText ? found.text : textOf(value, ...names);
}

/** A whole number that is not negative, or null. */
export function wholeOf(value: unknown, ...names: readonly string[]): bigint | null {
  const text = numberTextOf(value, ...names);
  return text !== null && WHOLE.test(text) ? BigInt(text) : null;
}

const WHOLE = /^(?:0|[1-9]\d{0,17})$/;

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** A number for outgoing JSON, with all of its digits. A string must come from nairaText. */
export function exactNumber(value: bigint | string): object {
  return rawJSON(value.toString());
}

/**
 * The same value with plain numbers. A number that a double cannot represent stays a string. Used for data that is stored as
 * received.
 */
export function withPlainNumbers(value: unknown): unknown {
  if (value instanceof NumberText) {
    const number = Number(value.text);
    return String(number) === value.text ? number : value.text;
  }
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlainNumbers(inner)]));
}
