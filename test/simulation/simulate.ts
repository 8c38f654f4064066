// `npm run simulate`: the bad days, by seed.
//   npm run simulate -- --seeds 2000 [--from 1]       run seeds, print every broken promise
//   npm run simulate -- --seeds 300 --until-broken    the same, up to the first broken promise
//   npm run simulate -- --seeds 1 --from 42 --trace   everything that happens in a seed, byte for byte the same each time
//   npm run simulate -- --planted [--seeds 150]       plant known mistakes and see whether each is caught
//   npm run simulate -- --planted --write             the same, and notes a seed for each that catches it no more by the one noted
//   npm run simulate -- --plant NAME [--seeds 20]     one of them: what its failure looks like
//   npm run simulate -- --coverage [--json]           which states, events and branches the seeds reach
//   npm run simulate -- --coverage --write            make the lists of the coverage test anew
import { parseArgs } from 'node:util';
import { BUGS } from './planted/bugs.ts';
import { plant } from './planted/plant.ts';

const USAGE =
  'npm run simulate -- [--seeds N] [--from S] [--until-broken] [--trace] [--planted [--write]] [--plant NAME] [--coverage [--json | --write]]';

const { seeds, from, untilBroken, trace, planted, bug, coverage, json, write } = readArguments();
// The bug must be planted before this process loads any part of the service.
if (bug !== null) plant(bug);
const { progress, simulate, simulatePlanted, traceSeeds } = await import('./report/report.ts');
if (coverage) {
  const { COVERAGE_SEEDS, reportCoverage } = await import('./coverage/report.ts');
  const count = seeds ?? COVERAGE_SEEDS;
  const onDone = (done: number) => progress(done === count ? '' : `${done} of ${count} seeds`);
  await reportCoverage({ from, seeds: count, json, write, onDone });
} else if (planted) await simulatePlanted(from, seeds, write);
else if (trace) await traceSeeds(from, seeds ?? 1);
else await simulate(from, seeds ?? (bug === null ? 2_000 : 20), { bug, untilBroken });

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string' },
        from: { type: 'string', default: '1' },
        'until-broken': { type: 'boolean', default: false },
        trace: { type: 'boolean', default: false },
        planted: { type: 'boolean', default: false },
        plant: { type: 'string' },
        coverage: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    });
    const { coverage, json, write } = values;
    if (json && !coverage) throw new Error('--json goes with --coverage.');
    if (write && !coverage && !values.planted) throw new Error('--write goes with --coverage or --planted.');
    if (coverage && (values.trace || values.planted || values.plant !== undefined))
      throw new Error('--coverage goes with neither --trace nor a planted mistake.');
    if (write && coverage && (json || values.seeds !== undefined || values.from !== '1'))
      throw new Error('--write runs the seeds of the test: give it nothing else.');
    return {
      untilBroken: values['until-broken'],
      trace: values.trace,
      planted: values.planted,
      ...{ coverage, json, write },
      seeds: values.seeds === undefined ? undefined : whole('--seeds', values.seeds),
      from: whole('--from', values.from),
      bug: values.plant === undefined ? null : bugNamed(values.plant),
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

function whole(name: string, text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new Error(`${name} must be a whole number from 1.`);
}

function bugNamed(name: string) {
  const found = BUGS.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `No planted mistake is called ${name}. There are: ${BUGS.map((each) => each.name).join(', ')}.`,
  );
}
