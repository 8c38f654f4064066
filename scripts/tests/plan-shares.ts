// Plans which test files share a process, and in which order the processes start. Each file is in exactly one process.
import { secondsOf, type Times } from './times.ts';

/** A process that runs one file alone, or several files one after another. */
export type TestShare = readonly string[];

/** A process that runs files for longer than this would finish last. */
const LONGEST_GROUP_SECONDS = 120;
const MOST_IN_A_GROUP = 160;

/**
 * These tests run only when they are named. `.ci/run` names all of them after `npm test`. They take minutes, and `npm test` runs
 * another file of each kind, which finds most mistakes first.
 */
export const ONLY_WHEN_NAMED = [
  // Tests of the tests: whether the simulation and the contract suites notice planted mistakes, and which code the seeds reach.
  'test/simulation/planted/planted',
  'test/simulation/coverage/coverage',
  'test/contract/[a-z]+/planted-[a-z]+',
  // Seeds that once broke a promise, and histories for which the database and the model must give the same results. In `npm
  // test`, simulation/simulation runs other seeds, and model/serial-order runs other histories.
  'test/simulation/(found-seeds|model/equivalence)',
  // Pages with long sequences of commands. docs/first-steps stays in `npm test`.
  'test/docs/(adding-a-network|people|sandbox-scenarios|tutorial)',
  // Buys and sells on banks and providers that were written independently. The contract of each rail and network stays in `npm
  // test`.
  'test/strangers/.+',
  // The treasury's native coin down to the last unit, and servers with different lags. The contract of each family stays in
  // `npm test`.
  'test/contract/[a-z]+/[a-z]+-native-coin',
  'test/contract/evm/evm-lags',
  // More tests of chaos, stop and backup, and several processes on one database. Also kills with kill -9: of the senders of
  // tokens, webhooks and event streams, and during a first start. settlement-chaos, stop, src/adapters/embedded/backup,
  // kill-service and bank-sender stay in `npm test`.
  'test/faults/(database-chaos|stop-while-away|backup|network-sender|webhook-kills|event-streams)',
  'test/faults/(first-start|several-processes)',
  // Networks that are set up, forgotten, disabled or have one provider, on local chains. local-networks and live-mode stay in
  // `npm test`.
  'test/e2e/(networks-disabled|networks-forget|networks-set-up|one-provider)',
  // The package as npm installs it, and the operator's commands. e2e/client-commands, docs/first-steps and src/cli stay in `npm
  // test`, and they run commands too.
  'test/e2e/(packed-command|command-line|command-line-people)',
  // Complete workflows on a page. In `npm test`, every-page opens each page, and first-buy, review and sign-in stay.
  'test/browser/(team|people|rates|rails|cases|statements|integration|operator-money|business-money|sandbox-sign-up)',
  // The package of the SDK, and each example of its README.
  'sdk/test/(package|readme)',
  // A database that root starts: server/open and server/survive stay, and every other test of a CI machine runs as root.
  'src/adapters/embedded/server/root',
  // Runs of the test runner itself and of the mutants, and a second compilation of the contracts.
  'scripts/tests/(run-group|run-shares|changed-tests)',
  'scripts/mutants/mutants',
  'scripts/contracts',
  // Type-checks the whole dashboard again. `npm run check` does that with the current types.
  'scripts/checks/renamed-field',
  // Type-checks a copy of the repository with every scaffold. scripts/new/new stays in `npm test`.
  'scripts/new/scaffolds',
].map((pattern) => new RegExp(`^${pattern}\\.test\\.ts$`));

/** The files whose path contains one of the patterns. Without a pattern, all files except those that must be named. */
export function filterFiles(files: readonly string[], patterns: readonly string[]): readonly string[] {
  if (patterns.length === 0)
    return files.filter((file) => !ONLY_WHEN_NAMED.some((pattern) => pattern.test(file)));
  return files.filter((file) => patterns.some((pattern) => file.includes(pattern)));
}

/** These tests start and kill servers and processes, compute on every core, or change state of the whole process. */
const ALONE = /^(test\/(faults|simulation)|bench|src\/adapters\/embedded)\//;

/**
 * Files of one folder import the same modules and share a service or a browser, so they stay together. The longest process
 * starts first, because it would run alone at the end if it started late.
 */
export function planShares(files: readonly string[], lanes: number, times: Times = {}): readonly TestShare[] {
  const seconds = (share: TestShare) => share.reduce((sum, file) => sum + secondsOf(times, file), 0);
  const alone = files.filter((file) => ALONE.test(file)).map((file) => [file]);
  const together = files.filter((file) => !ALONE.test(file)).sort();
  const longest = Math.min(LONGEST_GROUP_SECONDS, Math.ceil(seconds(together) / lanes));
  const groups: string[][] = [];
  for (const file of together) {
    const group = groups.at(-1);
    const fits =
      group !== undefined &&
      group.length < MOST_IN_A_GROUP &&
      roomOf(group[0]!) === roomOf(file) &&
      seconds([...group, file]) <= longest;
    if (fits) group.push(file);
    else groups.push([file]);
  }
  return [...alone, ...groups].sort((a, b) => seconds(b) - seconds(a));
}

function roomOf(file: string): string {
  const [first, second] = file.split('/');
  return first === 'test' || first === 'src' ? `${first}/${second}` : '';
}
