// Resources that the test files of one process share, because opening them takes longer than most of the files. A file that runs
// alone in its process shares nothing.
import { AsyncResource } from 'node:async_hooks';

let outside: AsyncResource | undefined;
const closings: (() => Promise<void>)[] = [];

/** Call this if several files run in this process, one after another. Call it outside of their suites. */
export function beginSharing(): void {
  outside = new AsyncResource('shared by test files');
}

export const isSharing = (): boolean => outside !== undefined;

/**
 * Opens a resource for this file and the following ones; `close` is called when no file uses it any more. It belongs to no suite:
 * a background error fails the process, not a test file that has already ended.
 */
export async function openShared<T extends { close(): Promise<void> }>(open: () => Promise<T>): Promise<T> {
  const opened = await outside!.runInAsyncScope(open);
  closings.push(() => opened.close());
  return opened;
}

export async function closeShared(): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close();
}
