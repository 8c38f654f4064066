// Runs several test files in one process, one after another: starting a process costs more than most files take. Each
// file is a suite named by its path, with its own hooks and its own time limit.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

export interface Group {
  /** Relative to `root`. */
  readonly files: readonly string[];
  readonly root: string;
  readonly fileTimeoutMs: number;
  /** How long what a file forgot to close may keep the process after the last file. */
  readonly endTimeoutMs: number;
  /** Has the path of the file that runs, and is gone when all are done: the process may die without a word. */
  readonly progressFile: string;
}

export async function runGroup(group: Group): Promise<void> {
  const { files, root, fileTimeoutMs, endTimeoutMs, progressFile } = group;
  // A test may wait for a timer that keeps no process alive; alone, the connections of its file do that.
  const awake = setInterval(() => undefined, 60_000);
  for (const file of files) {
    writeFileSync(progressFile, file);
    // Resolves when the suite is done: a file is imported after the file before it has cleaned up.
    await describe(file, { timeout: fileTimeoutMs }, async () => {
      try {
        await inTime(import(pathToFileURL(path.join(root, file)).href), fileTimeoutMs);
      } catch (error) {
        // The runner would count a suite that throws as no test at all.
        test(`${file} can be loaded`, () => {
          throw error;
        });
      }
    });
  }
  clearInterval(awake);
  rmSync(progressFile);
  setTimeout(() => {
    console.error(`A test of these files left open ${process.getActiveResourcesInfo().join(', ')}:`);
    for (const file of files) console.error(`  ${file}`);
    process.exit(1);
  }, endTimeoutMs).unref();
}

/** The time limit of a suite does not count while its file is being imported. */
async function inTime(loading: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(new Error(`Loading took longer than ${timeoutMs} ms.`)), timeoutMs);
  try {
    await Promise.race([loading, promise]);
  } finally {
    clearTimeout(limit);
  }
}
