// Hooks that run at the end of a test file in a group; a file can register them anywhere, while it is loaded or in a test. Node's
// `after` finds its test through promises, which works in groups only while a file is loaded. In a file that runs alone, Node's
// `after` is used.
import { after } from 'node:test';

let ends: (() => unknown)[] | undefined;

export function afterFile(end: () => unknown): void {
  if (ends === undefined) after(end);
  else ends.push(end);
}

/** From now on the group itself runs the hooks of `afterFile`. */
export function collectEnds(): void {
  ends = [];
}

/**
 * Runs the hooks in reverse order: connections to a database are closed before the database is dropped. Every hook runs, and the
 * first error is thrown at the end.
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
