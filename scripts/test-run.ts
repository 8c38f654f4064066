// Runs test files in processes, prints what happens in them and decides whether the whole run passed. No file may hang:
// each test has a time limit, and the run is stopped when no test starts or ends for `quietMs`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { Group } from './test-group.ts';
import type { Share } from './test-plan.ts';

const PROGRESS = '.running';

export interface RunSettings {
  readonly shares: readonly Share[];
  readonly root: string;
  /** For the modules that run the groups. */
  readonly scratchDir: string;
  readonly lanes: number;
  readonly fileTimeoutMs: number;
  readonly endTimeoutMs: number;
  readonly quietMs: number;
  readonly signal: AbortSignal;
}

export async function runShares(settings: RunSettings): Promise<boolean> {
  const quiet = new AbortController();
  const events = run({
    // Unlike `node --test`, it keeps the order of the files.
    files: settings.shares.map((share, index) => fileOf(share, index, settings)),
    cwd: settings.root,
    concurrency: settings.lanes,
    // For each test; the runner has no limit for a process.
    timeout: settings.quietMs,
    execArgv: ['--enable-source-maps'],
    signal: AbortSignal.any([settings.signal, quiet.signal]),
  });
  let passed = false;
  const watch = setTimeout(() => quiet.abort(), settings.quietMs);
  events.on('test:dequeue', () => watch.refresh());
  events.on('test:complete', () => watch.refresh());
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success;
  });
  for await (const text of events.compose(spec)) process.stdout.write(text);
  clearTimeout(watch);
  if (quiet.signal.aborted) console.error(`No test started or ended for ${settings.quietMs} ms.`);
  const cut = cutShort(settings.scratchDir);
  for (const file of cut) console.error(`The process of a group ended or was stopped while it ran ${file}.`);
  return passed && cut.length === 0;
}

/** The file to give to the runner, which takes files only: a group becomes a module. */
function fileOf(share: Share, index: number, settings: RunSettings): string {
  const { root, scratchDir, fileTimeoutMs, endTimeoutMs } = settings;
  const [first] = share;
  if (share.length === 1 && first !== undefined) return path.join(root, first);
  const place = path.join(scratchDir, `group-${index + 1}`);
  const group: Group = {
    files: share,
    root,
    fileTimeoutMs,
    endTimeoutMs,
    progressFile: `${place}${PROGRESS}`,
  };
  const runner = path.join(import.meta.dirname, 'test-group.ts');
  writeFileSync(
    `${place}.mjs`,
    `import { runGroup } from ${JSON.stringify(runner)};\nawait runGroup(${JSON.stringify(group)});\n`,
  );
  return `${place}.mjs`;
}

/** The files at which groups were when their processes ended. The exit code shows that only if it is not 0. */
function cutShort(scratchDir: string): readonly string[] {
  return readdirSync(scratchDir)
    .filter((name) => name.endsWith(PROGRESS))
    .map((name) => readFileSync(path.join(scratchDir, name), 'utf8'));
}
