// Runs many lifecycles through three processes, in an outside world that fails one call in ten. PostgreSQL is stopped at once
// (`pg_ctl stop -m immediate`) at random times, sometimes again during its restart, while the processes keep running.
// CHAOS_STOPS, CHAOS_LIFECYCLES and CHAOS_SEED make the run larger or reproduce it; scripts/crashes.ts runs it at full size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import {
  type Figures,
  makeProgress,
  noFailureIn,
  printFigures,
  SEED,
  sizeOf,
  spread,
} from '../support/chaos/figures.ts';
import { startFlow } from '../support/chaos/flow.ts';
import { countUnderWay, openStage, PROCESSES, type Stage } from '../support/chaos/stage.ts';
import { commonFigures, judge, settle } from '../support/chaos/verdict.ts';
import { makeDice } from '../support/dice.ts';
import { until } from '../support/patience.ts';

const STOPS = sizeOf('CHAOS_STOPS', 1);
const LIFECYCLES = sizeOf('CHAOS_LIFECYCLES', 25);
const LONGEST_WAIT_MS = 1_500;
const LONGEST_AWAY_MS = 600;
/** The next stop interrupts one start of PostgreSQL in this many, at most LONGEST_START_MS after the start began. */
const STOPPED_AGAIN = 5;
const LONGEST_START_MS = 1_000;
const GAP_MS = 2_500;

test(`threats 30, 86: ${STOPS} immediate stops of PostgreSQL during ${LIFECYCLES} lifecycles in ${PROCESSES} processes`, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED} CHAOS_LIFECYCLES=${LIFECYCLES} CHAOS_STOPS=${STOPS}`);
  const stage = await openStage(t, { seed: SEED, lifecycles: LIFECYCLES });
  const stops = await stopAll(stage);
  const books = await settle(t, stage);
  printFigures(t, { ...stopFigures(stops, stage), ...commonFigures(stage, books) });
  assert.equal(stage.fleet.restarts(), 0, 'the processes lived through it');
  if (await judge(t, stage, books)) t.diagnostic(noFailureIn(STOPS, 'immediate stops'));
});

interface Stop {
  readonly whileStarting: boolean;
  readonly requests: number;
  readonly underWay: number;
}

async function stopAll({ cluster, fleet, clients, foundation, errands }: Stage): Promise<readonly Stop[]> {
  const dice = makeDice(`${SEED} stops`);
  const progress = makeProgress();
  const flow = startFlow({ clients, errands, blows: STOPS, gapMs: GAP_MS, check: fleet.check });
  const stops: Stop[] = [];
  while (stops.length < STOPS) {
    await flow.upTo(stops.length);
    await sleep(dice.below(LONGEST_WAIT_MS));
    const underWay = await countWhenBack(foundation.database);
    const open = () => fleet.urls.reduce((sum, url) => sum + clients.openAt(url), 0);
    stops.push({ whileStarting: false, requests: open(), underWay });
    await cluster.stopAtOnce();
    await sleep(dice.below(LONGEST_AWAY_MS));
    const again = dice.below(STOPPED_AGAIN) === 0 && stops.length < STOPS;
    const afterMs = dice.below(1 + dice.below(LONGEST_START_MS)); // rather early than late
    if (again) {
      stops.push({ whileStarting: true, requests: open(), underWay });
      await cluster.startStoppedOnce(afterMs);
    } else await cluster.start();
    progress(
      () =>
        `${stops.length} of ${STOPS} stops, ${clients.finished()} of ${errands} errands, ${underWay} in progress`,
    );
  }
  await flow.rest();
  return stops;
}

/** The server may be recovering from a stop that happened during its start. */
async function countWhenBack(database: Database): Promise<number> {
  let count = 0;
  await until('the database answers', async () => {
    count = await countUnderWay(database).catch(() => -1);
    return count >= 0;
  });
  return count;
}

function stopFigures(stops: readonly Stop[], { cluster }: Stage): Figures {
  const count = (is: (stop: Stop) => boolean) => stops.filter(is).length;
  const { immediateStops, recoveries, replays } = cluster.logged();
  return {
    'immediate stops': stops.length,
    'while it was coming back': count(({ whileStarting }) => whileStarting),
    'by its own log': `${immediateStops} immediate shutdown requests, ${recoveries} recoveries, ${replays} with replay`,
    'while work was in progress': count(({ underWay, requests }) => underWay + requests > 0),
    'with requests open': count(({ requests }) => requests > 0),
    'records in progress at a stop': spread(stops.map(({ underWay }) => underWay)),
  };
}
