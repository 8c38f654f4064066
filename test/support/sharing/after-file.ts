// Hooks for the end of a test file of a group, callable anywhere in the file: while it is loaded or in a test. Node's `after`
// finds its test by following promises, which groups do only while a file is loaded. In a file that runs alone it is that
// `after`.
import { after } from 'node:test';

let ends: (() => unknown)[] | undefined;

export function afterFile(end: () => unknown): void {
  if (ends === undefined) after(end);
  else ends.push(end);
}

/** From here on a group itself runs the hooks of `afterFile`. */
export function collectEnds(): void {
  ends = [];
}

/**
 * The last one first: connections to a database are closed before it is dropped. Each is tried, and the first error is thrown.
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
