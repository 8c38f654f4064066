// Finds the test files that a change of the working tree can affect. They import a changed file, directly or indirectly, or
// contain its path. A path in a module counts like an import: the path of a program that it starts, of a document that it
// reads, or of a folder.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Visitor } from 'oxc-parser';
import { importsOf, parseSource, readCode, resolveImport, type Source } from '../checks/source.ts';

/** Dependencies without an import: outputs that are built from sources, and data that is prepared for tests. */
const REACHES: Readonly<Record<string, readonly string[]>> = {
  'build/main.js': ['src/main.ts'],
  'build/sliproad.js': ['src/cli/main.ts'],
  'bin/sliproad': ['src/cli/main.ts', 'scripts/setup'],
  'test/support/database.ts': ['migrations'],
  'test/support/browser/stage.ts': ['dashboard'],
  'test/simulation/pool.ts': ['test/simulation/thread.ts'],
};

/** Top-level folders that tests read as a whole. The path of another top-level folder (`src`, `test`) has no meaning. */
const READ_WHOLE = new Set(['docs', 'migrations']);

const EVERYTHING = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/test.ts',
  'scripts/tests/cluster.ts',
];

export function listChangedFiles(root: string): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter((name) => name !== '');
  return [
    ...new Set([
      ...git('diff', '--name-only', '--no-renames', '-z', 'HEAD'),
      ...git('ls-files', '--others', '--exclude-standard', '-z'),
    ]),
  ].sort();
}

export type ImportUsers = ReadonlyMap<string, readonly string[]>;

export function findReachedTests(
  users: ImportUsers,
  tests: readonly string[],
  changed: readonly string[],
): readonly string[] {
  if (changed.some((file) => EVERYTHING.includes(file))) return tests;
  const reached = new Set<string>();
  const waiting = changed.flatMap((file) => [file, ...foldersOf(file)]);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...(users.get(file) ?? []));
  }
  return tests.filter((file) => reached.has(file));
}

export function readImportUsers(root: string, sources: readonly Source[] = readCode(root)): ImportUsers {
  const users = new Map<string, string[]>();
  const add = (used: string, by: string) => {
    const known = users.get(used);
    if (known === undefined) users.set(used, [by]);
    else known.push(by);
  };
  for (const source of sources) {
    for (const { target } of importsOf(source)) {
      const file = resolveImport(source.file, target);
      if (file !== undefined) add(file, source.file);
    }
    for (const named of findNamedPaths(root, source)) add(named, source.file);
  }
  for (const [user, used] of Object.entries(REACHES)) for (const each of used) add(each, user);
  return users;
}

function findNamedPaths(root: string, source: Source): readonly string[] {
  const found = new Set<string>();
  const look = (text: unknown) => {
    if (typeof text !== 'string' || !/^[\w.@/-]{3,200}$/.test(text) || !/[./]|^migrations$/.test(text))
      return;
    const fromModule = path.posix.join(path.posix.dirname(source.file), text);
    for (const place of [text.replace(/^\.\//, ''), fromModule]) {
      if (place.startsWith('..') || place === '.' || place === '') continue;
      const clean = place.replace(/\/$/, '');
      if (clean in REACHES || isInside(root, clean)) found.add(clean);
    }
  };
  new Visitor({
    Literal: (node) => look(node.value),
    TemplateElement: (node) => look(node.value.cooked),
  }).visit(parseSource(source));
  return [...found];
}

function isInside(root: string, place: string): boolean {
  const full = path.join(root, place);
  if (!existsSync(full)) return false;
  return statSync(full).isFile() || place.includes('/') || READ_WHOLE.has(place);
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
