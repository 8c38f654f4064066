// Checks that every file and folder that the docs name exists, so that a reader never searches for one that was moved.
// CHANGELOG.md is history, so the check leaves it out.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { lineOf, readSources } from './source.ts';

const READ = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'];
/** A path from the root of the repository. A path with a placeholder (`<feature>`, `…`, `*`, `{a,b}`) is a pattern. */
const NAMED =
  /(?<![\w./-])(?:src|test|scripts|bench|local-networks|local-banks|contracts|migrations|docs)\/[\w./<>{},*…-]*/g;
const PATTERN = /[<>{},*…]/;
const LINK = /\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g;

export function findMissingPaths(root: string): string[] {
  return readSources(root, READ).flatMap(({ file, text }) => {
    const named = [...text.matchAll(NAMED)]
      .filter(({ 0: found }) => !PATTERN.test(found))
      .map(({ 0: found, index }) => ({ found: found.replace(/[./]+$/, ''), index }));
    const links = [...text.matchAll(LINK)].map(({ 1: target = '', index }) => ({
      found: path.posix.join(path.posix.dirname(file), target),
      index,
    }));
    const missing = [...named, ...links]
      .filter(({ found }) => !existsSync(path.join(root, found)))
      .map(
        ({ found, index }) =>
          `${file}:${lineOf(text, index)}: there is no ${found}: name the file as it is called now`,
      );
    return [...new Set(missing)];
  });
}
