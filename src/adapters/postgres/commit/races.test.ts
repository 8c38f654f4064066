// Tests several processes that commit at once on a real PostgreSQL. One change is committed and the others are stale, no
// deadlock occurs, and the ledger stays correct.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countKind, openRacingStores } from '../../../../test/http/races.ts';
import {
  acceptedBuys,
  assertLedgerSound,
  COMMITTED,
  credit,
  deposit,
  kindsOf,
  matching,
  recording,
  rowCounts,
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import { freshId, NOW } from '../../../../test/http/store-fixtures.ts';
import { until } from '../../../../test/support/patience.ts';
import { entryOf } from '../../../domain/ledger/ledger.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { BankCredit } from '../../../domain/records/credit.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { postponeTransaction } from '../../../domain/records/transaction-moves.ts';

const { database, first, stores, states, race } = await openRacingStores();

test('threats 17, 89: if two processes commit the same versions in reversed order, each record moves once, without a deadlock', async () => {
  states.length = 0;
  for (let round = 0; round < 10; round++) {
    const buys = await acceptedBuys(database, 60);
    const credits = buys.map(() => credit());
    await first.commit(credits.map(recording));
    const changes = () => buys.map((buy, index) => matching(buy, credits[index]!));
    const before = await rowCounts(database);
    const outcomes = await race([changes(), changes().toReversed()]);
    assert.deepEqual([countKind(outcomes, 'committed'), countKind(outcomes, 'stale')], [60, 60]);
    const after = await rowCounts(database);
    for (const [table, more] of [
      ['timeline', 60],
      ['match_decisions', 60],
      ['movements', 60],
      ['movement_attempts', 60],
      ['entries', 120],
      ['postings', 240],
    ] as const)
      assert.equal(after[table], Number(before[table]) + more, table);
  }
  assert.deepEqual(states, []);
  await assertLedgerSound(database);
});

test('two processes post to the same accounts in reversed order without a deadlock, and the ledger stays sound', async () => {
  states.length = 0;
  const assets = Array.from({ length: 12 }, (_, index) => `COIN@${index}`);
  const funding = (asset: string): Change => {
    const facts = { mode: 'test', subjectId: 'x', asset, amounts: { tokens: 3n } } as const;
    return { atMs: NOW, entries: [entryOf('treasury_funded', facts)] };
  };
  for (let round = 0; round < 20; round++) {
    // The batches are small, so that each process takes the locks many times.
    await Promise.all(
      [assets, assets.toReversed()].flatMap((list, index) =>
        [list.slice(0, 8), list.slice(4)].map(async (some) => {
          assert.deepEqual(
            new Set(kindsOf(await stores[index]!.commit(some.map(funding)))),
            new Set(['committed']),
          );
        }),
      ),
    );
  }
  assert.deepEqual(states, []);
  await assertLedgerSound(database);
});

test('threat 18: if two processes record one statement at once, in reversed order, each line is written once and is stale for the other process', async () => {
  states.length = 0;
  for (let round = 0; round < 10; round++) {
    const lines = Array.from({ length: 40 }, () => credit());
    const tokens = Array.from({ length: 40 }, () => deposit());
    const statement = (): Change[] => [
      ...lines.map((line) => recording({ ...line, id: freshId('crd') })),
      ...tokens.map((each) => ({ atMs: NOW, newDeposits: [{ ...each, id: freshId('dep') }] })),
    ];
    const before = await rowCounts(database);
    const outcomes = await race([statement(), statement().toReversed()]);
    assert.deepEqual([countKind(outcomes, 'committed'), countKind(outcomes, 'stale')], [80, 80]);
    const after = await rowCounts(database);
    for (const table of ['bank_credits', 'deposits', 'entries'] as const)
      assert.equal(after[table], Number(before[table]) + 40, table);
  }
  assert.ok(!states.includes('40P01'), `deadlocks among ${states}`);
  await assertLedgerSound(database);
});

test('threat 18: a line that two processes record at once is committed once and stale once, and never refused', async () => {
  for (let round = 0; round < 30; round++) {
    const [line, seen] = [credit(), deposit()];
    const crediting = () => recording({ ...line, id: freshId('crd') });
    const seeing = (): Change => ({ atMs: NOW, newDeposits: [{ ...seen, id: freshId('dep') }] });
    for (const make of [crediting, seeing]) {
      const outcomes = await race([[make()], [make()]]);
      assert.deepEqual(outcomes.flatMap(kindsOf).sort(), ['committed', 'stale']);
    }
  }
});

test('if a record changes while the commit waits for it, the commit writes the whole change or nothing', async () => {
  for (const [table, key] of [
    ['bank_credits', 'id'],
    ['transaction_states', 'transaction_id'],
  ] as const) {
    for (const raise of [0, 1]) {
      const [buy] = (await acceptedBuys(database, 1)) as [Transaction];
      const paid = credit();
      await first.commit([recording(paid)]);
      const outcome = await database.transaction(async (client) => {
        await client.query(
          `update ${table} set due_at = due_at + interval '1 hour', version = version + ${raise} where ${key} = any ($1)`,
          [[buy.id, paid.id]],
        );
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const waiting = first.commit([matching(buy, paid)]);
        const text = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
        const values = [rows[0]!.pid];
        await until('the commit waits', async () => (await database.query({ text, values })).rowCount !== 0);
        return { waiting };
      });
      assert.deepEqual(await outcome.waiting, [raise === 0 ? COMMITTED : STALE]);
      const now = (await first.transactionsById([buy.id])).get(buy.id)!;
      const then = (await first.creditsById([paid.id])).get(paid.id)!;
      const expected = raise === 0 ? ['paid', 'matched'] : ['awaiting_payment', 'unmatched'];
      assert.deepEqual([now.state, then.state], expected, `${table} ${raise}`);
    }
  }
});

test('a credit that becomes due during its decision stays due if the decision leaves it open', async () => {
  const lease = NOW + 60_000;
  const credits = Array.from({ length: 4 }, () => ({ ...credit(), dueAtMs: lease }));
  const [waiting, reviewed, matched, quiet] = credits as [BankCredit, BankCredit, BankCredit, BankCredit];
  await first.commit(credits.map(recording));
  await database.query({
    text: 'update bank_credits set due_at = $2 where id = any ($1)',
    values: [[waiting.id, reviewed.id, matched.id], new Date(NOW + 1)],
  });
  const later = NOW + 600_000;
  const [buy] = (await acceptedBuys(database, 1)) as [Transaction];
  const atMs = NOW + 2;
  await first.commit([
    { atMs, credits: [makeMove(waiting, { dueAtMs: later })] },
    { atMs, credits: [makeMove(reviewed, { state: 'review', dueAtMs: null })] },
    { ...matching(buy, matched), atMs },
    { atMs, credits: [makeMove(quiet, { state: 'review', dueAtMs: later })] },
  ]);
  const found = await first.creditsById(credits.map(({ id }) => id));
  const due = credits.map(({ id }) => found.get(id)!.dueAtMs);
  assert.deepEqual(due, [NOW + 1, NOW + 1, null, later]);
});

test('ten thousand small changes from two processes, many of them to the same records, all complete', async () => {
  states.length = 0;
  const buys = await acceptedBuys(database, 25);
  const moved = await Promise.all(
    stores.map(async (store, index) => {
      let committed = 0;
      for (let round = 0; round < 200; round++) {
        const now = await store.transactionsById(buys.map(({ id }) => id));
        const order = index === 0 ? buys : buys.toReversed();
        const changes = order.map(
          ({ id }): Change => ({ atMs: NOW, transactions: [postponeTransaction(now.get(id)!, NOW + round)] }),
        );
        committed += countKind([await store.commit(changes)], 'committed');
      }
      return committed;
    }),
  );
  const end = await first.transactionsById(buys.map(({ id }) => id));
  const versions = [...end.values()].reduce((sum, { version }) => sum + version - 1, 0);
  assert.equal(versions, moved[0]! + moved[1]!);
  assert.deepEqual(states, []);
});
