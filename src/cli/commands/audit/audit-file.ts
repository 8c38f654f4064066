// An export file of the audit log. Each line is one entry as JSON, with all fields that the hash of the entry covers.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { ChainedEntry } from '../../../domain/audit/audit-chain.ts';
import type { AuditReads } from '../../../ports/audit.ts';
import { CommandError } from '../../terminal/command-error.ts';

const PAGE = 1_000;

/**
 * Writes the audit entries up to the number `lastNo`, and returns how many it wrote. The file must be new, because an export
 * never overwrites a file.
 */
export async function exportEntries(
  audit: AuditReads,
  lastNo: number,
  file: string,
  onProgress: (count: number) => void,
): Promise<number> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be written: ${error.code}. Name a new file.`);
  });
  let count = 0;
  try {
    for (let from = Number.MIN_SAFE_INTEGER; ; ) {
      const page = (await audit.entriesFrom(from, PAGE)).filter(({ no }) => no <= lastNo);
      if (page.length === 0) break;
      await handle.write(page.map((entry) => `${lineOf(entry)}\n`).join(''));
      count += page.length;
      from = page.at(-1)!.no + 1;
      onProgress(count);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return count;
}

function lineOf({
  no,
  at,
  actor,
  action,
  subject,
  businessId,
  detail,
  previousHash,
  hash,
}: ChainedEntry): string {
  const about = { subject, business_id: businessId, detail, previous_hash: previousHash };
  return JSON.stringify({ no, at, actor, action, ...about, hash });
}

export async function* readExport(file: string): AsyncGenerator<ChainedEntry> {
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      number += 1;
      yield entryOf(line) ?? throwUnreadableLine(file, number);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function throwUnreadableLine(file: string, number: number): never {
  throw new CommandError(
    `Line ${number} of ${file} is not an entry. Use an unchanged file that audit export wrote.`,
  );
}

const TEXTS = ['at', 'actor', 'action', 'detail', 'previous_hash', 'hash'];

function entryOf(line: string): ChainedEntry | undefined {
  const read = parseLine(line);
  if (read === undefined || typeof read.no !== 'number') return undefined;
  if (TEXTS.some((name) => typeof read[name] !== 'string')) return undefined;
  const { business_id, previous_hash, ...rest } = read;
  return { ...rest, businessId: business_id ?? null, previousHash: previous_hash } as unknown as ChainedEntry;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
