// Runs test files in processes, passes their events to the report, and decides whether the whole run passed. If no test starts
// or ends within a time limit, the run is stopped and the running tests are reported.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import { stretchedTime } from '../../test/support/patience.ts';
import type { TestShare } from './plan-shares.ts';
import type { TestReport } from './report.ts';
import type { TestGroup } from './run-group.ts';

const PROGRESS = '.running';
const LOOK_EVERY_MS = 1_000;

export interface RunSettings {
  readonly shares: readonly TestShare[];
  readonly root: string;
  readonly scratchDir: string;
  readonly lanes: number;
  /** Runs only tests whose name matches. Undefined means all tests. */
  readonly names: string | undefined;
  readonly report: TestReport;
  /**
   * `testMs` is how long one test may take. `silenceMs` is how long the run may go on without a test that starts or ends. On a
   * busy machine, both limits are longer.
   */
  readonly testMs: number;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

export async function runShares(settings: RunSettings): Promise<boolean> {
  const { root, report } = settings;
  const silence = new AbortController();
  const shares = new Map(settings.shares.map((share, index) => [fileOf(share, index, settings), share]));
  const events = run({
    // Unlike `node --test`, this keeps the order of the files.
    files: [...shares.keys()],
    cwd: root,
    concurrency: settings.lanes,
    // The limit for each test. The runner has no limit for a process.
    timeout: settings.testMs,
    execArgv: ['--enable-source-maps'],
    ...(settings.names !== undefined && { testNamePatterns: settings.names }),
    signal: AbortSignal.any([settings.signal, silence.signal]),
  });
  let passed = false;
  let quiet = stretchedTime(settings.silenceMs);
  const watch = setInterval(() => {
    if (quiet.isUp()) silence.abort();
  }, LOOK_EVERY_MS);
  const alive = () => {
    quiet = stretchedTime(settings.silenceMs);
  };
  events.on('test:dequeue', (event) => {
    alive();
    report.started(event);
  });
  events.on('test:complete', (event) => {
    alive();
    report.completed(event);
  });
  const printed = ({ message, file }: { readonly message: string; readonly file?: string | undefined }) =>
    report.printed(message, shares.get(file ?? '') ?? []);
  events.on('test:stdout', printed);
  events.on('test:stderr', printed);
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success;
  });
  // The tests run only while the events are read.
  for await (const _event of events);
  clearInterval(watch);
  if (silence.signal.aborted) report.stoppedSilent();
  const cut = findCutShort(settings.scratchDir);
  for (const file of cut) report.cutShort(file);
  return passed && cut.length === 0;
}

/** The runner accepts only files, so a group of files becomes a module. */
function fileOf(share: TestShare, index: number, { root, scratchDir }: RunSettings): string {
  const [first] = share;
  if (share.length === 1 && first !== undefined) return path.join(root, first);
  const place = path.join(scratchDir, `group-${index + 1}`);
  const group: TestGroup = { files: share, root, progressFile: `${place}${PROGRESS}` };
  const [followPromises, runner] = ['follow-promises.ts', 'run-group.ts'].map((name) =>
    path.join(import.meta.dirname, name),
  );
  writeFileSync(
    `${place}.mjs`,
    `import ${JSON.stringify(followPromises)};
const { runTestGroup } = await import(${JSON.stringify(runner)});
await runTestGroup(${JSON.stringify(group)});
`,
  );
  return `${place}.mjs`;
}

/** The files that groups were running when their processes ended. The exit code shows this only if it is not 0. */
function findCutShort(scratchDir: string): readonly string[] {
  return readdirSync(scratchDir)
    .filter((name) => name.endsWith(PROGRESS))
    .map((name) => readFileSync(path.join(scratchDir, name), 'utf8'));
}
