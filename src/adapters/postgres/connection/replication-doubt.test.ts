// Tests commits that wait for a synchronous standby and are cancelled. PostgreSQL reports success for them, but the service
// returns no result until a later write is confirmed. The standby does not exist, so every commit waits until the setting is
// cleared.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { acceptance, countOf, openTestDatabase, prepareKeys } from '../../../../test/http/store-fixtures.ts';
import { makeHome } from '../../../../test/support/home.ts';
import { startOwnCluster } from '../../../../test/support/own-cluster.ts';
import { databaseTimeoutMs, until } from '../../../../test/support/patience.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { bootstrapRole } from '../../embedded/server/settings.ts';
import { makePostgresStore } from '../store.ts';
import { migrate } from './migrate.ts';
import { makeReplicationDoubt } from './replication-doubt.ts';

const LOOK_EVERY_MS = 5;

async function stage(t: TestContext) {
  const cluster = await startOwnCluster(t, await makeHome(t));
  const admin = new pg.Client({ ...cluster.connection, user: bootstrapRole });
  admin.on('error', () => undefined); // the server stops first
  await admin.connect();
  t.after(() => admin.end());
  // Commits wait only after the checkpointer of PostgreSQL has read the setting. Sessions show the setting earlier than that.
  // So a test commit shows when commits wait.
  const probe = new pg.Client({ ...cluster.connection, user: bootstrapRole });
  probe.on('error', () => undefined);
  await probe.connect();
  t.after(() => probe.end());
  const probeWaits = async () => {
    const { rows } = await probe.query('select pg_backend_pid() as pid');
    let answered = false;
    const probing = probe.query(`select pg_logical_emit_message(true, 'probe', '')`).then(() => {
      answered = true;
    });
    while (!answered) {
      const waiting = await admin.query(
        `select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'`,
        [rows[0].pid],
      );
      if (waiting.rowCount === 0) {
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      await admin.query('select pg_cancel_backend($1)', [rows[0].pid]);
      await probing;
      return true;
    }
    return false;
  };
  const standby = async (name: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${name}'`);
    await admin.query('select pg_reload_conf()');
    await until('commits follow the setting', async () => (await probeWaits()) === (name !== ''));
  };
  await migrate(cluster.connection);
  const database = openTestDatabase(cluster.url, 3, databaseTimeoutMs());
  await prepareKeys(database);
  await database.query({ text: 'create table written (n int primary key)' });
  const whenItWaits = async (
    query: RegExp,
    how: 'pg_cancel_backend' | 'pg_terminate_backend',
    answered: () => boolean = () => false,
  ) => {
    while (!answered()) {
      const { rows } = await admin.query(
        `select pid, query from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'sliproad-fixture'`,
      );
      const found = rows.find((row) => query.test(row.query));
      if (found !== undefined) return await admin.query(`select ${how}($1)`, [found.pid]);
      await sleep(LOOK_EVERY_MS);
    }
  };
  return { admin, standby, database, whenItWaits };
}

function watched<T>(promise: Promise<T>) {
  const seen: { answer?: T | Error } = {};
  promise.then(
    (answer) => {
      seen.answer = answer;
    },
    (error: Error) => {
      seen.answer = error;
    },
  );
  return seen;
}

const LATER = /pg_logical_emit_message/;

for (const how of ['pg_cancel_backend', 'pg_terminate_backend'] as const) {
  test(`threats 87, 108: if the wait for the standby ends by ${how}, the acceptance gets no response until a later write is confirmed`, async (t) => {
    const { standby, database, whenItWaits } = await stage(t);
    const store = makePostgresStore(database);
    await standby('nowhere');
    const offered = acceptance();
    const accepting = store.accept(offered);
    const seen = watched(accepting);
    await whenItWaits(/insert into transactions/, how);
    // By now every session can read the row of the doubtful commit. The later write that would confirm this commit waits too.
    const answered = () => seen.answer !== undefined;
    await whenItWaits(LATER, how, answered);
    await whenItWaits(LATER, 'pg_cancel_backend', answered);
    // The service retries the write for a while and then reports its outcome as unknown.
    assert.ok(seen.answer === undefined || seen.answer instanceof StoreUnavailable, String(seen.answer));
    await standby('');
    const outcome = await accepting.catch(() => store.accept(offered));
    assert.deepEqual(outcome, { kind: 'created' });
    assert.equal(await countOf(database, 'transactions'), 1);
  });
}

test('threats 87, 108: after a cancelled commit, the outcome of the transaction is unknown, and so is everything that is read later', async (t) => {
  const { standby, database, whenItWaits } = await stage(t);
  await standby('nowhere');
  const writing = watched(database.transaction((client) => client.query('insert into written values (1)')));
  await whenItWaits(/^commit/, 'pg_cancel_backend');
  await whenItWaits(LATER, 'pg_cancel_backend');
  await until('it is answered', () => writing.answer !== undefined);
  assert.ok(writing.answer instanceof StoreUnavailable && writing.answer.mayHaveActed);

  const reading = database.query<{ n: number }>({ text: 'select n from written' });
  const read = watched(reading);
  await whenItWaits(LATER, 'pg_cancel_backend');
  await assert.rejects(reading, StoreUnavailable);
  assert.ok(read.answer instanceof StoreUnavailable);
  await standby('');
  const { rows } = await database.query<{ n: number }>({ text: 'select n from written' });
  assert.deepEqual(rows, [{ n: 1 }]);
});

test('threat 87: if a second commit becomes doubtful while the first is being confirmed, it needs another confirming write', async () => {
  const writes: PromiseWithResolvers<void>[] = [];
  const doubt = makeReplicationDoubt(() => {
    writes.push(Promise.withResolvers());
    return writes.at(-1)!.promise;
  });
  doubt.arise();
  const settled = watched(doubt.settled().then(() => 'settled'));
  // The first write may have started before the next doubtful commit, so it does not confirm that commit.
  doubt.arise();
  writes[0]!.resolve();
  await new Promise(setImmediate);
  assert.deepEqual([settled.answer, writes.length], [undefined, 2]);
  writes[1]!.resolve();
  await new Promise(setImmediate);
  assert.deepEqual([settled.answer, writes.length], ['settled', 2]);
});

test('without a doubtful commit, no extra write is made', async (t) => {
  const { admin, database } = await stage(t);
  const position = async () => (await admin.query('select pg_current_wal_insert_lsn() as at')).rows[0].at;
  await admin.query('checkpoint');
  const before = await position();
  for (let n = 0; n < 20; n++) await database.query({ text: 'select 1' });
  await assert.rejects(database.query({ text: 'select nonsense' }), { code: '42703' });
  await database.query({ text: 'select 1' });
  const { rows } = await admin.query(`select pg_wal_lsn_diff($1, $2) < 8192 as little`, [
    await position(),
    before,
  ]);
  assert.equal(rows[0].little, true);
});
