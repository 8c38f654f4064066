// What comes in from outside and cannot be what it says: set aside whole, so that it neither stops what follows nor gets
// lost. Text the database cannot hold is no reason for that: it is made storable.
import type { Change } from '../domain/change.ts';
import type { Mode } from '../domain/mode.ts';

export function setAside(mode: Mode, source: string, reason: string, line: unknown, atMs: number): Change {
  return { atMs, quarantine: { mode, source, reason, raw: storable(textOf(line)) } };
}

/** The same with NULs and halves of characters replaced, wherever they are in it. */
export function cleaned<Line>(line: Line): Line {
  const text = textOf(line);
  if (!NEEDS_CLEANING.test(text)) return line;
  return JSON.parse(text, (_key, value) => revived(value)) as Line;
}

/** As JSON writes them. */
const NEEDS_CLEANING = /\\u(0000|d[89a-f])/;
const BIGINT = 'bigint:';

function textOf(line: unknown): string {
  return (
    JSON.stringify(line, (_key, value) => (typeof value === 'bigint' ? `${BIGINT}${value}` : value)) ?? 'null'
  );
}

function revived(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.startsWith(BIGINT) ? BigInt(value.slice(BIGINT.length)) : storable(value);
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
