// Runs several test files in one process, one after another, because starting a process takes longer than most files. Each file
// is a suite named by its path, with its own hooks and its own time limit.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inTime, limitMs } from '../../test/support/patience.ts';
import { beginSharing, closeShared, collectEnds, runEnds } from '../../test/support/sharing/file-group.ts';
import { followPromises, stopFollowing } from './follow-promises.ts';

export interface TestGroup {
  /** Paths relative to `root`. */
  readonly files: readonly string[];
  readonly root: string;
  /**
   * This file contains the path of the test file that is running. It is removed when all files are finished. It exists because
   * the process may end without a message.
   */
  readonly progressFile: string;
}

export async function runTestGroup(group: TestGroup): Promise<void> {
  const { files, root, progressFile } = group;
  // A test may wait for a timer that does not keep the process alive. When its file runs alone, the connections of the file
  // keep the process alive.
  const awake = setInterval(() => undefined, 60_000);
  beginSharing();
  collectEnds();
  const unowned = watchUnownedErrors();
  for (const [index, file] of files.entries()) {
    writeFileSync(progressFile, file);
    if (folderOf(file) !== folderOf(files[index - 1] ?? file)) await closeShared();
    followPromises();
    // Resolves when the suite has ended, because the next file is imported only after this file has cleaned up.
    await describe(file, { timeout: limitMs('file') }, async () => {
      try {
        // The time limit of a suite does not apply while its file is being imported.
        await inTime(`${file} to load`, import(pathToFileURL(path.join(root, file)).href), 'file');
      } catch (error) {
        // The runner would ignore a suite that throws.
        test(`${file} can be loaded`, () => {
          throw error;
        });
      } finally {
        after(runEnds);
        stopFollowing();
      }
    });
    for (const error of unowned.splice(0))
      await test(`${file} leaves no error outside its tests`, () => {
        throw error;
      });
  }
  await closeShared();
  clearInterval(awake);
  rmSync(progressFile);
  setTimeout(() => {
    console.error(
      `A test of these files left resources open (${process.getActiveResourcesInfo().join(', ')}):`,
    );
    for (const file of files) console.error(`  ${file}`);
    process.exit(1);
  }, limitMs('leftOpen')).unref();
}

function watchUnownedErrors(): unknown[] {
  const errors: unknown[] = [];
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => errors.push(error));
  return errors;
}

/** Only files of the same folder share resources. */
function folderOf(file: string): string {
  return file.split('/', 2).join('/');
}
