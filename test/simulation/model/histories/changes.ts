// Makes random changes, alone and in batches: either a mixture of all parts, or changes like those of settlement.
import { ledgerKey } from '../../../../src/domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../../../src/domain/ledger/ledger.ts';
import { type Change, makeMove } from '../../../../src/domain/records/change.ts';
import { moveTransaction } from '../../../../src/domain/records/transaction-moves.ts';
import type { Tables } from '../tables.ts';
import { attemptWritten } from './attempts.ts';
import {
  caseClosed,
  caseOpened,
  creditAdded,
  creditMoved,
  decided,
  depositAdded,
  depositMoved,
  limitUsed,
  movementAdded,
  movementMoved,
  noticeAdded,
  noticeMoved,
  quarantined,
  transactionMoved,
} from './drafts.ts';
import { conditionSet, entryWritten } from './entries.ts';
import { makeRandom, type Random } from './random.ts';
import { reportAdded, reportCounted, reportMoved } from './reports.ts';
import { frozen, keyBound, matchWritten, nairaBooked } from './side-parts.ts';
import {
  anyOf,
  attemptOf,
  creditOf,
  type Draft,
  movementOf,
  type Part,
  type Recipe,
  START_MS,
  VENDORS,
  type World,
} from './world.ts';

const PARTS: readonly (readonly [number, Part])[] = [
  [8, transactionMoved],
  [6, creditMoved],
  [4, depositMoved],
  [6, movementMoved],
  [3, noticeMoved],
  [7, creditAdded],
  [4, depositAdded],
  [3, noticeAdded],
  [3, reportAdded],
  [3, reportMoved],
  [2, reportCounted],
  [6, movementAdded],
  [6, attemptWritten],
  [8, entryWritten],
  [3, conditionSet],
  [4, matchWritten],
  [2, quarantined],
  [3, limitUsed],
  [2, caseOpened],
  [2, caseClosed],
  [1, frozen],
  [4, decided],
  [3, nairaBooked],
  [2, keyBound],
];

export function makeWorld(tables: Tables, seed: number): World {
  const random = makeRandom(seed);
  return { random, tables, recipes: recipesOf(random), nowMs: START_MS, offered: [], holds: [] };
}

function recipesOf(random: Random): Recipe[] {
  return PARTS.map(([, part]) => {
    const others = Array.from({ length: random.below(4) }, () => random.weighted(PARTS));
    return random.shuffled([part, ...others]);
  });
}

export function changeOf(world: World, recipe: Recipe = world.random.pick(world.recipes)): Change {
  const { random } = world;
  if (random.chance(0.1)) return recording(world);
  if (random.chance(0.1)) return matching(world) ?? recording(world);
  return drafted(world, recipe);
}

function recording(world: World): Change {
  const credit = creditOf(world);
  const facts = { mode: credit.mode, subjectId: credit.id, bankAccount: 'p:1' };
  const entry = entryOf('credit_received', { ...facts, amounts: { amount: credit.amountMinor } });
  return { atMs: world.nowMs, newCredits: [credit], entries: [entry] };
}

export function matching(world: World): Change | undefined {
  const { tables, nowMs } = world;
  const credit = anyOf(world, tables.credits);
  const buy = [...tables.transactions.values()].find(({ state }) => state === 'awaiting_payment');
  if (credit === undefined || buy === undefined) return undefined;
  const { mode, id: subjectId } = buy;
  const send = movementOf(world, { kind: 'send', mode, network: 'Polygon', transactionId: subjectId });
  const facts = { actor: 'matching', atMs: nowMs, reason: 'payment_found', dueAtMs: nowMs } as const;
  return {
    atMs: nowMs,
    transactions: [moveTransaction(buy, 'paid', facts)],
    credits: [makeMove(credit, { state: 'matched', transactionId: subjectId, dueAtMs: null })],
    match: {
      creditId: credit.id,
      version: credit.version + 1,
      transactionId: subjectId,
      actor: 'matching',
      ruleVersion: 1,
      candidates: [],
      verdict: { kind: 'matched', transactionId: subjectId, exception: null },
    },
    newMovements: [send],
    attempts: [attemptOf(world, send, 1)],
    entries: [entryOf('credit_matched', { mode, subjectId, amounts: { amount: credit.amountMinor } })],
  };
}

export function batchOf(world: World): Change[] {
  const { random } = world;
  const count = 2 + random.below(6);
  const shape = random.weighted([
    [5, 'strangers'],
    [2, 'rivals'],
    [2, 'spenders'],
    [1, 'users'],
  ] as const);
  if (shape === 'spenders') return spenders(world, count);
  if (shape === 'users')
    return Array.from({ length: count }, () =>
      drafted(world, random.chance(0.3) ? [limitUsed, frozen] : [limitUsed]),
    );
  const recipes = [random.pick(world.recipes), random.pick(world.recipes)];
  const changes = Array.from({ length: count }, () => changeOf(world, random.pick(recipes)));
  if (shape === 'strangers') return changes;
  return [...changes, changes[0]!, drafted(world, [transactionMoved, movementMoved]), changes[1]!];
}

export function drafted(world: World, parts: readonly Part[]): Change {
  const draft: Draft = { atMs: world.nowMs };
  for (const part of parts) part(world, draft);
  return draft;
}

/**
 * Each change takes a part of the money in suspense. Together they take exactly as much as there is, or more; some changes add
 * money.
 */
function spenders(world: World, count: number): Change[] {
  const { random, tables, nowMs } = world;
  const held = -(tables.accounts.get(ledgerKey('test', 'NGN', 'suspense')) ?? 0n);
  return Array.from({ length: count }, (_, index): Change => {
    const some = random.pick([held, held / 2n, held / BigInt(count), 1n]);
    const amount = some > 0n ? some : 1n;
    const bankAccount = `p:${random.pick(VENDORS)}`;
    const event = random.chance(0.25) ? 'credit_received' : 'credit_matched';
    const entry = entryOf(event, {
      mode: 'test',
      subjectId: `spender ${index}`,
      bankAccount,
      amounts: { amount },
    });
    const draft: Draft = { atMs: nowMs, entries: [entry] };
    if (random.chance(0.2)) transactionMoved(world, draft);
    if (random.chance(0.05)) movementAdded(world, draft);
    return draft;
  });
}
