// Tests the pool of connections: which errors mean that the database is unavailable, which errors stay ordinary, and that a
// broken connection is never reused.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { databaseTimeoutMs, longEnough, until } from '../../../../test/support/patience.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { openDatabase, sqlState } from './database.ts';

const url = await freshDatabase();
const database = openTestDatabase(url, 2);
const one = (of = database) => of.query<{ one: number }>({ text: 'select 1 as one' });

test('an SQL error is thrown unchanged, and the connection is kept', async () => {
  for (const [text, state] of [
    ['select nonsense', '42703'],
    ['select 1 / 0', '22012'],
    ['selec', '42601'],
  ] as const) {
    await assert.rejects(database.query({ text }), (error) => {
      assert.ok(!(error instanceof StoreUnavailable));
      assert.equal(sqlState(error), state);
      return true;
    });
  }
  assert.deepEqual((await one()).rows, [{ one: 1 }]);
});

test('threat 86: without a server the store is unavailable, and it is certain that nothing was sent', async () => {
  for (const nowhere of ['postgres://x@127.0.0.1:1/none', 'postgres://x@localhost/x?host=/nowhere/at/all']) {
    await assert.rejects(one(openTestDatabase(nowhere)), (error) => {
      assert.ok(error instanceof StoreUnavailable, String(error));
      assert.equal(error.mayHaveActed, false);
      return true;
    });
  }
});

test('threat 86: if a response takes too long, the store is unavailable, and the statement may have been executed', async () => {
  const rows = await longEnough(500, async (timeoutMs) => {
    const hasty = openTestDatabase(url, 1, timeoutMs);
    const error = await hasty.query({ text: 'select pg_sleep(900)' }).catch((reason: unknown) => reason);
    assert.ok(error instanceof StoreUnavailable);
    // The time limit of the test was too short. It ended before there was a connection, or before the next response of the
    // server arrived.
    if (!error.mayHaveActed) return undefined;
    return one(hasty).then(
      (answer) => answer.rows,
      (away: unknown) => assert.ok(away instanceof StoreUnavailable, String(away)),
    );
  });
  assert.deepEqual(rows, [{ one: 1 }]);
});

test('threat 86: if a connection dies during a statement, the statement may have been executed, and the next connection works', async () => {
  const victim = openTestDatabase(url, 1);
  const { rows } = await victim.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
  const sleeping = victim.query({ text: 'select pg_sleep(30)' });
  const killed = assert.rejects(sleeping, (error) => {
    assert.ok(error instanceof StoreUnavailable, String(error));
    assert.equal(error.mayHaveActed, true);
    return true;
  });
  await database.query({ text: 'select pg_terminate_backend($1)', values: [rows[0]!.pid] });
  await killed;
  assert.deepEqual((await one(victim)).rows, [{ one: 1 }]);
});

test('threat 86: a connection that was killed while idle is not used again', async () => {
  let noticed = 0;
  const victim = openDatabase({
    ...{ connection: { connectionString: url }, poolSize: 1, answerTimeoutMs: databaseTimeoutMs() },
    ...{ applicationName: 'sliproad-victim', onError: () => noticed++ },
  });
  for (let round = 0; round < 5; round++) {
    const { rows } = await victim.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
    await database.query({ text: 'select pg_terminate_backend($1)', values: [rows[0]!.pid] });
    await until('the pool has heard of it', () => noticed === round + 1, { everyMs: 5 });
    assert.deepEqual((await one(victim)).rows, [{ one: 1 }]);
  }
  await victim.close();
});

test('threat 87: a confirmed commit is on disk: every connection waits for the disk, inside and outside of a transaction', async () => {
  const text = `select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`;
  const durable = ['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => ({
    name,
    setting: 'on',
  }));
  assert.deepEqual((await database.query({ text })).rows, durable);
  assert.deepEqual(await database.transaction(async (client) => (await client.query(text)).rows), durable);
});

test('a transaction is written completely or not at all', async () => {
  await database.query({ text: 'create table notes (id int primary key, text text)' });
  const added = await database.transaction(async (client) => {
    await client.query(`insert into notes values (1, 'kept')`);
    return 'done';
  });
  assert.equal(added, 'done');
  const failed = database.transaction(async (client) => {
    await client.query(`insert into notes values (2, 'dropped')`);
    throw new Error('a change of mind');
  });
  await assert.rejects(failed, /a change of mind/);
  const violated = database.transaction(async (client) => {
    await client.query(`insert into notes values (3, 'dropped')`);
    await client.query(`insert into notes values (1, 'again')`);
  });
  await assert.rejects(violated, { code: '23505' });
  const { rows } = await database.query({ text: 'select id, text from notes' });
  assert.deepEqual(rows, [{ id: 1, text: 'kept' }]);
});

test('threat 86: if a connection dies inside a transaction, nothing of that transaction is stored', async () => {
  const failed = database.transaction(async (client) => {
    await client.query(`insert into notes values (9, 'dropped')`);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await database.query({ text: 'select pg_terminate_backend($1, 60000)', values: [rows[0].pid] });
    await client.query(`insert into notes values (10, 'dropped')`);
  });
  await assert.rejects(failed, StoreUnavailable);
  const { rows } = await database.query({ text: 'select id from notes where id > 1' });
  assert.deepEqual(rows, []);
});

async function hastyServer(t: TestContext): Promise<string> {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const said = Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('Z', Buffer.from('I')),
    message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0')),
  ]);
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(said));
    socket.on('error', () => undefined);
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `postgres://x@127.0.0.1:${(server.address() as AddressInfo).port}/x`;
}

test('threat 86: a connection that dies as soon as it opens is reported as StoreUnavailable and does not end the process', async (t) => {
  const unlucky = openTestDatabase(await hastyServer(t), 1);
  for (let round = 0; round < 3; round++) await assert.rejects(one(unlucky), StoreUnavailable);
});

test('only an error of the server has a SQLSTATE', () => {
  assert.equal(sqlState(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), undefined);
  assert.equal(sqlState(Object.assign(new Error('x'), { code: 'EPIPE' })), undefined);
  assert.equal(sqlState(undefined), undefined);
  assert.equal(sqlState(new Error('23505')), undefined);
});

test('a closed pool leaves no session open, so a server can be stopped afterwards without an error', async () => {
  const trouble: Error[] = [];
  const name = 'sliproad-closing';
  for (let round = 0; round < 5; round++) {
    const closing = openDatabase({
      connection: { connectionString: url },
      poolSize: 8,
      answerTimeoutMs: databaseTimeoutMs(),
      applicationName: name,
      onError: (error) => trouble.push(error),
    });
    await Promise.all(Array.from({ length: 8 }, () => closing.query({ text: 'select pg_sleep(0.05)' })));
    await closing.close();
    const left = 'select pid from pg_stat_activity where application_name = $1';
    assert.deepEqual((await database.query({ text: left, values: [name] })).rows, []);
  }
  assert.deepEqual(trouble, []);
});
