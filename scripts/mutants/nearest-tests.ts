// Finds the tests that can notice a mistake in a file, the nearest first: tests next to it, then tests that import it
// indirectly. It leaves out tests that reach the file only through a bundle, because bundles are built from the unchanged
// sources.
import { importsOf, resolveImport, type Source } from '../checks/source.ts';
import type { ImportUsers } from '../tests/changed-tests.ts';
import { filterFiles } from '../tests/plan-shares.ts';
import { secondsOf, type Times } from '../tests/times.ts';

const BUNDLES = new Set(['build/main.js', 'build/sliproad.js', 'bin/sliproad']);

/** If two tests are equally near, the faster one comes first. */
export function listNearestTests(
  users: ImportUsers,
  tests: readonly string[],
  file: string,
  times: Times = {},
): readonly string[] {
  const steps = new Map([[file, 0]]);
  const waiting = [file];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const user of users.get(next) ?? []) {
      if (steps.has(user) || BUNDLES.has(user)) continue;
      steps.set(user, steps.get(next)! + 1);
      waiting.push(user);
    }
  }
  const beside = file.replace(/\.ts$/, '.test.ts');
  const distance = (test: string) => (test === beside ? 0 : steps.get(test)!);
  return filterFiles(tests, [])
    .filter((test) => steps.has(test))
    .toSorted(
      (a, b) => distance(a) - distance(b) || secondsOf(times, a) - secondsOf(times, b) || a.localeCompare(b),
    );
}

export function findImportedBy(sources: readonly Source[], folder: string): ReadonlySet<string> {
  const bySource = new Map(sources.map((source) => [source.file, source]));
  const waiting = [...bySource.keys()].filter((file) => file.startsWith(`${folder}/`));
  const found = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const source = bySource.get(next);
    if (source === undefined || found.has(next)) continue;
    found.add(next);
    for (const { target } of importsOf(source)) {
      const file = resolveImport(next, target);
      if (file !== undefined) waiting.push(file);
    }
  }
  return found;
}
