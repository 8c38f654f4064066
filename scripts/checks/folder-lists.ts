// Checks that the lists of folders in README.md and CONTRIBUTING.md match the existing folders.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FOLDER_ORDER } from './folder-order.ts';

/** Rows of the layout in README.md that list every folder of a directory. The check finds a row by its beginning. */
const ROWS = {
  '  app/': 'src/app',
  '  domain/': 'src/domain',
  '  adapters/': 'src/adapters',
  'dashboard/': 'dashboard/src',
  'test/': 'test',
} as const;

export function findStaleFolderLists(root: string): string[] {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  return [
    ...Object.entries(FOLDER_ORDER).flatMap(([room, order]) =>
      findStaleOrder(room, order, foldersOf(root, room)),
    ),
    ...findStaleRows(read('README.md'), (room) => foldersOf(root, room)),
    ...findStaleSentences(read('CONTRIBUTING.md')),
  ];
}

function foldersOf(root: string, room: string): readonly string[] {
  const entries = readdirSync(path.join(root, room), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function findStaleOrder(room: string, order: readonly string[], folders: readonly string[]): string[] {
  const gone = order.filter((folder) => !folders.includes(folder));
  return gone.map((folder) => `scripts/checks/folder-order.ts: there is no ${room}/${folder}: take it out`);
}

/** A row continues in the following lines that are indented to its text. */
export function findStaleRows(readme: string, foldersOf: (room: string) => readonly string[]): string[] {
  const lines = readme.split('\n');
  return Object.entries(ROWS).flatMap(([start, room]) => {
    const first = lines.findIndex((line) => line.startsWith(`${start} `));
    if (first === -1) return [`README.md: the layout has no row "${start.trim()}"`];
    const next = lines.findIndex((line, index) => index > first && !line.startsWith('          '));
    const row = lines.slice(first, next).join(' ');
    const listed = [...row.slice(row.indexOf(':')).matchAll(/([a-z0-9-]+)\//g)].map(([, name]) => name!);
    const folders = foldersOf(room);
    return [
      ...folders.filter((each) => !listed.includes(each)).map((each) => `has no ${each}/`),
      ...listed.filter((each) => !folders.includes(each)).map((each) => `has ${each}/, which is not there`),
    ].map((problem) => `README.md:${first + 1}: the row ${start.trim()} ${problem}`);
  });
}

export function findStaleSentences(contributing: string, order = FOLDER_ORDER): string[] {
  return ['src/domain', 'src/app'].flatMap((room) => {
    const right = `- \`${room}\`: ${order[room]!.join(', ')}`;
    return contributing.split('\n').includes(right)
      ? []
      : [`CONTRIBUTING.md: the order of ${room} is now\n${right}`];
  });
}
