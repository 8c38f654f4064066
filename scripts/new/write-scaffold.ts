// Writes a scaffold completely or not at all. It never overwrites an existing file, and after a failure the tree is unchanged.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FileEdit } from './file-edits.ts';
import { ScaffoldRefused } from './names.ts';

export interface Scaffold {
  /** New files by path from the root of the repository. */
  readonly files: Readonly<Record<string, string>>;
  readonly edits: readonly FileEdit[];
  /** If one of these files or folders exists, the name is already taken. */
  readonly taken: readonly string[];
}

/** `finish` runs on the tree with the scaffold. If it throws, everything is undone. */
export function writeScaffold(
  root: string,
  { files, edits, taken }: Scaffold,
  finish: (files: readonly string[]) => void = (all) => formatFiles(root, all),
): void {
  const there = [...taken, ...Object.keys(files)].find((file) => existsSync(path.join(root, file)));
  if (there !== undefined)
    throw new ScaffoldRefused(`The name is taken: ${there} exists. Choose another one.`);
  const changed = new Map<string, string>();
  for (const { file, apply } of edits)
    changed.set(file, apply(changed.get(file) ?? readFileSync(path.join(root, file), 'utf8')));
  const undo: (() => void)[] = [];
  try {
    for (const [file, text] of Object.entries(files)) createFile(root, file, text, undo);
    for (const [file, text] of changed) {
      const place = path.join(root, file);
      const old = readFileSync(place, 'utf8');
      undo.push(() => writeFileSync(place, old));
      writeFileSync(place, text);
    }
    finish([...Object.keys(files), ...changed.keys()]);
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

function createFile(root: string, file: string, text: string, undo: (() => void)[]): void {
  const place = path.join(root, file);
  const missing: string[] = [];
  for (let folder = path.dirname(place); !existsSync(folder); folder = path.dirname(folder))
    missing.unshift(folder);
  for (const folder of missing) {
    mkdirSync(folder);
    undo.push(() => rmdirSync(folder));
  }
  // With `wx`, a file that someone created in the meantime is not overwritten either.
  writeFileSync(place, text, { flag: 'wx' });
  undo.push(() => rmSync(place));
}

/** The name decides line breaks and the position of an import, so the files are formatted after they are written. */
function formatFiles(root: string, files: readonly string[]): void {
  const biome = path.join(root, 'node_modules', '.bin', 'biome');
  const args = ['check', '--write', '--error-on-warnings', ...files];
  const { status, stdout, stderr, error } = spawnSync(biome, args, { cwd: root, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`Biome rejects the generated files:\n${stdout}${stderr}`);
}
