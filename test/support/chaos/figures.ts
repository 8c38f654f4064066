// The size, the progress and the findings of a chaos run. Sizes come from the environment, progress goes to standard error if
// the environment requests it, and findings are diagnostics of the test.
import type { TestContext } from 'node:test';

export type Figures = Readonly<Record<string, string | number>>;

/**
 * The same seed gives the same stories, faults, kills and pauses. But the machine decides at which point of its work a kill
 * hits a process.
 */
export const SEED = process.env.CHAOS_SEED || 'sliproad';

export function sizeOf(name: string, fallback: number): number {
  const text = process.env[name] || String(fallback);
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`${name} must be a whole number above 0, not ${text}.`);
  return Number(text);
}

export function printFigures(t: TestContext, figures: Figures): void {
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, value] of Object.entries(figures)) t.diagnostic(`${name.padEnd(width)}  ${value}`);
}

/**
 * Applies the rule of three: if something never happened in n tries, then with 95 % confidence it happens in fewer than 3 of n
 * tries.
 */
export function noFailureIn(count: number, what: string): string {
  const percent = Number(Math.min(100, 300 / count).toPrecision(2));
  return `0 failures in ${count} ${what}: below 3/${count} (${percent} %) at 95 %`;
}

const REPORT_EVERY_MS = 10_000;

export function makeProgress(): (line: () => string) => void {
  if (!process.env.CHAOS_PROGRESS) return () => undefined;
  const beganAt = performance.now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (line) => {
    const now = performance.now();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    console.error(`${Math.round((now - beganAt) / 1_000)} s: ${line()}`);
  };
}

export function spread(numbers: readonly number[]): string {
  if (numbers.length === 0) return 'none';
  const sorted = numbers.toSorted((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]}–${sorted.at(-1)})`;
}
