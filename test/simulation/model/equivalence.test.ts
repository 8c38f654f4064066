// The model and PostgreSQL live through the same random histories and must answer alike at every step, and remember
// the same. MODEL_SEED starts at another seed, MODEL_HISTORIES and MODEL_STEPS make it longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommitOutcome } from '../../../src/ports/store.ts';
import { claimOf, followClaim } from './histories/claims.ts';
import { nextOperation, type Operation } from './histories/operations.ts';
import { makeRandom } from './histories/random.ts';
import { comparable, doneFor, doneTo, openStage, type Result, type Stage } from './histories/stage.ts';
import { databaseState, modelState, shown } from './histories/state.ts';
import { START_MS, type World } from './histories/world.ts';

const FIRST_SEED = Number(process.env.MODEL_SEED ?? 1);
const HISTORIES = Number(process.env.MODEL_HISTORIES ?? 8);
const STEPS = Number(process.env.MODEL_STEPS ?? 500);
const COMPARE_EVERY = 100;

/** How often each thing was met, over all histories. */
const met = new Map<string, number>();
const meet = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);

function worldOf({ model }: Stage, seed: number): World {
  return { random: makeRandom(seed), tables: model.tables, nowMs: START_MS, offered: [], holds: [] };
}

async function step({ model, real }: Stage, world: World, operation: Operation): Promise<void> {
  const claim = claimOf(operation);
  const told = comparable(operation, await doneFor(real[0]!, operation));
  if (claim !== undefined && 'answer' in told) {
    const choice = followClaim(model, claim, told.answer as never);
    meet(choice ? 'claim with a choice' : 'claim without a choice');
    if ((told.answer as readonly unknown[]).length > 0) meet(`some ${operation.verb}`);
  } else {
    assert.deepEqual(comparable(operation, doneTo(model.core, operation)), told);
  }
  note(operation, told);
  if (operation.verb === 'holdFeed' && 'answer' in told && told.answer !== undefined)
    world.holds.push(told.answer as never);
}

function note({ verb, given }: Operation, told: Result): void {
  meet(verb);
  if ('threw' in told) return void meet(`${verb} threw ${told.threw}`);
  if (verb === 'accept') meet(`accept ${(told.answer as { kind: string }).kind}`);
  if (verb !== 'commit') return;
  const outcomes = told.answer as readonly CommitOutcome[];
  const where = (given[0] as readonly unknown[]).length > 1 ? 'in a batch' : 'alone';
  for (const outcome of outcomes) {
    meet(`${outcome.kind} ${where}`);
    if (outcome.kind === 'refused') meet(`refused by ${outcome.constraint}`);
  }
}

async function live(seed: number): Promise<void> {
  const stage = await openStage();
  const world = worldOf(stage, seed);
  const compare = async () =>
    assert.deepEqual(modelState(stage.model.tables, stage.plays), await databaseState(stage.database));
  for (let count = 1; count <= STEPS; count++) {
    const operation = nextOperation(world);
    try {
      await step(stage, world, operation);
      if (count % COMPARE_EVERY === 0 || count === STEPS) await compare();
    } catch (error) {
      throw new Error(`MODEL_SEED=${seed}, step ${count}: ${operation.verb}(${shown(operation.given)})`, {
        cause: error,
      });
    }
  }
}

for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
  test(`history ${seed}: the model and PostgreSQL answer alike, and remember the same`, () => live(seed));
}

test('what was met', () => {
  console.log(
    [...met]
      .sort()
      .map(([a, b]) => `${b} ${a}`)
      .join('\n'),
  );
});
