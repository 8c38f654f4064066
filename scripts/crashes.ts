// `npm run crashes` runs the crash tests at full size. It kills real processes with kill -9 at random times, then stops a real
// PostgreSQL at random times. Both happen while transactions of every kind are in progress. Progress goes to standard error,
// figures to standard output. Exit code 0 means that every promise was kept, 1 that one was broken, 2 that the command was
// wrong.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';

const USAGE = `npm run crashes -- [--kills 1000] [--stops 100] [--lifecycles N] [--seed S]

  --kills N        processes killed with kill -9; 0 skips this run
  --stops N        immediate stops of PostgreSQL; 0 skips this run
  --lifecycles N   buys and sells in each run; default: 10 per kill and 80 per stop
  --seed S         repeats the stories, faults, kills and pauses of an earlier run`;

const root = path.dirname(import.meta.dirname);

interface CrashRun {
  readonly title: string;
  readonly file: string;
  readonly settings: Readonly<Record<string, string>>;
}

function readRuns(): CrashRun[] | 'help' {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '1000' },
      stops: { type: 'string', default: '100' },
      lifecycles: { type: 'string' },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const kills = wholeNumber('--kills', values.kills, 0);
  const stops = wholeNumber('--stops', values.stops, 0);
  const given = values.lifecycles && wholeNumber('--lifecycles', values.lifecycles, 1);
  if (kills + stops === 0) throw new Error('--kills and --stops are both 0: there is nothing to run.');
  if (values.seed === '') throw new Error('--seed must not be empty.');
  const settingsOf = (lifecycles: number) => ({
    CHAOS_LIFECYCLES: String(given || lifecycles),
    CHAOS_PROGRESS: '1',
    CHAOS_SEED: values.seed,
  });
  const runs = [
    {
      title: 'kill -9 of services',
      blows: kills,
      file: 'test/faults/settlement-chaos.test.ts',
      settings: { ...settingsOf(kills * 10), CHAOS_KILLS: String(kills) },
    },
    {
      title: 'immediate stops of PostgreSQL',
      blows: stops,
      file: 'test/faults/database-chaos.test.ts',
      settings: { ...settingsOf(stops * 80), CHAOS_STOPS: String(stops) },
    },
  ];
  return runs.filter(({ blows }) => blows > 0);
}

function wholeNumber(flag: string, text: string, least: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new Error(`${flag} must be a whole number from ${least} to 999999, not "${text}".`);
}

/** Returns whether every promise held. It prints the available figures in both cases. */
async function runCrashes({ title, file, settings }: CrashRun, signal: AbortSignal): Promise<boolean> {
  console.error(`${title}, seed ${settings.CHAOS_SEED} …`);
  const figures: string[] = [];
  let held = false;
  const events = run({ files: [path.join(root, file)], env: { ...process.env, ...settings }, signal });
  for await (const { type, data } of events) {
    if (type === 'test:stderr') process.stderr.write(data.message);
    // A count without a file name comes from the test runner itself.
    if (type === 'test:diagnostic' && data.file !== undefined) figures.push(data.message);
    if (type === 'test:pass' && data.nesting === 1) figures.push(`held: ${data.name}`);
    if (type === 'test:fail') figures.push(`NOT HELD: ${data.name}\n${explain(data.details.error)}`);
    if (type === 'test:summary' && data.file === undefined) held = data.success;
  }
  console.log([title, ...figures.map((line) => `  ${line}`), ''].join('\n'));
  return held;
}

function explain(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.stack ?? cause.message;
}

async function main(): Promise<number> {
  let runs: CrashRun[] | 'help';
  try {
    runs = readRuns();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (runs === 'help') {
    console.log(USAGE);
    return 0;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  let allHeld = true;
  for (const each of runs) {
    if (interrupted.signal.aborted) return 1;
    allHeld = (await runCrashes(each, interrupted.signal)) && allHeld;
  }
  console.log(allHeld ? 'All promises held.' : 'A promise was broken.');
  return allHeld ? 0 : 1;
}

process.exit(await main());
