// Screens against a list file of the operator. The file is read at start and again whenever it has changed. A broken line
// prevents the start. If a new version is broken or missing later, this is reported, and the last good version stays in use.
import { readFile, stat } from 'node:fs/promises';
import type { Screening, ScreeningHit, ScreeningSubject } from '../../ports/screening.ts';
import { comparedParts, type ListEntry, readListLines, ScreeningListError } from './list-lines.ts';

export async function openScreeningList(
  /** If `file` is null, the list is empty. */
  file: string | null,
  onError: (error: Error) => void,
): Promise<Screening> {
  if (file === null) return { isEmpty: () => true, screen: async () => [] };
  let version = await versionOf(file);
  let list = await readList(file);
  let reported = '';
  /** A screening that begins during a check of the file waits for that check. */
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    try {
      // The version is read before the content of the file. If the file changes during the read, it gets another version, so
      // the next check reads the file again.
      const found = await versionOf(file);
      if (found !== version) list = await readList(file);
      version = found;
      reported = '';
    } catch (error) {
      // Each screening tries to read the file again, but the same problem is reported once.
      const { message } = error as Error;
      if (message === reported) return;
      reported = message;
      onError(new ScreeningListError(`${message} The last good version stays in use.`, { cause: error }));
    }
  };
  return {
    screen: async (subjects) => {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      await looking;
      return subjects.flatMap((subject) => hitsOf(list, subject));
    },
  };
}

/**
 * A file that was overwritten, replaced or got other permissions has another version. The mtime alone is not enough, because a
 * copied file may keep the old mtime.
 */
async function versionOf(file: string): Promise<string> {
  const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true }).catch(throwUnreadable);
  return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
}

async function readList(file: string): Promise<ListIndex> {
  const bytes = await readFile(file).catch(throwUnreadable);
  // An empty file may be in the middle of a rewrite, so it does not count as an empty list.
  if (bytes.length === 0) throw new ScreeningListError('SCREENING_LIST is an empty file.');
  return indexEntries(readListLines(decode(bytes)));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ScreeningListError('SCREENING_LIST is not UTF-8 text.', { cause });
  }
}

function throwUnreadable(cause: NodeJS.ErrnoException): never {
  throw new ScreeningListError(`SCREENING_LIST cannot be read: ${cause.code ?? cause.message}.`, { cause });
}

interface IndexedEntry extends ListEntry {
  readonly parts: readonly string[];
}

/**
 * The list entries by a key, which is the kind and the first part of a value. An entry matches only if all its parts match,
 * including the first.
 */
type ListIndex = ReadonlyMap<string, readonly IndexedEntry[]>;

function indexEntries(entries: readonly ListEntry[]): ListIndex {
  const indexed = entries.map((entry) => ({ ...entry, parts: comparedParts(entry.kind, entry.value) }));
  return Map.groupBy(indexed, ({ kind, parts }) => `${kind} ${parts[0]}`);
}

function hitsOf(index: ListIndex, { kind, value }: ScreeningSubject): ScreeningHit[] {
  const parts = new Set(comparedParts(kind, value));
  const candidates = [...parts].flatMap((part) => index.get(`${kind} ${part}`) ?? []);
  return candidates
    .filter((entry) => entry.parts.every((part) => parts.has(part)))
    .map((entry) => ({ kind, value, entry: entry.value, reason: entry.reason }));
}
