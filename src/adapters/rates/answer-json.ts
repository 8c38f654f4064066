// The JSON of an answer. Numbers come as their source text, because a double would round them before they are read.
import { type Decimal, readDecimal } from './decimal.ts';
import { unreadable } from './source-kind.ts';

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

/** Every number is a NumberText. Slow: for answers of some kilobytes. */
export function jsonOf(text: string): unknown {
  return parsed(() => JSON.parse(text, keepingNumbers as (key: string, value: unknown) => unknown));
}

/** For a large answer whose rates are texts: its numbers are doubles, and must be used for nothing but small whole numbers. */
export function largeJsonOf(text: string): unknown {
  return parsed(() => JSON.parse(text) as unknown);
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    throw unreadable('The answer is not valid JSON, or it was cut off.');
  }
}

/** A field of an object; undefined where there is none, or no object. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** A number, or a text that is one: sources change between the two. */
export function decimalIn(value: unknown): Decimal | undefined {
  if (value instanceof NumberText) return readDecimal(value.text);
  return typeof value === 'string' ? readDecimal(value) : undefined;
}

const FIRST_MS = Date.UTC(2001, 8, 9);
const LAST_MS = Date.UTC(2100, 0, 1);

/**
 * Unix seconds, or Unix milliseconds: no number is a time of this century in both. Ten and thirteen digits are the only ones. A time
 * in the future is kept: the book rejects it and shows why.
 */
export function unixTimeIn(value: unknown): number | undefined {
  const text = value instanceof NumberText ? value.text : value;
  if (typeof text !== 'string' || !/^\d{10}(?:\d{3})?$/.test(text)) return undefined;
  const timeMs = text.length === 10 ? Number(text) * 1_000 : Number(text);
  return timeMs >= FIRST_MS && timeMs <= LAST_MS ? timeMs : undefined;
}
