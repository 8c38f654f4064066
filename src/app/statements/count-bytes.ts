// Counts the bytes of a file while it is read, computes their digest, and reports the progress of the import.
import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { ImportSession } from '../../ports/statements.ts';

export interface CountedBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  count(): number;
  digest(): string;
}

export function countBytes(bytes: AsyncIterable<Uint8Array>): CountedBytes {
  const hash = createHash('sha256');
  let count = 0;
  async function* passed() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      count += chunk.length;
      yield chunk;
    }
  }
  return { bytes: passed(), count: () => count, digest: () => hash.digest('hex') };
}

/** Pages read the progress from the database, so it is stored at most twice a second. */
const NOTE_EVERY_MS = 500;

interface Reported {
  readonly dryRun: boolean;
  readonly onProgress?: (progress: { readonly bytes: number; readonly rows: number }) => void;
}

export function makeProgressReport(
  { clock }: { readonly clock: Clock },
  { dryRun, onProgress }: Reported,
  session: ImportSession,
  fileId: string,
  counted: CountedBytes,
): (rows: number) => Promise<void> {
  let notedAtMs = 0;
  return async (rowsRead) => {
    const bytesRead = counted.count();
    onProgress?.({ bytes: bytesRead, rows: rowsRead });
    const nowMs = clock.now();
    if (dryRun || nowMs - notedAtMs < NOTE_EVERY_MS) return;
    notedAtMs = nowMs;
    await session.noteProgress(fileId, { rowsRead, bytesRead });
  };
}
