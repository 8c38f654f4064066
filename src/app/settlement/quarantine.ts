// Sets invalid input from outside aside as a whole. So the input does not stop the following lines and is not lost. Text that
// the database cannot store is not invalid: it is made storable.
import type { Change } from '../../domain/records/change.ts';
import type { Mode } from '../../domain/values/mode.ts';

export function quarantineLine(
  mode: Mode,
  source: string,
  reason: string,
  line: unknown,
  atMs: number,
): Change {
  return { atMs, quarantine: { mode, source, reason, raw: toStorableText(serialiseLine(line)) } };
}

/** Returns the same value, with null characters and lone surrogates replaced everywhere. */
export function makeStorable<Line>(line: Line): Line {
  return isStorable(line) ? line : (fixed(line) as Line);
}

function fixed(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(fixed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [toStorableText(name), fixed(each)]));
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return toStorableText(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each));
}

function serialiseLine(line: unknown): string {
  const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? `bigint:${value}` : value);
  return JSON.stringify(line, plain) ?? 'null';
}

function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
