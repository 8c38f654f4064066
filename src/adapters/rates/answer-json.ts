// Reads the JSON of a rate source's response, and the numbers and times in it.
import { NumberText, readJson } from '../json.ts';
import { type Decimal, readDecimal } from './decimal.ts';
import { unreadableAnswer } from './source-kind.ts';

/** Every number in the result is a NumberText, which keeps the digits of the source text. */
export function parseAnswerJson(text: string): unknown {
  const value = readJson(text);
  if (value === undefined)
    throw unreadableAnswer('The answer is not valid JSON, or it was cut off, or it has a name twice.');
  return value;
}

/**
 * Parses a large response whose rates are strings. The numbers in the result are doubles, so callers use them only for small
 * whole numbers.
 */
export function parseLargeAnswerJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadableAnswer('The answer is not valid JSON, or it was cut off.');
  }
}

/** Reads a number, or a string that contains a number, because rate sources use both. */
export function decimalIn(value: unknown): Decimal | undefined {
  if (value instanceof NumberText) return readDecimal(value.text);
  return typeof value === 'string' ? readDecimal(value) : undefined;
}

const FIRST_MS = Date.UTC(2001, 8, 9);
const LAST_MS = Date.UTC(2100, 0, 1);

/**
 * Reads Unix seconds (ten digits) or Unix milliseconds (thirteen digits). A time in the future is kept, because the rate book
 * rejects it and shows why.
 */
export function unixTimeIn(value: unknown): number | undefined {
  const text = value instanceof NumberText ? value.text : value;
  if (typeof text !== 'string' || !/^\d{10}(?:\d{3})?$/.test(text)) return undefined;
  const timeMs = text.length === 10 ? Number(text) * 1_000 : Number(text);
  return timeMs >= FIRST_MS && timeMs <= LAST_MS ? timeMs : undefined;
}
