// `npm run mutants` checks whether the tests would notice a mistake. The program makes small mistakes in code that handles
// money, selected by a seed. For each mistake it runs the tests that can reach it, the nearest first, until one catches it. The
// working tree never changes.
import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { onCluster, TEMPLATE } from '../test/support/database.ts';
import { readCode } from './checks/source.ts';
import { diffOf } from './mutants/diff.ts';
import { drawMutants, readMoneySources } from './mutants/draw-mutants.ts';
import { type Judge, judgeByProgram, judgeByTests } from './mutants/judge.ts';
import { findImportedBy, listNearestTests } from './mutants/nearest-tests.ts';
import { findPlayedCode } from './mutants/played-code.ts';
import { openMutantResults, resultTable } from './mutants/results.ts';
import { openScratch } from './mutants/scratch.ts';
import { tryMutants } from './mutants/try-mutants.ts';
import { readImportUsers } from './tests/changed-tests.ts';
import { withTestCluster } from './tests/cluster.ts';
import { readTimes } from './tests/times.ts';

const USAGE = `npm run mutants -- --seed N --count 100     draws so many small mistakes and runs the tests that can reach each
  --limit SECONDS    for each mistake, 90 unless said
  --only INDEX       shows this mistake as a difference, and runs nothing
  --simulation       judges by seeds of the simulation instead, mistakes in code that the simulation runs
  --seeds N          how many seeds of the simulation, 300 unless said
  --json FILE        writes the results there, too
A run that was stopped goes on where it was; what was decided about a mistake is kept as long as its file does not change.`;

const root = path.dirname(import.meta.dirname);
const options = readOptions();
const sources = readCode(root);
const cacheDir = path.join(root, 'node_modules/.cache/sliproad-mutants');
const drawableSources = readMoneySources(root).filter(({ file }) => !options.simulation || isRule(file));
const count = options.only === null ? options.count : options.only + 1;
const mutants = drawMutants(
  drawableSources,
  options.seed,
  count,
  options.simulation ? await findPlayedSites() : undefined,
);

if (options.only === null) await run();
else showMutant(options.only);

/** The simulation runs only rules and use-cases. */
function isRule(file: string): boolean {
  return /^src\/(domain|app)\//.test(file);
}

function findPlayedSites() {
  const played = findImportedBy(sources, 'test/simulation');
  return findPlayedCode({
    sources: sources.filter(({ file }) => played.has(file) || file.startsWith('test/simulation/')),
    ...{ drawnFrom: drawableSources, seeds: options.seeds },
    cacheFile: path.join(cacheDir, `played-${options.seeds}.json`),
  });
}

function readOptions() {
  const whole = (name: string, text: string, least: number) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new Error(`--${name} must be a whole number from ${least} on.`);
  };
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        count: { type: 'string', default: '100' },
        limit: { type: 'string', default: '90' },
        only: { type: 'string' },
        simulation: { type: 'boolean', default: false },
        seeds: { type: 'string', default: '300' },
        json: { type: 'string' },
      },
    });
    return {
      seed: whole('seed', values.seed, 0),
      count: whole('count', values.count, 1),
      limitSeconds: whole('limit', values.limit, 1),
      only: values.only === undefined ? null : whole('only', values.only, 0),
      simulation: values.simulation,
      seeds: whole('seeds', values.seeds, 1),
      json: values.json,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function showMutant(index: number): void {
  const mutant = mutants[index];
  if (mutant === undefined) {
    console.error(`Seed ${options.seed} draws ${mutants.length} mutants.`);
    process.exit(2);
  }
  const { text } = drawableSources.find(({ file }) => file === mutant.file)!;
  console.log(`${mutant.index} ${mutant.kind}\n${diffOf(mutant.file, text, mutant.text)}`);
}

async function run(): Promise<void> {
  const stop = new AbortController();
  // The run stops after the current mutant and keeps its result.
  process.once('SIGINT', () => stop.abort());
  const name = `${options.simulation ? `simulation-${options.seeds}` : 'tests'}-${options.seed}.json`;
  const results = openMutantResults(path.join(cacheDir, name));
  const scratch = openScratch(root);
  try {
    const settings = { mutants, results, limitSeconds: options.limitSeconds, signal: stop.signal };
    const tried = (judge: Judge) => tryMutants({ ...settings, judge, print: console.log });
    const all = options.simulation
      ? await tried(
          judgeByProgram(scratch, [
            ...['test/simulation/simulate.ts', '--until-broken', '--seeds', String(options.seeds)],
          ]),
        )
      : await withTestCluster(root, () => tried(withTidyUp(judgeByTests(scratch, makeTestsFor()))));
    console.log(`\n${resultTable(all)}`);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(all, null, 1)}\n`);
  } finally {
    scratch.close();
  }
}

function makeTestsFor(): (file: string) => readonly string[] {
  const users = readImportUsers(root, sources);
  const times = readTimes(root);
  const tests = globSync('{src,test,scripts,bench,local-networks,local-banks,sdk}/**/*.test.ts', {
    cwd: root,
  });
  return (file) => listNearestTests(users, tests, file, times);
}

/** Test files that were stopped leave their databases behind. */
function withTidyUp(judge: Judge): Judge {
  return async (...given) => {
    try {
      return await judge(...given);
    } finally {
      await onCluster(async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select datname as name from pg_database where datname like 'test\\_%' and datname <> '${TEMPLATE}'`,
        );
        for (const each of rows) await client.query(`drop database if exists ${each.name} with (force)`);
      });
    }
  };
}
