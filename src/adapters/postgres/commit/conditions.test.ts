// Tests the conditions of changes on a real PostgreSQL. They are checked against the balances after the commit, no matter which
// process changed the balances. A change with a broken condition writes nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { countKind, openRacingStores } from '../../../../test/http/races.ts';
import {
  acceptedBuys,
  assertLedgerSound,
  COMMITTED,
  movement,
  paying,
  refusedBy,
  rowCounts,
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import { NOW } from '../../../../test/http/store-fixtures.ts';
import { type LedgerAccountName, ledgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import { entryOf, type LedgerEvent } from '../../../domain/ledger/ledger.ts';
import type { Change } from '../../../domain/records/change.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { withdrawalAccounts } from '../../../domain/review/withdrawal.ts';
import type { CommitOutcome } from '../../../ports/store/commit.ts';
import type { Database } from '../connection/database.ts';
import { makePostgresStore, type PostgresStore } from '../store.ts';

const { database, first, second, states, race } = await openRacingStores();
const BROKEN = refusedBy('accounts_together_not_negative');

let assets = 0;
const newAsset = () => `COIN@${++assets}`;

function posting(asset: string, event: LedgerEvent, tokens: bigint): Change {
  const facts = {
    mode: 'test',
    subjectId: 'x',
    asset,
    amounts: { tokens, amount: tokens, dust: 0n },
  } as const;
  return { atMs: NOW, entries: [entryOf(event, facts)] };
}

const guarded = (asset: string, change: Change): Change => ({
  ...change,
  conditions: [{ notNegative: withdrawalAccounts('test', asset) }],
});
const taking = (asset: string, tokens: bigint) =>
  guarded(asset, posting(asset, 'withdrawal_reserved', tokens));

async function balance(asset: string, name: LedgerAccountName): Promise<bigint> {
  const key = ledgerKey('test', asset, name);
  return (await first.balances([key])).get(key) ?? 0n;
}

const FREE = ['treasury', 'suspense', 'refunds_due', 'dust'] as const;

async function free(asset: string): Promise<bigint> {
  const balances = await Promise.all(FREE.map((name) => balance(asset, name)));
  return balances.reduce((sum, each) => sum + each, 0n);
}

test('a condition on new accounts without postings is checked like any other', async () => {
  const asset = newAsset();
  await first.commit([posting(asset, 'treasury_funded', 10n)]);
  assert.deepEqual(await first.commit([taking(asset, 10n)]), [COMMITTED]);
  assert.deepEqual(
    await first.commit([guarded(asset, { atMs: NOW })]),
    [COMMITTED],
    'nothing is nothing short',
  );
  const before = await rowCounts(database);
  await first.commit([posting(asset, 'deposit_received', 5n)]);
  assert.deepEqual(await first.commit([taking(asset, 1n)]), [BROKEN]);
  await first.commit([posting(asset, 'tokens_reserved', 1n)]);
  // The condition is broken although this change has no posting, because other changes have used tokens that are in suspense.
  const alone = { ...guarded(asset, { atMs: NOW }), newMovements: [movement()] };
  assert.deepEqual(await first.commit([alone]), [BROKEN]);
  const after = await rowCounts(database);
  assert.deepEqual([after.movements, after.entries], [before.movements, Number(before.entries) + 2]);
  const none: Change = { atMs: NOW, conditions: [{ notNegative: [] }] };
  assert.deepEqual(await first.commit([none]), [COMMITTED]);
  await assertLedgerSound(database);
});

test('a change with a broken condition is refused, and the other changes of the batch are committed', async () => {
  const asset = newAsset();
  await first.commit([posting(asset, 'treasury_funded', 100n), posting(asset, 'deposit_received', 40n)]);
  const others = Array.from({ length: 30 }, () => posting(newAsset(), 'treasury_funded', 1n));
  const changes = others.toSpliced(17, 0, taking(asset, 101n));
  const outcomes = await first.commit(changes);
  assert.deepEqual(outcomes, Array(30).fill(COMMITTED).toSpliced(17, 0, BROKEN));
  // Each of the three changes would be possible alone, but only one of them is committed. Another change that adds tokens then
  // makes one more change possible.
  const three = [taking(asset, 60n), taking(asset, 50n), taking(asset, 55n)];
  assert.equal(countKind([await first.commit(three)], 'committed'), 1);
  const left = (await balance(asset, 'treasury')) - 40n;
  const helped = [posting(asset, 'treasury_funded', 7n), taking(asset, left + 7n)];
  assert.deepEqual(await first.commit(helped), [COMMITTED, COMMITTED]);
  assert.deepEqual([await balance(asset, 'treasury'), await balance(asset, 'suspense')], [40n, -40n]);
  await assertLedgerSound(database);
});

test('the condition of a stale change is not checked: the change is reported as stale, not as refused', async () => {
  const asset = newAsset();
  const [buy] = (await acceptedBuys(database, 1)) as [Transaction];
  const late = { ...taking(asset, 1n), transactions: [paying({ ...buy, version: 7 })] };
  assert.deepEqual(await first.commit([posting(asset, 'treasury_funded', 1n), late]), [COMMITTED, STALE]);
  assert.equal(await balance(asset, 'treasury'), 1n);
});

async function whileOpen(
  work: (open: PostgresStore) => Promise<unknown>,
  commit: () => Promise<readonly CommitOutcome[]>,
) {
  const { waiting } = await database.transaction(async (client) => {
    const query = (asked: pg.QueryConfig) => client.query(asked);
    await work(makePostgresStore({ ...database, query: query as Database['query'] }));
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    let isOver = false;
    const waiting = commit().finally(() => {
      isOver = true;
    });
    const text = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
    while ((await database.query({ text, values: [rows[0]!.pid] })).rowCount === 0) {
      assert.ok(!isOver, 'it does not wait');
      await sleep(2);
    }
    return { waiting };
  });
  return waiting;
}

// At first 130 tokens are free. A withdrawal starts while another process books one of these ledger events. A deposit adds
// tokens that are not free. Tokens that are returned to a seller or reserved for a send stop being free. Tokens without a known
// owner become free.
const MEANWHILE = [
  ['deposit_received', 30n, 130n, COMMITTED],
  ['payout_undone', 1n, 130n, BROKEN],
  ['tokens_reserved', 1n, 130n, BROKEN],
  ['withdrawal_reserved', 1n, 130n, BROKEN],
  ['deposit_written_off', 20n, 150n, COMMITTED],
  // The withdrawal of 250 is more than the treasury held when the statement began.
  ['treasury_funded', 200n, 250n, COMMITTED],
] as const;

for (const isKnown of [true, false])
  for (const [event, tokens, taken, expected] of MEANWHILE)
    test(`a withdrawal is checked against the balances after ${event} by another process, on accounts that it ${isKnown ? 'knows' : 'has never used'}`, async () => {
      states.length = 0;
      const asset = newAsset();
      await first.commit([posting(asset, 'treasury_funded', 101n)]);
      await first.commit([posting(asset, 'deposit_received', 50n), posting(asset, 'deposit_applied', 30n)]);
      // A process that does not know the numbers of the ledger accounts must request them first. This process waits at that
      // request, before its commit statement begins.
      await (isKnown ? second : first).commit([taking(asset, 1n)]);
      const booked = (open: PostgresStore) => open.commit([posting(asset, event, tokens)]);
      const outcomes = await whileOpen(booked, () => second.commit([taking(asset, taken)]));
      assert.deepEqual(outcomes, [expected]);
      const reserved = await balance(asset, 'reserved');
      const others = event.endsWith('reserved') ? tokens : 0n;
      assert.equal(reserved, 1n + others + (expected === COMMITTED ? taken : 0n));
      assert.deepEqual(states, expected === COMMITTED ? [] : ['23514'], 'no deadlock');
      await assertLedgerSound(database);
    });

test('two processes withdraw from the same treasuries in reversed order without a deadlock and never take tokens of others', async () => {
  states.length = 0;
  const both = [newAsset(), newAsset()] as const;
  for (const asset of both)
    await first.commit([posting(asset, 'treasury_funded', 200n), posting(asset, 'deposit_received', 50n)]);
  const outcomes: (readonly CommitOutcome[])[] = [];
  for (let round = 0; round < 40; round++) {
    // At the same time, settlement adds deposited tokens. Most of these tokens never become the operator's tokens.
    const settled = both.map((asset) => posting(asset, 'deposit_received', 4n));
    const ours = posting(both[0], 'deposit_applied', 1n);
    const lists = [
      [taking(both[0], 9n), taking(both[1], 9n), ours],
      [...settled, taking(both[1], 8n), taking(both[0], 8n)],
    ];
    outcomes.push(...(await race(lists)));
    for (const asset of both) assert.ok((await free(asset)) >= 0n);
  }
  assert.deepEqual(new Set(states), new Set(['23514']), 'no deadlock');
  assert.ok(countKind(outcomes, 'refused') > 40);
  assert.deepEqual([(await free(both[0])) < 8n, (await free(both[1])) < 8n], [true, true]);
  await assertLedgerSound(database);
});
