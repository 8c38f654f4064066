// Tests on a real PostgreSQL the code that makes waiting records due at once. Only the records that a new claim, credit or
// refund destination may settle become due. This never deadlocks with commits of the same records.
import assert from 'node:assert/strict';
import { AMOUNT, DAY_MS, makeClaimFixtures, PAYER } from '../../../../test/http/claim-fixtures.ts';
import { endsOrWaits } from '../../../../test/http/races.ts';
import { COMMITTED, movement, notice } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW, transaction } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { until } from '../../../../test/support/patience.ts';
import { makeMove } from '../../../domain/records/change.ts';
import type { Movement } from '../../../domain/records/movement.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const { test, vendor, here, claim } = makeClaimFixtures(database);

test('a new claim makes only those open credits due that it may explain', async () => {
  const later = { dueAtMs: NOW + DAY_MS };
  const [apart, words] = [{ amountMinor: AMOUNT + 1n }, { narration: 'words' }];
  const explained = [
    here({ ...later, ...apart, payerAccount: PAYER }),
    here({ ...later, ...apart, payerAccount: '******6785' }),
    here({ ...later, ...apart, payerAccount: '012****785' }),
    here({ ...later, ...apart, payerAccount: PAYER, state: 'review' }),
    here({ dueAtMs: null, payerAccount: null }),
    here({ ...later, payerAccount: '********' }),
    // An account number of zeros means "not known". So the claim is found by the amount, as for a credit without a payer.
    here({ ...later, payerAccount: '0000000000' }),
    here({ ...later, payerAccount: '9999999999', ...words }),
    // The payer may pay the claim from another account, so the names are compared afterwards.
    here({ ...later, payerAccount: '9999999999', payerName: 'ADA OBI' }),
  ];
  const others = [
    here({ ...later, ...apart, payerAccount: '********' }),
    here({ ...later, ...apart, payerAccount: '0000000000' }),
    here({ ...later, ...apart, payerAccount: '******85' }),
    here({ ...later, ...apart, payerAccount: '%' }),
    here({ ...later, ...apart, payerAccount: null, ...words }),
    here({ ...later, payerAccount: '9999999999', payerName: null }),
    here({ ...later, payerAccount: PAYER, state: 'matched', transactionId: 'txn_x' }),
    here({ ...later, payerAccount: PAYER, state: 'refunded' }),
    here({ ...later, payerAccount: PAYER, mode: 'live' }),
    here({ ...later, payerAccount: PAYER, accountNumber: '9900000099' }),
    here({ payerAccount: PAYER, dueAtMs: NOW - 5 }),
  ];
  // The test sets the states by hand, because a commit adds only open credits.
  await commitAll(
    store,
    [...explained, ...others].map((each) => ({ atMs: NOW, newCredits: [{ ...each, state: 'unmatched' }] })),
  );
  for (const { id, state, transactionId } of [...explained, ...others])
    await database.query({
      text: 'update bank_credits set state = $2, transaction_id = $3 where id = $1',
      values: [id, state, transactionId],
    });
  const made = transaction({ vendor: vendor(), accountNumber: PAYER, amountMinor: AMOUNT });
  assert.equal(await store.hastenCredits([made, made], NOW), explained.length);
  const now = await store.creditsById([...explained, ...others].map(({ id }) => id));
  for (const each of explained) assert.deepEqual(now.get(each.id), { ...each, dueAtMs: NOW });
  for (const each of others) assert.deepEqual(now.get(each.id), each);
  assert.equal(await store.hastenCredits([made], NOW), 0);
  assert.equal(await store.hastenCredits([], NOW), 0);
});

test('making credits due does not deadlock with other such calls or with commits of the same credits', async () => {
  const credits = Array.from({ length: 40 }, () => here({ payerAccount: null, dueAtMs: NOW + DAY_MS }));
  await commitAll(
    store,
    credits.map((each) => ({ atMs: NOW, newCredits: [each] })),
  );
  const made = transaction({ vendor: vendor(), accountNumber: PAYER, amountMinor: AMOUNT });
  for (let round = 0; round < 20; round++) {
    const held = await store.creditsById(credits.map(({ id }) => id));
    const moves = [...held.values()].map((each) => ({
      atMs: NOW,
      credits: [{ version: each.version, after: { ...each, dueAtMs: NOW + DAY_MS } }],
    }));
    await Promise.all([
      store.hastenCredits([made], NOW + round),
      store.commit(moves.toReversed()),
      store.hastenCredits([made, made], NOW + round),
    ]);
  }
});

test('making notices and refunds due does not deadlock with commits of the same records', async () => {
  const notices = Array.from({ length: 200 }, (_, index) => notice({ about: `hastened ${index}` }));
  const lastFirst = notices.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const credits = lastFirst.map(({ source, about }) => here({ source, sourceId: about }));
  const buy = await claim();
  const of = { transactionId: buy.id, kind: 'refund', destination: null, dueAtMs: NOW } as const;
  const refunds = Array.from({ length: 60 }, () => movement(of));
  assert.deepEqual(await store.commit([{ atMs: NOW, newNotices: notices, newMovements: refunds }]), [
    COMMITTED,
  ]);
  const versionsIn = async (table: string, ids: readonly string[]) => {
    const text = `select id, version from ${table} where id = any ($1::text[])`;
    const { rows } = await database.query<{ id: string; version: number }>({ text, values: [ids] });
    return new Map(rows.map(({ id, version }) => [id, Number(version)]));
  };
  const movedOn = async <Row extends { id: string; version: number }>(
    table: string,
    rows: readonly Row[],
  ) => {
    const versions = await versionsIn(
      table,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => makeMove({ ...row, version: versions.get(row.id)! }, {}));
  };
  for (let round = 0; round < 30; round++) {
    const [moves, steps] = [await movedOn('bank_notices', notices), await movedOn('movements', refunds)];
    const [hastened] = await Promise.all([
      store.hastenNotices(credits, NOW + round),
      store.commit([{ atMs: NOW, notices: moves }]),
      store.hastenRefunds(buy.id, NOW + round),
      store.commit([{ atMs: NOW, movements: steps }]),
    ]);
    assert.equal(hastened.size, credits.length);
  }
});

test('if a notice is closed while a call waits to make it due, it stays closed', async () => {
  const reported = notice({ about: 'done meanwhile', dueAtMs: NOW + DAY_MS });
  assert.deepEqual(await store.commit([{ atMs: NOW, newNotices: [reported] }]), [COMMITTED]);
  const credit = here({ source: reported.source, sourceId: reported.about });
  const { hastening, course } = await database.transaction(async (client) => {
    await client.query(
      `update bank_notices set state = 'done', due_at = null, version = version + 1 where id = $1`,
      [reported.id],
    );
    const hastening = store.hastenNotices([credit], NOW);
    return { hastening, course: await endsOrWaits(database, hastening) };
  });
  assert.deepEqual([course, await hastening], ['waits', new Set()]);
  const { rows } = await database.query({
    text: 'select state, due_at, version from bank_notices where id = $1',
    values: [reported.id],
  });
  assert.deepEqual(rows, [{ state: 'done', due_at: null, version: reported.version + 1 }]);
});

test('refunds are locked in the order of their ids, as in commits, whatever order they were stored in', async () => {
  const buy = await claim();
  const of = { transactionId: buy.id, kind: 'refund', destination: null, dueAtMs: NOW } as const;
  const [lowest, highest] = [movement(of), movement(of)].toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [
    Movement,
    Movement,
  ];
  for (const each of [highest, lowest]) await commitAll(store, [{ atMs: NOW, newMovements: [each] }]);
  const { waiting } = await database.transaction(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pg_backend_pid() as pid from movements where id = $1 for update',
      [lowest.id],
    );
    const hastening = store.hastenRefunds(buy.id, NOW + 1);
    const text = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
    const values = [rows[0]!.pid];
    await until(
      'it waits for the lowest',
      async () => (await database.query({ text, values })).rowCount !== 0,
    );
    const free = 'select from movements where id = $1 for update skip locked';
    assert.equal((await client.query(free, [highest.id])).rowCount, 1);
    return { waiting: hastening };
  });
  await waiting;
  assert.equal((await store.movementById(highest.id))?.dueAtMs, NOW + 1);
});

test('a refund that waits for a destination becomes due with a new version, so a worker that read it before must read it again', async () => {
  const buy = await claim();
  const of = { transactionId: buy.id, kind: 'refund', dueAtMs: NOW + DAY_MS } as const;
  const waiting = movement({ ...of, destination: null });
  const others = [
    movement(of),
    movement({ ...of, destination: null, state: 'sending' }),
    movement({ ...of, transactionId: 'txn_x', destination: null }),
  ];
  const change = { atMs: NOW, newMovements: [waiting, ...others] };
  assert.deepEqual(await store.commit([change]), [COMMITTED]);
  await store.hastenRefunds(buy.id, NOW);
  assert.deepEqual(await store.movementById(waiting.id), { ...waiting, dueAtMs: NOW, version: 2 });
  for (const each of others) assert.deepEqual(await store.movementById(each.id), each);
});
