// What failed in a run of the tests and may run again, alone: tests that drive programs, pages and servers from outside wait for
// them with time limits, which a machine under load may exceed. Those of the interface and from end to end are about money, too:
// they must then pass several times in a row. Tests of the domain, of faults and of the simulation never get another chance.
const RUNS_AGAIN: Readonly<Record<string, number>> = {
  ...{ 'test/docs/': 1, 'test/browser/': 1, 'test/http/console/': 1, 'src/cli/': 1 },
  ...{ 'test/http/': 5, 'test/e2e/': 5 },
};
/** More than these at once is not chance. */
const MOST_FILES = 3;

/** From what a run printed: the files to run again and how often they must pass; undefined: the failure stands. */
export function filesToRunAgain(
  printed: string,
): { readonly files: readonly string[]; readonly times: number } | undefined {
  const failures = printed.split(/^✖ failing tests:$/m)[1];
  if (failures === undefined) return undefined;
  const files = [...failures.matchAll(/^test at (\S+?):\d+:\d+$/gm)].map(([, file]) => file!);
  const own = [...new Set(files)];
  const stands = own.length === 0 || own.length > MOST_FILES || own.some((file) => timesOf(file) === 0);
  // A process that ended early, or a run that was cut short, says so on lines of its own.
  if (stands || /^(No test started|The process of a group)/m.test(printed)) return undefined;
  return { files: own, times: Math.max(...own.map(timesOf)) };
}

function timesOf(file: string): number {
  const folder = Object.keys(RUNS_AGAIN).find((each) => file.startsWith(each));
  return folder === undefined ? 0 : RUNS_AGAIN[folder]!;
}

if (import.meta.main) {
  const { readFileSync } = await import('node:fs');
  const again = filesToRunAgain(readFileSync(process.argv[2]!, 'utf8'));
  if (again === undefined) process.exitCode = 1;
  else console.log(again.times, ...again.files);
}
