// Tests that the model and PostgreSQL agree. Both run the same random histories, must return the same results at every step,
// and must store the same data. MODEL_HISTORIES adds that many histories. If MODEL_SEED is set, only these run, starting at
// that seed. MODEL_STEPS sets their length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { moveTransaction } from '../../../src/domain/records/transaction-moves.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import type { FeedLease } from '../../../src/ports/store/commit.ts';
import type { ClaimCandidates } from '../../../src/ports/store/reads.ts';
import { makeWorld } from './histories/changes.ts';
import { followLease, leaseOf } from './histories/leases.ts';
import { EVERYTHING, makeMeetings } from './histories/meetings.ts';
import type { Operation } from './histories/operation.ts';
import { leasing as leasingAny, nextOperation } from './histories/operations.ts';
import { comparable, doneFor, doneTo, openStage, type Stage } from './histories/stage.ts';
import { databaseState, modelState, shown } from './histories/state.ts';
import { creditOf, KEYS, START_MS, transactionOf, VENDORS, type World } from './histories/world.ts';

/** The histories of these seeds together cover everything. A history depends only on its seed and the number of steps. */
const FEW = { seeds: [17, 87, 114, 2, 3], steps: 450 };
const FIRST_SEED = Number(process.env.MODEL_SEED ?? 1);
const MORE = Array.from(
  { length: Number(process.env.MODEL_HISTORIES ?? 0) },
  (_, count) => FIRST_SEED + count,
);
const SEEDS = process.env.MODEL_SEED === undefined ? [...new Set([...FEW.seeds, ...MORE])] : MORE;
const STEPS = Number(process.env.MODEL_STEPS ?? FEW.steps);
const COMPARE_EVERY = 100;

const meetings = makeMeetings();

async function step({ model, real }: Stage, world: World, operation: Operation): Promise<unknown> {
  const answered = comparable(operation, await doneFor(real[0]!, operation));
  meetings.note(operation, answered, model.tables);
  assert.deepEqual(comparable(operation, doneTo(model.core, operation)), answered);
  if ('threw' in answered) return undefined;
  if (operation.verb === 'holdFeed' && answered.answer !== undefined)
    world.holds.push(answered.answer as FeedLease);
  return answered.answer;
}

async function compare({ model, plays, database }: Stage): Promise<void> {
  assert.deepEqual(modelState(model.tables, plays), await databaseState(database));
}

async function live(seed: number): Promise<void> {
  const stage = await openStage();
  const world = makeWorld(stage.model.tables, seed);
  for (let count = 1; count <= STEPS; count++) {
    const operation = nextOperation(world);
    try {
      await step(stage, world, operation);
      if (count % COMPARE_EVERY === 0 || count === STEPS) await compare(stage);
    } catch (error) {
      const what = `${operation.verb}(${shown(operation.given)})`;
      throw new Error(`MODEL_SEED=${seed}, step ${count}: ${what}`, { cause: error });
    }
  }
}

for (const seed of SEEDS) {
  test(`history ${seed}: the model and PostgreSQL return the same results and store the same data`, () =>
    live(seed));
}

test('the histories cover every database rule, every outcome and every operation', () => {
  const isEnough = FEW.seeds.every((seed) => SEEDS.includes(seed)) && STEPS >= FEW.steps;
  if (isEnough) assert.deepEqual(meetings.missing(EVERYTHING), []);
});

test('of several items that are due at the same time, any one may be leased first; everything else must be equal', async () => {
  const stage = await openStage();
  const world = makeWorld(stage.model.tables, FIRST_SEED);
  let choices = 0;
  for (let count = 0; count < 150; count++) {
    const leases = count % 3 === 2;
    const operation = leases ? leasingAny(world) : nextOperation(world);
    if (!leases) {
      await step(stage, world, operation);
      continue;
    }
    const answered = await doneFor(stage.real[0]!, operation);
    assert.ok('answer' in answered);
    if (followLease(stage.model, leaseOf(operation)!, answered.answer as never)) choices++;
  }
  await compare(stage);
  assert.ok(choices > 0);
});

test('if more claims exist than are returned, the model and PostgreSQL return the same ones', async () => {
  const stage = await openStage();
  const world = makeWorld(stage.model.tables, 1);
  const [{ id: keyId, businessId, mode }] = KEYS as [(typeof KEYS)[0]];
  const references: string[] = [];
  const accepting = async (amountMinor: bigint, no: number, end: string): Promise<string> => {
    // Each claim has a unique account and account ending, because of equal claims the store might return any.
    const transaction: Transaction = {
      ...transactionOf(world, businessId, mode),
      ...{ type: 'buy', state: 'awaiting_payment', amountMinor, feeMinor: 0n, deposits: [], wallet: null },
      ...{ accountNumber: `${1_000_000 + no}${end}`, expiresAtMs: START_MS + 1_000 - no },
      ...{ reference: `Ref:${world.random.text(9)}` },
      vendor: { vendorId: 'vnd_1', name: 'Vendor', number: VENDORS[0], bank: 'Providus Bank' },
    };
    references.push(transaction.reference);
    const acceptance: Acceptance = { transaction, bodyHash: 'b', idempotency: null, keyId, scenario: null };
    await step(stage, world, { verb: 'accept', given: [acceptance] });
    return transaction.id;
  };
  for (let no = 0; no < 30; no++) {
    await accepting(20n, no, '785');
    await accepting(5n + BigInt(no), 100 + no, '785');
    await accepting(1n, 200 + no, '321');
    const given = await accepting(20n, 300 + no, '785');
    const facts = { actor: 'test', atMs: START_MS, reason: 'cancelled_by_business', dueAtMs: null } as const;
    const cancelled = moveTransaction(stage.model.tables.transactions.get(given)!, 'cancelled', facts);
    const change: Change = { atMs: START_MS, transactions: [cancelled] };
    await step(stage, world, { verb: 'commit', given: [[change]] });
  }
  const common = {
    mode,
    accountNumber: VENDORS[0],
    receivedAtMs: START_MS,
    narration: null,
    businessId: null,
  };
  const credits = [
    creditOf(world, { ...common, payerAccount: '*******785', amountMinor: 20n }),
    creditOf(world, { ...common, payerAccount: '*******785', amountMinor: 10_000n }),
    creditOf(world, { ...common, payerAccount: null, amountMinor: 1n }),
    creditOf(world, { ...common, payerAccount: '555', amountMinor: 1n, narration: references.join(' / ') }),
    creditOf(world, { ...common, payerAccount: '*****29321', amountMinor: 20n }),
  ];
  const asked: Operation = { verb: 'findCandidates', given: [credits, 1_000] };
  const found = (await step(stage, world, asked)) as ReadonlyMap<string, ClaimCandidates>;
  const answered = credits.map(({ id }) => [found.get(id)!.claims.length, found.get(id)!.more]);
  assert.deepEqual(answered, [
    [78, true],
    [26, true],
    [26, true],
    [26, true],
    [1, false],
  ]);
  const all: Operation = { verb: 'findCandidates', given: [credits, 1_000, 100] };
  const many = (await step(stage, world, all)) as ReadonlyMap<string, ClaimCandidates>;
  assert.deepEqual(
    credits.map(({ id }) => [many.get(id)!.claims.length, many.get(id)!.more]),
    [
      [90, false],
      [60, false],
      [30, false],
      [30, false],
      [1, false],
    ],
  );
});
