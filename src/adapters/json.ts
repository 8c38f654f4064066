// JSON from outside. Numbers keep their source text, because a double would round an amount before it is read. A text in which a name is
// repeated says two things: it is no answer.

/** The source text of a JSON number. A class, so that it cannot be taken for a JSON text. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The types of JSON.parse do not know its third argument yet. */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

/** JSON whose numbers are made from their source text. Throws a SyntaxError. */
export function parseJsonWithNumbers(
  text: string,
  numberOf: (source: string, value: number) => unknown,
): unknown {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === 'number' ? numberOf(source, value) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** Every number is a NumberText. Slow: for texts of some kilobytes. Undefined: it is not JSON, was cut off, or repeats a name. */
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

/** JSON.parse keeps the last one without a sign. Where the second one begins; undefined: no name is repeated. Gets valid JSON only, so every text before a colon is a name. */
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

/** A field of an object, also below other objects; undefined where there is none. */
export function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** A text that is not blank; null where there is none. */
export function textOf(value: unknown, ...names: readonly string[]): string | null {
  const found = fieldOf(value, ...names);
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : null;
}

/** A number as its text, or a text: banks change between the two. */
export function numberTextOf(value: unknown, ...names: readonly string[]): string | null {
  const found = fieldOf(value, ...names);
  return found instanceof NumberText ? found.text : textOf(value, ...names);
}

/** A whole number that is not negative; null where there is none. */
export function wholeOf(value: unknown, ...names: readonly string[]): bigint | null {
  const text = numberTextOf(value, ...names);
  return text !== null && WHOLE.test(text) ? BigInt(text) : null;
}

const WHOLE = /^(?:0|[1-9]\d{0,17})$/;

/** The types of JSON do not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** A number in the JSON that is sent, with all of its digits; a text is one that nairaText wrote. */
export function exactNumber(value: bigint | string): object {
  return rawJSON(value.toString());
}

/** The same value with plain numbers; one that a double cannot hold stays a text. For what is kept as it came. */
export function withPlainNumbers(value: unknown): unknown {
  if (value instanceof NumberText) {
    const number = Number(value.text);
    return String(number) === value.text ? number : value.text;
  }
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlainNumbers(inner)]));
}
