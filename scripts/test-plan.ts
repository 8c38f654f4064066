// Which test files share a process, and in which order the processes start. A file is in exactly one process.
/** A process: a file that runs alone, or files that run one after another. */
export type Share = readonly string[];

const MOST_IN_A_GROUP = 24;

/**
 * Tests of tests: that the simulation and the contract suites notice planted mistakes, and what the seeds reach. And tests of pages
 * whose commands set up one thing after another. They compute for minutes, and what they say about the product other tests say,
 * too, so they run when they are named: `.ci/run` names them after `npm test`.
 */
const ONLY_WHEN_NAMED =
  /^test\/(simulation\/(planted\/planted|coverage\/coverage)|contract\/[a-z]+\/planted-[a-z]+|docs\/(adding-a-network|people|tutorial))\.test\.ts$/;

/** The files whose path contains a pattern; without a pattern, all that need not be named. */
export function chosen(files: readonly string[], patterns: readonly string[]): readonly string[] {
  if (patterns.length === 0) return files.filter((file) => !ONLY_WHEN_NAMED.test(file));
  return files.filter((file) => patterns.some((pattern) => file.includes(pattern)));
}

/** These start servers and processes, kill them, compute on every core or change what belongs to the whole process. */
const ALONE = /^(test\/(browser|contract|docs|e2e|faults|simulation)|bench|src\/adapters\/embedded)\//;

/**
 * At least `lanes` groups, if there are that many files. Neighbours import the same modules, so they stay together. Files of
 * `test` take longer than those of other folders, and stand before them: a long group at the end would have the machine alone.
 */
export function plan(files: readonly string[], lanes: number, withBrowser = true): readonly Share[] {
  // Without a browser its tests are skipped: loading them takes all their time.
  const isAlone = (file: string) => ALONE.test(file) && (withBrowser || !file.startsWith('test/browser/'));
  const alone = files.filter(isAlone);
  const isLong = (file: string) => Number(file.startsWith('test/'));
  const together = files
    .filter((file) => !isAlone(file))
    .sort()
    .sort((a, b) => isLong(b) - isLong(a));
  const groups = Math.max(lanes, Math.ceil(together.length / MOST_IN_A_GROUP));
  const size = Math.ceil(together.length / groups);
  const shares: Share[] = inOrder(alone).map((file) => [file]);
  for (let from = 0; from < together.length; from += size) shares.push(together.slice(from, from + size));
  return shares;
}

/**
 * Files of `test/simulation` compute on every core, those of `test/faults` mostly wait for processes and time limits: the first
 * are spread among the second, so that they share the cores. Those that are long stand before the shorter ones, which
 * fill all lanes to the end.
 */
function inOrder(all: readonly string[]): readonly string[] {
  const computing = all.filter((file) => file.startsWith('test/simulation/'));
  const waiting = all.filter((file) => file.startsWith('test/faults/'));
  const long = all.filter((file) => /^test\/(browser|contract|docs|e2e)\//.test(file));
  const first = [...spread(computing, waiting), ...long];
  return [...first, ...all.filter((file) => !first.includes(file))];
}

/** The few at equal distances among the many. */
function spread<Item>(few: readonly Item[], many: readonly Item[]): readonly Item[] {
  const placeOf = (index: number, count: number) => (index + 0.5) / count;
  return [
    ...few.map((item, index) => ({ item, place: placeOf(index, few.length) })),
    ...many.map((item, index) => ({ item, place: placeOf(index, many.length) })),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
