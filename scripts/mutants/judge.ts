// Judges one mutant in a copy of the tree. It runs the tests that can reach the mistake, one file after another until one
// fails, or seeds of the simulation. The result does not depend on the machine, because a test that also fails without the
// mistake does not count.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limitMs } from '../../test/support/patience.ts';
import type { TestReport } from '../tests/report.ts';
import { runShares } from '../tests/run-shares.ts';
import type { Mutant } from './draw-mutants.ts';
import type { MutantVerdict } from './results.ts';
import type { Scratch } from './scratch.ts';

export type Judge = (mutant: Mutant, limitSeconds: number) => Promise<MutantVerdict>;

interface TestRun {
  readonly failed: { readonly file: string; readonly name: string } | null;
  readonly ended: number;
  readonly timeIsUp: boolean;
}

export function judgeByTests(scratch: Scratch, testsFor: (file: string) => readonly string[]): Judge {
  const sound = new Map<string, Promise<boolean>>();
  const isSound = (file: string): Promise<boolean> => {
    const known = sound.get(file) ?? runFiles(scratch, [file], null).then(({ failed }) => failed === null);
    sound.set(file, known);
    return known;
  };
  return async (mutant, limitSeconds) => {
    const endsAt = performance.now() + limitSeconds * 1_000;
    let tests = testsFor(mutant.file);
    let ended = 0;
    for (;;) {
      const leftMs = endsAt - performance.now();
      const run = await scratch.withText(mutant.file, mutant.text, () => runFiles(scratch, tests, leftMs));
      ended += run.ended;
      if (run.failed === null) return { kind: run.timeIsUp ? 'limit' : 'missed', tests: ended };
      const { file, name } = run.failed;
      if (await isSound(file)) return { kind: 'caught', by: name === file ? file : `${file}: ${name}` };
      // The test also fails without the mistake, so this failure proves nothing. The next tests run.
      tests = tests.slice(tests.indexOf(file) + 1);
    }
  };
}

/** Runs each file in a separate process, in the given order, until a test fails. */
async function runFiles(
  scratch: Scratch,
  files: readonly string[],
  withinMs: number | null,
): Promise<TestRun> {
  if (files.length === 0 || (withinMs !== null && withinMs <= 0))
    return { failed: null, ended: 0, timeIsUp: files.length > 0 };
  const stop = new AbortController();
  const state: { failed: TestRun['failed']; ended: number; timeIsUp: boolean } = {
    ...{ failed: null, ended: 0, timeIsUp: false },
  };
  const end = (failed: TestRun['failed']) => {
    // A test that ends after the stop failed because of the stop.
    if (stop.signal.aborted) return;
    state.failed = failed;
    stop.abort();
  };
  const timer = setTimeout(() => {
    state.timeIsUp = true;
    stop.abort();
  }, withinMs ?? limitMs('file'));
  const fileOf = (file = '') => path.relative(scratch.root, file).split(path.sep).join('/');
  const report: TestReport = {
    ...{ seconds: {}, results: [], started: () => undefined, printed: () => undefined },
    ...{ end: () => undefined, stoppedSilent: () => undefined },
    completed: ({ name, file, skip, todo, details }) => {
      const own = fileOf(file);
      const isFile = fileOf(path.resolve(scratch.root, name)) === own;
      if (!details.passed && skip === undefined && todo === undefined)
        end({ file: own, name: isFile ? own : name });
      else if (isFile && !stop.signal.aborted) state.ended++;
    },
    cutShort: (file) => end({ file, name: file }),
  };
  const scratchDir = mkdtempSync(path.join(tmpdir(), 'sliproad-mutant-run-'));
  try {
    const passed = await runShares({
      ...{ shares: files.map((file) => [file]), root: scratch.root, scratchDir, lanes: 1, report },
      ...{ names: undefined, testMs: limitMs('test'), silenceMs: limitMs('silence'), signal: stop.signal },
    });
    if (!passed && !stop.signal.aborted) end({ file: files.at(-1)!, name: files.at(-1)! });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    rmSync(scratchDir, { recursive: true, force: true });
  }
  return state;
}

/** Judges by a program that runs seeds, prints `BROKEN …` for a broken promise, and then fails. */
export function judgeByProgram(scratch: Scratch, program: readonly string[]): Judge {
  return (mutant, limitSeconds) =>
    scratch.withText(mutant.file, mutant.text, async (): Promise<MutantVerdict> => {
      const child = spawn(process.execPath, program, {
        cwd: scratch.root,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: limitSeconds * 1_000,
        killSignal: 'SIGKILL',
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          // Otherwise the program would search for a shorter sequence next, which takes a long time.
          if (BROKEN.test(said)) child.kill('SIGKILL');
        });
      const [code] = (await once(child, 'close')) as [number | null];
      const broken = BROKEN.exec(said)?.[0];
      if (broken !== undefined) return { kind: 'caught', by: `${program[0]}: ${broken.slice(0, 120)}` };
      if (code === null) return { kind: 'limit', tests: 1 };
      return code === 0 ? { kind: 'missed', tests: 1 } : { kind: 'caught', by: `${program[0]}: it fails` };
    });
}

const BROKEN = /^BROKEN .*(?=\n)/m;
