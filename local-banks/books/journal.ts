// The journal file of the local banks. A bank writes an entry to the disk before it sends any response. A line that a kill cut
// off was never confirmed, so the next start removes it.
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { JournalEntry } from './entries.ts';

export interface Journal {
  readonly entries: readonly JournalEntry[];
  append(entry: JournalEntry): void;
  close(): void;
}

export function openJournal(file: string): Journal {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(file, 'a+', 0o600);
  const text = readFileSync(handle, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) ftruncateSync(handle, Buffer.byteLength(whole));
  const entries = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line, reviveBigints) as JournalEntry);
  return {
    entries,
    append: (entry) => {
      const line = Buffer.from(`${JSON.stringify(entry, writeBigints)}\n`);
      let written = 0;
      while (written < line.length) written += writeSync(handle, line, written);
      fsyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}

/** Amounts are bigint. In the file they are text, under a name that ends in Kobo. */
const writeBigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
const reviveBigints = (name: string, value: unknown): unknown =>
  name.endsWith('Kobo') ? BigInt(value as string) : value;
