// The output of a test run: the progress and the remaining time, each failure immediately with the command that runs it alone,
// and at the end the slowest files, the duration and the result.
import path from 'node:path';
import { inspect } from 'node:util';
import { durationText } from './duration-text.ts';
import { readCpuSeconds } from './machine.ts';
import { makeProgress } from './progress.ts';
import type { Times } from './times.ts';

const SLOWEST = 20;
/** How much output of a process is kept: its end, which says most. */
const MOST_OUTPUT = 20_000;

interface TestEvent {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

interface CompletedTest extends TestEvent {
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details: {
    readonly duration_ms: number;
    readonly passed: boolean;
    readonly type?: string | undefined;
    readonly error?: Error | undefined;
  };
}

export interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly ms: number;
  readonly result: 'passed' | 'failed' | 'skipped';
}

export interface TestReport {
  started(event: TestEvent): void;
  completed(event: CompletedTest): void;
  /** The process of these files printed the text. */
  printed(text: string, files: readonly string[]): void;
  /** No test started or ended for too long. */
  stoppedSilent(): void;
  /** A process ended while it ran this file. */
  cutShort(file: string): void;
  /** Prints the end of the report. */
  end(passed: boolean): void;
  readonly seconds: Times;
  readonly results: readonly TestResult[];
}

export interface ReportSettings {
  readonly root: string;
  readonly files: readonly string[];
  /** The approximate duration of each file. */
  readonly expected: (file: string) => number;
  readonly lanes: number;
  readonly write?: (text: string) => void;
  readonly isTerminal?: boolean;
}

/** The errors that the runner gives to a suite or file because a test inside it failed. */
const BECAUSE_OF_INNER = new Set(['subtestsFailed', 'cancelledByParent']);

export function makeTestReport(settings: ReportSettings): TestReport {
  const { root, write = (text: string) => void process.stdout.write(text) } = settings;
  const beganAt = performance.now();
  const running = new Map<string, TestEvent>();
  const seconds: Record<string, number> = {};
  const results: TestResult[] = [];
  const output = new Map<readonly string[], string>();
  const failedFiles = new Set<string>();
  /** One line for each failure. All are repeated at the end, so that a reader of only the end of a log finds them. */
  const failures: string[] = [];
  const progress = makeProgress({ ...settings, write });
  const fileOf = (file: string | undefined) =>
    file === undefined ? '(unknown)' : path.relative(root, file).split(path.sep).join('/');
  const keyOf = ({ name, nesting, file }: TestEvent) => `${fileOf(file)}\0${nesting}\0${name}`;

  const fileDone = (file: string, ms: number) => {
    seconds[file] = ms / 1_000;
    progress.done(file);
  };
  const failed = (event: CompletedTest, file: string) => {
    failures.push(`${file}: ${event.name}`);
    failedFiles.add(file);
    progress.failed();
    progress.print(failureText(event, file, settings.files.includes(file)));
  };
  return {
    seconds,
    results,
    started: (event) => void running.set(keyOf(event), event),
    completed: (event) => {
      running.delete(keyOf(event));
      const file = fileOf(event.file);
      const { passed, duration_ms: ms, type, error } = event.details;
      const own = testFileOf(event, root);
      if (own !== undefined && settings.files.includes(own)) {
        fileDone(own, ms);
        // The file itself failed: it ended early or left work undone. Or the failed test is in a module that several files share.
        if (!passed && !isInner(error)) failed(event, own);
        else if (!passed && !failedFiles.has(own)) progress.print(`✖ ${own}\n${aloneLine(own)}\n`);
        return;
      }
      if (type === 'suite' || isProcess(event)) {
        if (!passed && !isInner(error)) failed(event, file);
        return;
      }
      if (!passed && !isInner(error)) failed(event, file);
      results.push({ file, name: event.name, ms, result: resultOf(event) });
    },
    printed: (text, files) => void output.set(files, `${output.get(files) ?? ''}${text}`.slice(-MOST_OUTPUT)),
    stoppedSilent: () => {
      failures.push('No test started or ended for too long.');
      progress.print('\n✖ No test started or ended for too long: the run was stopped. It was running:\n');
      for (const event of running.values())
        if (!isProcess(event)) progress.print(`  ${fileOf(event.file)}: ${event.name}\n`);
    },
    cutShort: (file) => {
      failures.push(`${file}: its process ended or was stopped`);
      failedFiles.add(file);
      progress.print(`\n✖ A process ended or was stopped while it ran ${file}\n${aloneLine(file)}`);
    },
    end: (passed) => {
      progress.end();
      printOutput(output, failedFiles, write);
      printSlowest(seconds, write);
      printFailures(failures, write);
      const took = (performance.now() - beganAt) / 1_000;
      printResult({ passed, failures: failures.length, results, took }, write);
    },
  };
}

function failureText(event: CompletedTest, file: string, isTestFile: boolean): string {
  const place = `${file}${event.line === undefined ? '' : `:${event.line}`}`;
  const alone = isTestFile ? aloneLine(file) : '';
  return `\n✖ ${event.name}\n  ${place}\n${indentText(textOf(event.details.error))}\n${alone}\n`;
}

function resultOf({ skip, details }: CompletedTest): TestResult['result'] {
  if (skip !== undefined && skip !== false) return 'skipped';
  return details.passed ? 'passed' : 'failed';
}

/** This output arrives later than the result of a test, so it cannot be shown next to it. */
function printOutput(
  output: ReadonlyMap<readonly string[], string>,
  failedFiles: ReadonlySet<string>,
  write: (text: string) => void,
): void {
  for (const [files, text] of output) {
    const failing = files.filter((file) => failedFiles.has(file));
    if (failing.length > 0) write(`\nPrinted by the process of ${failing.join(', ')}:\n${indentText(text)}`);
  }
}

function printSlowest(seconds: Times, write: (text: string) => void): void {
  const slowest = Object.entries(seconds).sort(([, a], [, b]) => b - a);
  write(`\nThe ${Math.min(SLOWEST, slowest.length)} slowest files:\n`);
  for (const [file, each] of slowest.slice(0, SLOWEST)) write(`${each.toFixed(1).padStart(8)} s  ${file}\n`);
}

function printFailures(failures: readonly string[], write: (text: string) => void): void {
  if (failures.length > 0) write(`\nWhat failed:\n${failures.map((line) => `  ${line}\n`).join('')}`);
}

interface RunOutcome {
  readonly passed: boolean;
  readonly failures: number;
  readonly results: readonly TestResult[];
  readonly took: number;
}

/** The last line contains only the counts, for programs that read it. */
function printResult({ passed, failures, results, took }: RunOutcome, write: (text: string) => void): void {
  const count = (result: TestResult['result']) => results.filter((each) => each.result === result).length;
  const counts = `${count('passed')} passed, ${Math.max(failures, count('failed'))} failed, ${count('skipped')} skipped`;
  const cpu = readCpuSeconds();
  const cost = `${durationText(took)}${cpu === undefined ? '' : `, ${Math.round(cpu)} s of CPU`}`;
  write(`\n${passed ? 'Passed' : 'FAILED'} in ${cost}: ${counts}\n`);
  write(`${counts}\n`);
}

/**
 * The test file that ended with this event. A file that runs alone has an event with its path; a file of a group is a suite with
 * its name.
 */
function testFileOf(event: CompletedTest, root: string): string | undefined {
  const { name, nesting, details } = event;
  if (nesting !== 0) return undefined;
  if (isProcess(event)) return path.relative(root, name).split(path.sep).join('/');
  return details.type === 'suite' ? name : undefined;
}

/** The name of the event of a whole process is the path of its file. */
function isProcess({ name, file }: TestEvent): boolean {
  return name === file;
}

function isInner(error: Error | undefined): boolean {
  return BECAUSE_OF_INNER.has((error as { failureType?: string } | undefined)?.failureType ?? '');
}

function textOf(error: Error | undefined): string {
  if (error === undefined) return '';
  // The runner wraps the error that a test threw.
  return inspect((error as { cause?: unknown }).cause ?? error, { depth: 6 });
}

function aloneLine(file: string): string {
  return `  Alone: npm test -- ${file}\n`;
}

function indentText(text: string): string {
  return text === '' ? '' : text.replace(/^(?=.)/gm, '  ');
}
