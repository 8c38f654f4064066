// Checks that files and folders are small enough to read at once. A file has one subject, and the names in a folder fit on one
// screen.
import path from 'node:path';
import { isTest, readCode } from './source.ts';

const MOST_LINES = 300;
const MOST_FILES = 30;

/** Measures every hand-written TypeScript file, tests included. */
export function findLongFiles(root: string): string[] {
  return readCode(root)
    .filter(({ text }) => !text.startsWith('// Generated '))
    .map(({ file, text }) => ({ file, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(
      ({ file, lines }) =>
        `${file}:${MOST_LINES + 1}: the file has ${lines} lines, at most ${MOST_LINES} are allowed: split it by subject`,
    );
}

/** Counts the source files directly inside a folder, without tests. */
export function findFullFolders(root: string): string[] {
  const counts = new Map<string, number>();
  for (const { file } of readCode(root)) {
    const folder = path.posix.dirname(file);
    if (!isTest(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, files]) => files > MOST_FILES)
    .map(
      ([folder, files]) =>
        `${folder}: the folder has ${files} source files, at most ${MOST_FILES} are allowed: move those of one subject into a folder of their own`,
    );
}
