// Copies files and computes their hashes during the copy. The recorded size and hash are those of the bytes that were written
// to disk and synced.
import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FileMark {
  readonly size: number;
  readonly sha256: string;
}

const chunkBytes = 1024 * 1024;

/** The target must not exist yet. The source may change during the copy, and it is read to its current end. */
export async function copyFile(source: string, target: string): Promise<FileMark> {
  const from = await open(source, 'r');
  try {
    return await writeMarked(target, async (write) => {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, (await from.stat()).size + 1)));
      for (;;) {
        const { bytesRead } = await from.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) return;
        await write(buffer.subarray(0, bytesRead));
      }
    });
  } finally {
    await from.close();
  }
}

export const writeNewFile = (target: string, content: string | Buffer): Promise<FileMark> =>
  writeMarked(target, (write) => write(Buffer.from(content)));

async function writeMarked(
  target: string,
  fill: (write: (bytes: Buffer) => Promise<void>) => Promise<void>,
): Promise<FileMark> {
  const hash = createHash('sha256');
  let size = 0;
  const to = await open(target, 'wx', 0o600);
  try {
    await fill(async (bytes) => {
      await writeAll(to, bytes);
      hash.update(bytes);
      size += bytes.length;
    });
    await to.sync();
  } finally {
    await to.close();
  }
  return { size, sha256: hash.digest('hex') };
}

async function writeAll(to: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await to.write(bytes, done, bytes.length - done, null);
    done += bytesWritten;
  }
}

/**
 * Reads a small file that another process overwrites in place. The content counts as complete when two reads in a row are
 * equal.
 */
export async function readStableFile(file: string): Promise<Buffer> {
  let previous = await readFile(file);
  for (;;) {
    await sleep(10);
    const next = await readFile(file);
    if (next.length > 0 && next.equals(previous)) return next;
    previous = next;
  }
}

/** Runs `work` for several items at the same time. After the first failure it starts no more items. */
export async function forEachInParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failed = false;
  const worker = async () => {
    for (const item of queue) {
      if (failed) return;
      await work(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  // Waits for all workers before any cleanup. Otherwise a late worker would write into a directory that is being removed.
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
