// What neighbouring test files of one process share, because opening it costs more than most of them take. A file that runs alone
// in its process shares nothing.
import { AsyncResource } from 'node:async_hooks';

let outside: AsyncResource | undefined;
const closings: (() => Promise<void>)[] = [];

/** Several files run in this process, one after another. Called outside of their suites. */
export function beginSharing(): void {
  outside = new AsyncResource('shared by test files');
}

export const isSharing = (): boolean => outside !== undefined;

/**
 * Opens something for this file and those after it; `close` is called when no file shares it any more. It belongs to no suite: a
 * background error fails the process and not a finished file.
 */
export async function openShared<T extends { close(): Promise<void> }>(open: () => Promise<T>): Promise<T> {
  const opened = await outside!.runInAsyncScope(open);
  closings.push(() => opened.close());
  return opened;
}

export async function closeShared(): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close();
}
