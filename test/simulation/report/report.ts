// Writes the output of a simulation run. Findings go to stdout and depend only on the seeds; progress and durations go to
// stderr.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import known from '../planted/known-seeds.json' with { type: 'json' };
import type { Bug } from '../planted/patch.ts';
import { type Caught, findQuickSeeds, runPlanted, seedsFor, USUAL_SEEDS } from '../planted/run-planted.ts';
import { runSeeds, type Totals, threadCount } from '../pool.ts';
import { runSeed } from '../run-seed.ts';
import { shrink } from './shrink.ts';

const STORIES_PRINTED = 3;
const REPORT_EVERY_MS = 10_000;
let reportedAtMs = 0;

export async function simulate(
  first: number,
  count: number,
  { bug, untilBroken }: { readonly bug: Bug | null; readonly untilBroken: boolean },
): Promise<void> {
  const startedAtMs = performance.now();
  const rate = (totals: Totals) => (totals.seeds / ((performance.now() - startedAtMs) / 1_000)).toFixed(0);
  const totals = await runSeeds(first, count, {
    ...{ bug, untilBroken },
    onDone: (so) =>
      progress(`${so.seeds} of ${count} seeds, ${rate(so)} a second, ${so.broken.length} broken`),
  });
  progress('');
  const { transactions, events, faults, endings, broken } = totals;
  const ran = untilBroken ? `${totals.seeds} seeds from ${first}` : `seeds ${first} to ${first + count - 1}`;
  console.log(`${ran}: ${transactions} transactions, ${events} events`);
  console.log(`faults met: ${listed(faults)}`);
  console.log(`ended as: ${listed(endings)}`);
  for (const { seed, failure } of broken)
    console.log(`BROKEN seed ${seed}: ${failure.promise}: ${firstLine(failure.detail)}`);
  for (const { seed } of broken.slice(0, STORIES_PRINTED)) await printStory(seed);
  const bound =
    broken.length === 0 && count > 3 ? `; below ${(3 / count).toPrecision(2)} of all seeds at 95 %` : '';
  console.log(`${broken.length} of ${totals.seeds} seeds broke a promise${bound}`);
  console.error(`${rate(totals)} seeds a second on ${threadCount()} threads`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

/** Prints the shortest sequence of events that breaks the same promise, as far as the search found one. */
async function printStory(seed: number): Promise<void> {
  const original = await runSeed(seed);
  progress(`seed ${seed}: looking for a shorter way to the same end`);
  const { errands, faults, result, runs } = await shrink(seed, original);
  progress('');
  const { failure } = result;
  console.log(`\nseed ${seed}: ${failure?.promise}\n  ${failure?.detail.replaceAll('\n', '\n  ')}`);
  console.log(`  with ${errands.length} of ${original.errands.length} customers: ${errands.join(', ')}`);
  console.log(`  and ${faults.length} of ${original.faults.length} faults, after ${runs} runs:`);
  for (const fault of faults) console.log(`    ${fault}`);
  console.log(`  the story of ${failure?.subject ?? 'everything'}:`);
  for (const line of failure?.subject === null ? result.lines : result.story) console.log(`    ${line}`);
  console.log(`  all of it: npm run simulate -- --seeds 1 --from ${seed} --trace\n`);
}

export async function traceSeeds(first: number, count: number): Promise<void> {
  for (let seed = first; seed < first + count; seed++) {
    const { lines, failure, events, transactions } = await runSeed(seed, { traced: true });
    process.stdout.write(`${lines.join('\n')}\n`);
    console.log(
      `seed ${seed}: ${transactions} transactions, ${events} events, ${failure === null ? 'every promise kept' : `BROKEN: ${failure.promise}: ${failure.detail}`}`,
    );
    if (failure !== null) process.exitCode = 1;
  }
}

export async function simulatePlanted(first: number, limit = USUAL_SEEDS, write = false): Promise<void> {
  let done = 0;
  const results = await runPlanted(first, limit, {
    onCaught: () => progress(`${++done} mistakes planted`),
    ...(write && { known }),
  });
  progress('');
  for (const { bug, seed, failure } of results) {
    const found =
      failure === null
        ? `NOT CAUGHT in ${seedsFor(bug, limit)} seeds`
        : `caught by seed ${seed}: ${failure.promise}`;
    console.log(`${bug.name}: ${bug.what}\n    ${found}`);
  }
  if (write) await writeKnownSeeds(results);
  const caught = results.filter(({ failure }) => failure !== null).length;
  console.log(`${caught} of ${results.length} planted mistakes caught`);
  process.exitCode = caught === results.length ? 0 : 1;
}

async function writeKnownSeeds(results: readonly Caught[]): Promise<void> {
  const file = path.join(import.meta.dirname, '../planted/known-seeds.json');
  writeFileSync(file, `${JSON.stringify(await findQuickSeeds(results, known), null, 2)}\n`);
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function firstLine(text: string): string {
  return text.split('\n')[0]!;
}

/** Writes progress to stderr. A terminal line is overwritten; without a terminal, a new line appears from time to time. */
export function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
  else if (line !== '' && performance.now() - reportedAtMs > REPORT_EVERY_MS) {
    reportedAtMs = performance.now();
    console.error(line);
  }
}
