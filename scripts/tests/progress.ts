// Shows the progress of a test run: the completed share of the expected work, and the remaining time at the current pace. On a
// terminal, one line is overwritten. Elsewhere, a new line appears from time to time.
import { durationText } from './duration-text.ts';

const TICK_MS = 500;
const LINE_EVERY_MS = 20_000;
/** Before this many seconds, the pace is not reliable. */
const FEWEST_SECONDS = 5;

export interface Progress {
  done(file: string): void;
  failed(): void;
  print(text: string): void;
  end(): void;
}

export interface ProgressSettings {
  readonly files: readonly string[];
  readonly expected: (file: string) => number;
  readonly lanes: number;
  readonly write: (text: string) => void;
  readonly isTerminal?: boolean;
}

export function makeProgress(settings: ProgressSettings): Progress {
  const { files, expected, lanes, write, isTerminal = process.stdout.isTTY === true } = settings;
  const whole = files.reduce((sum, file) => sum + expected(file), 0);
  const beganAt = performance.now();
  const state = { done: 0, doneSeconds: 0, failures: 0, linedAt: beganAt };
  const line = () => {
    const passedSeconds = (performance.now() - beganAt) / 1_000;
    const left = estimateSecondsLeft({ whole, done: state.doneSeconds, passedSeconds, lanes });
    const isLate = left !== undefined && left < 1 && state.done < files.length;
    const about =
      left === undefined ? '' : isLate ? ', longer than expected' : `, about ${durationText(left)} left`;
    const bad = state.failures === 0 ? '' : `, ${state.failures} FAILED`;
    const share = whole === 0 ? 100 : Math.floor((100 * state.doneSeconds) / whole);
    return `${state.done} of ${files.length} files, ${share} %, ${durationText(passedSeconds)}${about}${bad}`;
  };
  const wipe = () => {
    if (isTerminal) write('\r\u001b[2K');
  };
  const timer = setInterval(() => {
    if (isTerminal) write(`\r\u001b[2K${line()}`);
    else if (performance.now() - state.linedAt >= LINE_EVERY_MS) {
      state.linedAt = performance.now();
      write(`${line()}\n`);
    }
  }, TICK_MS);
  timer.unref();
  return {
    done: (file) => {
      state.done++;
      state.doneSeconds += expected(file);
    },
    failed: () => {
      state.failures++;
    },
    print: (text) => {
      wipe();
      write(text);
    },
    end: () => {
      clearInterval(timer);
      wipe();
    },
  };
}

/** The estimate uses the expected pace at first, and more and more the pace of this run. */
export function estimateSecondsLeft(run: {
  readonly whole: number;
  readonly done: number;
  readonly passedSeconds: number;
  readonly lanes: number;
}): number | undefined {
  const { whole, done, passedSeconds, lanes } = run;
  if (passedSeconds < FEWEST_SECONDS || whole === 0) return undefined;
  const expectedPace = lanes;
  const ownPace = done / passedSeconds;
  const weight = Math.min(1, (4 * done) / whole);
  const pace = weight * ownPace + (1 - weight) * expectedPace;
  return Math.max(0, (whole - done) / pace);
}
