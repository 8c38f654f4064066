// Tests the digests of activity. The audit log must contain a hash of what the keys did, must not delay the keys, and must show
// later alterations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { acceptedBuys, paying } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { AT, behindItsBack, verified } from '../../../../test/support/audit-stage.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { makePostgresStore } from '../store.ts';
import { makeAuditLog } from './audit-log.ts';

async function stage() {
  const { url, database } = await databaseWithKeys();
  const audit = makeAuditLog(database);
  const store = makePostgresStore(database);
  const move = async (count: number) => {
    const buys = await acceptedBuys(database, count);
    await commitAll(
      store,
      buys.map((buy) => ({ atMs: NOW, transactions: [paying(buy)] })),
    );
    return buys;
  };
  const entries = async (): Promise<Digest[]> =>
    (await audit.list({ action: 'activity.', limit: 100 })).map(({ detail }) => JSON.parse(detail));
  /**
   * A digest ends before the oldest running transaction of the server, and other tests use the same server. So the test may
   * wait a moment for the digest.
   */
  const digested = async (rows: number): Promise<Digest[]> => {
    for (;;) {
      while ((await audit.append(AT)).more);
      const made = await entries();
      if (rowsOf(made) >= rows) return made;
      await sleep(20);
    }
  };
  return { url, database, audit, move, entries, digested };
}

interface Digest {
  readonly from_xid: string;
  readonly to_xid: string;
  readonly rows?: number;
  readonly sha256: string;
}

function rowsOf(digests: readonly Digest[]): number {
  return digests.reduce((sum, { rows = 0 }) => sum + rows, 0);
}

test('new timeline lines are digested once, the ranges are contiguous, and an idle service adds no digest', async () => {
  const { database, move, digested } = await stage();
  assert.deepEqual(await digested(0), [], 'nothing happened yet');
  await move(3);
  const early = await digested(3);
  assert.equal((await digested(3)).length, early.length, 'nothing is new');
  await move(2);
  const all = (await digested(5)).toReversed();
  assert.equal(rowsOf(all), 5);
  assert.deepEqual(
    all.map(({ from_xid }) => from_xid),
    ['0', ...all.slice(0, -1).map(({ to_xid }) => to_xid)],
  );
  const verdict = await verified(database);
  assert.deepEqual([verdict.finding, verdict.digests], [undefined, all.length]);
});

test('lines of a database transaction that is still running are left to the next digest', async () => {
  const { url, database, audit, move, entries, digested } = await stage();
  const slow = new pg.Client({ connectionString: url });
  await slow.connect();
  const [buy] = await acceptedBuys(database, 1);
  await slow.query('begin');
  await slow.query(
    `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
      values ($1, 2, now(), 'awaiting_payment', 'cancelled', 'key_test', 'slow', $2, $3)`,
    [buy!.id, buy!.businessId, buy!.mode],
  );
  await move(2);
  while ((await audit.append(AT)).more);
  assert.deepEqual(await entries(), [], 'not those after the running one either');
  await slow.query('commit');
  await slow.end();
  assert.equal(rowsOf(await digested(3)), 3);
  assert.equal((await verified(database)).finding, undefined);
});

test('threat 84: lines and facts that were altered, removed or added later are found, with the audit entry that commits to them', async () => {
  const { url, database, audit, move, digested } = await stage();
  const [buy] = await move(3);
  await digested(3);
  const { no } = (await audit.list({ action: 'activity.digest', limit: 1 }))[0]!;
  const line = `transaction_id = '${buy!.id}'`;
  const cases: readonly (readonly [string, RegExp])[] = [
    [`update timeline set actor = 'key_other' where ${line}`, /altered/],
    [`update timeline set at = at - interval '1 second' where ${line}`, /altered/],
    [`update transactions set amount_minor = amount_minor + 1 where id = '${buy!.id}'`, /altered/],
    [`delete from transactions where id = '${buy!.id}'`, /altered/],
    [`delete from timeline where ${line}`, /3 timeline lines, but there are 2/],
    [
      `insert into timeline select transaction_id, 9, at, from_state, to_state, actor, reason, evidence, committed_by,
        business_id, mode from timeline where ${line}`,
      /3 timeline lines, but there are 4/,
    ],
  ];
  for (const [statement, text] of cases) {
    await behindItsBack(url, [statement], async (altered) => {
      const { finding } = await verified(altered);
      assert.equal(finding?.no, no, statement);
      assert.match(finding!.text, text);
    });
  }
  assert.equal((await verified(database)).finding, undefined);
});

test('after a restore into another server, with transaction numbers that start again, digests continue without a false alarm', async () => {
  const { url, database, move, digested } = await stage();
  await move(3);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { sha256, newest } = await makeAuditLog(database).digestOf({
    from: '0',
    to: '99999999',
    newest: null,
  });
  const old = { from_xid: '0', to_xid: '99999999', rows: 3, sha256, newest, server: 'another one' };
  await client.query(
    `insert into audit_log (at, actor, action, detail) values (now(), 'service:audit', 'activity.digest', $1)`,
    [JSON.stringify(old)],
  );
  await client.query(
    `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
      select transaction_id, 8, now(), to_state, 'sending', 'settlement', 'after the restore', business_id, mode
      from timeline limit 1`,
  );
  await client.end();
  const entries = await digested(7);
  const { finding } = await verified(database);
  assert.equal(finding, undefined);
  assert.equal(entries.filter((each) => each.rows === undefined).length, 1, 'one restart is recorded');
  assert.ok(entries.length >= 3, 'and digests go on');
});

test('when several processes run at once, one of them makes the digest', async () => {
  const { database, audit, move, entries } = await stage();
  await move(3);
  for (let made: Digest[] = []; rowsOf(made) < 3; made = await entries())
    await Promise.all(Array.from({ length: 5 }, () => audit.append(AT)));
  assert.equal(rowsOf(await entries()), 3);
  assert.equal((await verified(database)).finding, undefined);
});

test('a range is found by its index, without reading the timeline from its beginning', async () => {
  const { database } = await stage();
  await database.query({
    text: `insert into timeline select 'txn_' || n, 2, now(), 'paid', 'sending', 'settlement', 'sent', null, n, 'biz_1', 'test'
      from generate_series(1, 40000) n`,
  });
  await database.query({ text: 'vacuum analyze timeline' });
  const { rows } = await database.query<{ 'QUERY PLAN': string }>({
    text: `explain (analyze, buffers) select count(*) from timeline where committed_by >= 20000 and committed_by < 20100`,
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /timeline_by_commit/);
  const read = /Buffers: shared hit=(\d+)/.exec(plan)?.[1];
  assert.ok(Number(read) <= 64, plan);
});
