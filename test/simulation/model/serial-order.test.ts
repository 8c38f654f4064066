// Tests several processes that work on PostgreSQL at the same time, on the same records. Some serial order of the same
// operations in the model must explain all results and the stored data. The history then continues from there.
// histories/works.ts describes the two kinds of statements for which this is less strict. MODEL_SEED sets the first seed;
// MODEL_HISTORIES and MODEL_ROUNDS make the test longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedLease } from '../../../src/ports/store/commit.ts';
import { makeWorld } from './histories/changes.ts';
import { leaseOf } from './histories/leases.ts';
import { makeMeetings } from './histories/meetings.ts';
import { nextOperation } from './histories/operations.ts';
import { type Round, roundOf, SHAPE_NAMES, touchedBy } from './histories/rounds.ts';
import {
  type Answered,
  type Explained,
  findOrder,
  rememberedBy,
  withoutNumbers,
} from './histories/search.ts';
import { comparable, doneFor, doneTo, openStage, type Result, type Stage } from './histories/stage.ts';
import { databaseState } from './histories/state.ts';
import type { World } from './histories/world.ts';

const FEW = { histories: 2, rounds: 70 };
const FIRST_SEED = Number(process.env.MODEL_SEED ?? 1);
const HISTORIES = Number(process.env.MODEL_HISTORIES ?? FEW.histories);
const ROUNDS = Number(process.env.MODEL_ROUNDS ?? FEW.rounds);
const PROCESSES = 4;
/**
 * The number of single operations between two rounds. They create records for the operations of the next round to compete for.
 */
const ALONE = 3;
const GATE_MS = 4;

const meetings = makeMeetings();

/** Locks accounts, limits and feeds for a moment, so that all processes wait there and continue together. */
async function behindGate<T>({ database }: Stage, isShut: boolean, work: () => Promise<T>): Promise<T> {
  if (!isShut) return work();
  const { working } = await database.transaction(async (client) => {
    for (const table of ['accounts', 'limit_usage', 'feeds'])
      await client.query(`select from ${table} for update`);
    const working = work();
    working.catch(() => undefined);
    await sleep(GATE_MS);
    return { working };
  });
  return working;
}

async function alone({ model, real }: Stage, world: World): Promise<void> {
  let operation = nextOperation(world);
  // The lines of this result have numbers, and the test does not know how many numbers PostgreSQL drew without using them.
  while (operation.verb === 'listQueue') operation = nextOperation(world);
  const answered = comparable(operation, await doneFor(real[0]!, operation));
  assert.deepEqual(comparable(operation, doneTo(model.core, operation)), answered);
  remember(world, answered);
}

function remember(world: World, answered: Result): void {
  if ('answer' in answered && isHold(answered.answer)) world.holds.push(answered.answer);
}

function isHold(answer: unknown): answer is FeedLease {
  return typeof answer === 'object' && answer !== null && 'fence' in answer;
}

async function atOnce(stage: Stage, world: World, { shape, operations }: Round): Promise<Explained> {
  const results = await behindGate(stage, world.random.chance(0.5), () =>
    Promise.all(operations.map((operation, index) => doneFor(stage.real[index]!, operation))),
  );
  const { tables } = stage.model;
  const touched = operations.map((operation, index) => touchedBy(operation, results[index]!, tables));
  const round = operations.map((operation, index): Answered => {
    const touchedByOthers = new Set(touched.flatMap((ids, other) => (other === index ? [] : [...ids])));
    return { operation, result: results[index]!, touchedByOthers };
  });
  for (const { operation, result } of round) {
    meetings.note(operation, result, tables);
    if (leaseOf(operation) !== undefined && touchedBy(operation, result, tables).size > 0)
      meetings.meet('a lease took something');
    remember(world, result);
  }
  const explained = findOrder(stage.model, round, withoutNumbers(await databaseState(stage.database)));
  const { order } = explained;
  const inTurn = [...new Set(order)];
  meetings.meet(shape);
  meetings.meet(inTurn.every((index, at) => at === 0 || inTurn[at - 1]! < index) ? 'in turn' : 'out of turn');
  if (order.length > inTurn.length) meetings.meet('in several statements');
  return explained;
}

async function live(seed: number): Promise<void> {
  let stage = await openStage(PROCESSES);
  let world = makeWorld(stage.model.tables, seed);
  for (let count = 0; count < 25; count++) await alone(stage, world);
  for (let count = 1; count <= ROUNDS; count++) {
    try {
      for (let each = 0; each < ALONE; each++) await alone(stage, world);
      const { model } = await atOnce(stage, world, roundOf(world));
      stage = { ...stage, model };
      world = { ...world, tables: model.tables };
    } catch (error) {
      throw new Error(`MODEL_SEED=${seed}, round ${count}`, { cause: error });
    }
  }
  assert.deepEqual(rememberedBy(stage.model), withoutNumbers(await databaseState(stage.database)));
}

for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
  test(`history ${seed}: simultaneous operations have the same result as some serial order`, () =>
    live(seed));
}

const QUARRELS = [
  ...SHAPE_NAMES,
  ...['committed', 'stale', 'refused'].flatMap((kind) => [`${kind} alone`, `${kind} in a batch`]),
  ...[
    'accept created',
    'accept repeated',
    'refused by accounts_not_negative',
    'refused by accounts_together_not_negative',
    'refused by match_decisions_pkey',
  ],
  ...['holdFeed found something', 'the holder moves the position', 'a lease took something'],
  ...['in turn', 'out of turn', 'in several statements'],
];

test('the histories cover every kind of conflict, and every outcome', () => {
  if (HISTORIES >= FEW.histories && ROUNDS >= FEW.rounds) assert.deepEqual(meetings.missing(QUARRELS), []);
});
