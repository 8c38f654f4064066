// What is done when a test file of a group has ended, wherever in the file it is asked for: while the file is loaded or in a test. The
// `after` of Node finds the test it is called in by following promises, which groups do only while a file is loaded. In a file that
// runs alone it is that `after`.
import { after } from 'node:test';

let ends: (() => unknown)[] | undefined;

export function afterFile(end: () => unknown): void {
  if (ends === undefined) after(end);
  else ends.push(end);
}

/** From here on a group runs what `afterFile` was given, itself. */
export function collectEnds(): void {
  ends = [];
}

/** The last one first: what was opened on a database is closed before it is dropped. Each is tried, and the first that failed is thrown. */
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
