// Measures the files that a browser loads before it shows the first page of the dashboard: the entry file and its static
// imports. Pages and plots load later, so they do not count.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const MOST_KB = 250;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

export function filesOfFirstLoad(manifest: Manifest): readonly string[] {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const each of manifest[name]?.imports ?? []) visit(each);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) visit(name);
  return [...seen].map((name) => manifest[name]!.file);
}

export function findLargeFirstLoad(root: string, mostKb = MOST_KB): string[] {
  const built = path.join(root, 'dashboard', 'dist');
  const manifest = JSON.parse(readFileSync(path.join(built, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const bytes = filesOfFirstLoad(manifest)
    .map((file) => gzipSync(readFileSync(path.join(built, file))).length)
    .reduce((sum, each) => sum + each, 0);
  const kb = Math.ceil(bytes / 1000);
  if (kb <= mostKb) return [];
  return [
    `dashboard: the first load is ${kb} kB of compressed JavaScript, at most ${mostKb} kB are allowed: load more of it later`,
  ];
}
