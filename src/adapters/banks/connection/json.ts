// The JSON of a bank's answer, or of its call to us. Numbers keep their source text, because a double would round an amount before it
// is read. A text in which a name is repeated says two things: it is no answer.
import { findRepeatedName } from '../../repeated-names.ts';

/** The source text of a JSON number. A class, so that it cannot be taken for a JSON text. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The types of JSON.parse do not know its third argument yet. */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;
const keepingNumbers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' ? new NumberText(source) : value;

/** Undefined: it is not text in UTF-8, not JSON, was cut off, or repeats a name. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text, keepingNumbers as (key: string, value: unknown) => unknown);
    return findRepeatedName(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field of an object, also below other objects; undefined where there is none. */
export function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = Object.hasOwn(found, name) ? (found as Readonly<Record<string, unknown>>)[name] : undefined;
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
export function plain(value: unknown): unknown {
  if (value instanceof NumberText) {
    const number = Number(value.text);
    return String(number) === value.text ? number : value.text;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
