// Test files that run one after another in one process: hooks at the end of each file, and resources that the files share.

import { AsyncResource } from 'node:async_hooks';
import { after } from 'node:test';

let ends: (() => unknown)[] | undefined;

export function afterFile(end: () => unknown): void {
  if (ends === undefined) after(end);
  else ends.push(end);
}

/** From now on, the group itself runs the hooks of `afterFile`. */
export function collectEnds(): void {
  ends = [];
}

/**
 * Runs the hooks in reverse order, so that connections to a database are closed before the database is dropped. Every hook
 * runs, and the first error is thrown at the end.
 */
export async function runEnds(): Promise<void> {
  const failures: unknown[] = [];
  for (let end = ends?.pop(); end !== undefined; end = ends?.pop())
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

// Opens resources that the test files of one process share, because opening them takes longer than most of the files. A file
// that runs alone in its process shares nothing.

let outside: AsyncResource | undefined;
const closings: (() => Promise<void>)[] = [];

/** Call this outside of any suite if several files run in this process, one after another. */
export function beginSharing(): void {
  outside = new AsyncResource('shared by test files');
}

export const isSharing = (): boolean => outside !== undefined;

/**
 * Opens a resource for this file and the following ones, and calls `close` when no file uses it any more. The resource belongs
 * to no suite. So a background error fails the process, and not a test file that has already ended.
 */
export async function openShared<T extends { close(): Promise<void> }>(open: () => Promise<T>): Promise<T> {
  const opened = await outside!.runInAsyncScope(open);
  closings.push(() => opened.close());
  return opened;
}

export async function closeShared(): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close();
}
