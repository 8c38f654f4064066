// Runs many lifecycles through three processes on one database, in an outside world that fails one call in ten. Processes are
// killed at random times: one, several at once, and some during their start. CHAOS_KILLS, CHAOS_LIFECYCLES and CHAOS_SEED make
// the run larger or reproduce it; scripts/crashes.ts runs it at full size.
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { Killed } from '../support/chaos/seat.ts';
import { countUnderWay, openStage, PROCESSES, type Stage } from '../support/chaos/stage.ts';
import { commonFigures, judge, settle } from '../support/chaos/verdict.ts';
import { type Dice, makeDice } from '../support/dice.ts';
import { until } from '../support/patience.ts';

const KILLS = sizeOf('CHAOS_KILLS', 2);
const LIFECYCLES = sizeOf('CHAOS_LIFECYCLES', 40);
/** Most pauses between kills are short. One pause in `LONG` is long, so that some processes run longer. */
const LONGEST_WAIT_MS = 900;
const LONG = 6;
const LONGEST_LONG_WAIT_MS = 3_000;
const LONGEST_PAUSE_MS = 300;
const GAP_MS = 900;
/** One kill in `SEVERAL` hits several processes at once. One kill in `ANY` may hit a process during its start. */
const SEVERAL = 8;
const ANY = 3;

test(`threats 16, 17, 19, 21, 30, 40, 41, 42, 45, 56, 57: ${KILLS} kill -9 during ${LIFECYCLES} lifecycles in ${PROCESSES} processes`, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED} CHAOS_LIFECYCLES=${LIFECYCLES} CHAOS_KILLS=${KILLS}`);
  const stage = await openStage(t, { seed: SEED, lifecycles: LIFECYCLES });
  const kills = await killAll(stage);
  const books = await settle(t, stage);
  printFigures(t, { ...killFigures(kills), ...commonFigures(stage, books) });
  if (await judge(t, stage, books)) t.diagnostic(noFailureIn(KILLS, 'kills'));
});

interface Kill extends Killed {
  /** The number of requests that waited for a response of this process. */
  readonly requests: number;
  /** The number of records in all processes that settlement had not finished. */
  readonly underWay: number;
  /** The number of processes killed at the same time, including this process. */
  readonly atOnce: number;
}

async function killAll({ fleet, clients, foundation, errands }: Stage): Promise<readonly Kill[]> {
  const dice = makeDice(`${SEED} kills`);
  const progress = makeProgress();
  const flow = startFlow({
    clients,
    errands,
    blows: KILLS,
    gapMs: GAP_MS,
    check: fleet.check,
  });
  const kills: Kill[] = [];
  while (kills.length < KILLS) {
    await flow.upTo(kills.length);
    await sleep(dice.below(dice.below(LONG) === 0 ? LONGEST_LONG_WAIT_MS : LONGEST_WAIT_MS));
    const which = dice.below(ANY) === 0 ? 'running' : 'ready';
    await until('one of the services runs', () => fleet.places(which).length > 0);
    const underWay = await countUnderWay(foundation.database);
    const places = drawPlaces(dice, fleet.places(which), KILLS - kills.length);
    const requests = fleet.urls.map((url) => clients.openAt(url));
    const killed = await fleet.kill(places, dice.below(LONGEST_PAUSE_MS));
    for (const [nth, each] of killed.entries()) {
      kills.push({ ...each, underWay, atOnce: places.length, requests: requests[places[nth]!]! });
    }
    progress(
      () =>
        `${kills.length} of ${KILLS} kills, ${clients.finished()} of ${errands} errands, ${underWay} in progress`,
    );
  }
  await flow.rest();
  return kills;
}

function drawPlaces(dice: Dice, running: readonly number[], most: number): number[] {
  const count = dice.below(SEVERAL) === 0 ? 1 + dice.below(running.length) : 1;
  const left = [...running];
  const drawn: number[] = [];
  while (drawn.length < Math.min(count, most)) drawn.push(...left.splice(dice.below(left.length), 1));
  return drawn;
}

function killFigures(kills: readonly Kill[]): Figures {
  const count = (is: (kill: Kill) => boolean) => kills.filter(is).length;
  return {
    kills: kills.length,
    'with others at once': count(({ atOnce }) => atOnce > 1),
    'while starting': count(({ readyForMs }) => readyForMs === undefined),
    'within a second of being ready': count(({ readyForMs = 1_000 }) => readyForMs < 1_000),
    'seconds the others had been ready': spread(
      kills.flatMap(({ readyForMs = 0 }) => (readyForMs < 1_000 ? [] : [Math.round(readyForMs / 1_000)])),
    ),
    'while work was in progress': count(({ underWay, requests }) => underWay + requests > 0),
    'with requests open at the killed process': count(({ requests }) => requests > 0),
    'records in progress at a kill': spread(kills.map(({ underWay }) => underWay)),
  };
}
