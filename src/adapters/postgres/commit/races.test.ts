// Several processes commit at once on a real PostgreSQL: one wins, the others are stale or refused by a constraint,
// nobody waits in a circle, and the books add up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acceptedBuys,
  assertLedgerSound,
  attempt,
  COMMITTED,
  credit,
  deposit,
  FUNDING,
  kindsOf,
  match,
  matching,
  movement,
  paying,
  recording,
  refusedBy,
  rowCounts,
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, freshId, NOW, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { entryOf } from '../../../domain/ledger/ledger.ts';
import { type Change, moveOf } from '../../../domain/records/change.ts';
import type { BankCredit } from '../../../domain/records/credit.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { putOff } from '../../../domain/records/transaction-moves.ts';
import type { CommitOutcome } from '../../../ports/store/commit.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { makePostgresStore } from '../store.ts';

const { url, database } = await databaseWithKeys();
const states: string[] = [];
const stores = [url, url].map((each) => makePostgresStore(noting(openTestDatabase(each))));
const [first, second] = stores as [(typeof stores)[0], (typeof stores)[0]];
assert.deepEqual(await first.commit([FUNDING]), [COMMITTED]);

/** The database, noting every error that a statement came back with. */
function noting(inner: Database): Database {
  const query: Database['query'] = (asked) =>
    inner.query<never>(asked).catch((error) => {
      states.push(sqlState(error) ?? String(error));
      throw error;
    });
  return { ...inner, query };
}

/** The stores commit at once, each its own list. */
async function race(lists: readonly (readonly Change[])[]): Promise<(readonly CommitOutcome[])[]> {
  return Promise.all(lists.map((list, index) => stores[index]!.commit(list)));
}

const countKind = (outcomes: readonly (readonly CommitOutcome[])[], kind: CommitOutcome['kind']) =>
  outcomes.flat().filter((outcome) => outcome.kind === kind).length;

test('threats 17, 89: two processes commit on the same versions in reversed order: each record moves once, without a deadlock', async () => {
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

test('two processes post to the same accounts in reversed orders: nobody waits in a circle, and the books add up', async () => {
  states.length = 0;
  const assets = Array.from({ length: 12 }, (_, index) => `COIN@${index}`);
  const funding = (asset: string): Change => {
    const facts = { mode: 'test', subjectId: 'x', asset, amounts: { tokens: 3n } } as const;
    return { atMs: NOW, entries: [entryOf('treasury_funded', facts)] };
  };
  for (let round = 0; round < 20; round++) {
    // Small batches, so that each process takes the locks many times.
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

test('threat 18: two processes record one statement at once, in reversed order: each line is written once and told as stale', async () => {
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

test('threat 18: one line recorded by two processes at once is recorded, and stale, and never refused', async () => {
  for (let round = 0; round < 30; round++) {
    const [line, seen] = [credit(), deposit()];
    const telling = () => recording({ ...line, id: freshId('crd') });
    const seeing = (): Change => ({ atMs: NOW, newDeposits: [{ ...seen, id: freshId('dep') }] });
    for (const make of [telling, seeing]) {
      const outcomes = await race([[make()], [make()]]);
      assert.deepEqual(outcomes.flatMap(kindsOf).sort(), ['committed', 'stale']);
    }
  }
});

test('threats 16, 17: one credit matched to two buys by two processes at once: the constraint lets one through', async () => {
  for (let round = 0; round < 10; round++) {
    const buys = (await acceptedBuys(database, 2)) as [Transaction, Transaction];
    const paid = credit();
    await first.commit([recording(paid)]);
    // Without the credit's version as a fence, as if both had forgotten it.
    const claiming = (buy: Transaction, version: number): Change => ({
      atMs: NOW,
      transactions: [paying(buy)],
      match: match(paid, buy.id, version),
    });
    const outcomes = await race([[claiming(buys[0], 2)], [claiming(buys[1], 3)]]);
    assert.equal(countKind(outcomes, 'committed'), 1);
    const refused = outcomes.flat().find(({ kind }) => kind === 'refused');
    assert.deepEqual(refused, refusedBy('one_credit_one_transaction'));
    const found = [...(await first.transactionsById(buys.map(({ id }) => id))).values()];
    assert.deepEqual(found.map(({ state }) => state).sort(), ['awaiting_payment', 'paid']);
  }
  // In one call it is the same; a decision that matches nobody may be made again and again.
  const [left, right] = (await acceptedBuys(database, 2)) as [Transaction, Transaction];
  const paid = credit();
  await first.commit([recording(paid)]);
  const outcomes = await first.commit([
    { atMs: NOW, match: match(paid, null, 2) },
    { atMs: NOW, match: match(paid, null, 3) },
    { atMs: NOW, match: match(paid, left.id, 4) },
    { atMs: NOW, match: match(paid, right.id, 5) },
  ]);
  assert.deepEqual(outcomes, [COMMITTED, COMMITTED, COMMITTED, refusedBy('one_credit_one_transaction')]);
});

test('threat 58: a second payout or send of one transaction is refused while the first may still happen', async () => {
  for (const kind of ['payout', 'send'] as const) {
    const [buy] = (await acceptedBuys(database, 1)) as [Transaction];
    const starting = (): Change => ({ atMs: NOW, newMovements: [movement({ kind, transactionId: buy.id })] });
    const outcomes = await race([[starting()], [starting()]]);
    assert.equal(countKind(outcomes, 'committed'), 1);
    assert.deepEqual(
      outcomes.flat().find((each) => each.kind === 'refused'),
      refusedBy('movements_one_alive'),
    );
    for (const state of ['sending', 'unknown', 'done'] as const) {
      const [alive] = await first.movementsOf([buy.id]);
      assert.deepEqual(await first.commit([{ atMs: NOW, movements: [moveOf(alive!, { state })] }]), [
        COMMITTED,
      ]);
      assert.deepEqual(await second.commit([starting()]), [refusedBy('movements_one_alive')], state);
    }
    const refund = movement({ kind: 'refund', transactionId: buy.id });
    assert.deepEqual(await first.commit([{ atMs: NOW, newMovements: [refund] }]), [COMMITTED]);
    const done = (await first.movementsOf([buy.id])).find((each) => each.kind === kind)!;
    assert.deepEqual(await first.commit([{ atMs: NOW, movements: [moveOf(done, { state: 'failed' })] }]), [
      COMMITTED,
    ]);
    assert.deepEqual(await second.commit([starting()]), [COMMITTED]);
  }
});

test('threat 43: two processes, one nonce: one attempt has it, until it is dead', async () => {
  const signing = (changes: Parameters<typeof attempt>[1]): Change => {
    const send = movement();
    return { atMs: NOW, newMovements: [send], attempts: [attempt(send, changes)] };
  };
  for (let round = 0; round < 5; round++) {
    const nonces = Array.from({ length: 20 }, (_, index) => `${1_000_000 + round * 100 + index}`);
    const batch = () => nonces.map((sequence) => signing({ sequence }));
    const outcomes = await race([batch(), batch().toReversed()]);
    assert.deepEqual([countKind(outcomes, 'committed'), countKind(outcomes, 'refused')], [20, 20]);
    const constraints = new Set(
      outcomes.flat().flatMap((each) => (each.kind === 'refused' ? each.constraint : [])),
    );
    assert.deepEqual(constraints, new Set(['movement_attempts_one_sequence']));
  }
  const send = movement();
  const dead = attempt(send, { sequence: '2000000', state: 'dead' });
  assert.deepEqual(await first.commit([{ atMs: NOW, newMovements: [send], attempts: [dead] }]), [COMMITTED]);
  assert.deepEqual(await first.commit([signing({ sequence: '2000000' })]), [COMMITTED]);
  const elsewhere = [
    signing({ sequence: '2000000', source: '0xother' }),
    signing({ sequence: '2000000', network: 'Avalanche' }),
  ];
  assert.deepEqual(await first.commit(elsewhere), [COMMITTED, COMMITTED]);
});

test('threat 41: one hash belongs to one attempt; at a bank every attempt has the same reference', async () => {
  const sends = [movement(), movement()] as const;
  const signing = (index: 0 | 1, reference: string): Change => ({
    atMs: NOW,
    newMovements: [sends[index]],
    attempts: [attempt(sends[index], { reference })],
  });
  const outcomes = await first.commit([signing(0, '0xsame'), signing(1, '0xsame')]);
  assert.deepEqual(outcomes, [COMMITTED, refusedBy('movement_attempts_one_place')]);
  const payout = movement({ kind: 'payout', network: null });
  const atBank = { sequence: null, reference: 'mov-1' };
  const tries = [attempt(payout, atBank), attempt(payout, { ...atBank, no: 2 })];
  assert.deepEqual(await first.commit([{ atMs: NOW, newMovements: [payout], attempts: tries }]), [COMMITTED]);
});

test('a record that is touched while the commit waits for it is written with its whole change, or not at all', async () => {
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
        const waiting = first.commit([matching(buy, paid)]);
        await sleep(100);
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

test('a credit hastened while its decision is being made stays due, as long as the decision leaves it open', async () => {
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
    { atMs, credits: [moveOf(waiting, { dueAtMs: later })] },
    { atMs, credits: [moveOf(reviewed, { state: 'review', dueAtMs: null })] },
    { ...matching(buy, matched), atMs },
    { atMs, credits: [moveOf(quiet, { state: 'review', dueAtMs: later })] },
  ]);
  const found = await first.creditsById(credits.map(({ id }) => id));
  const due = credits.map(({ id }) => found.get(id)!.dueAtMs);
  assert.deepEqual(due, [NOW + 1, NOW + 1, null, later]);
});

test('ten thousand small changes from two processes, over and over the same records, all find an end', async () => {
  states.length = 0;
  const buys = await acceptedBuys(database, 25);
  const moved = await Promise.all(
    stores.map(async (store, index) => {
      let committed = 0;
      for (let round = 0; round < 200; round++) {
        const now = await store.transactionsById(buys.map(({ id }) => id));
        const order = index === 0 ? buys : buys.toReversed();
        const changes = order.map(
          ({ id }): Change => ({ atMs: NOW, transactions: [putOff(now.get(id)!, NOW + round)] }),
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
