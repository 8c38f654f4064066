// Tests the request log on PostgreSQL. It shows rows of one business and mode only, a batch may be written twice, and old rows
// are deleted in batches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys, NOW, SCOPE } from '../../../../test/http/store-fixtures.ts';
import type { LoggedRequest } from '../../../ports/request-log.ts';
import { deleteOldRequests } from '../../../workers/forget-old-rows.ts';
import { makeRequestLog } from './request-log.ts';

const { database } = await databaseWithKeys();
const log = makeRequestLog(database);

const entry = (requestId: string, changes: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...SCOPE,
  requestId,
  atMs: NOW,
  keyId: 'key_test',
  method: 'POST',
  path: '/transactions/v1/onramp',
  status: 422,
  code: 'amount_below_minimum',
  durationMs: 3,
  body: '{"note":"\\u0000 \\" \\\\ {,}"}',
  bodyTruncated: false,
  ...changes,
});
const rows = async () =>
  (await database.query<{ count: number }>({ text: 'select count(*)::int as count from request_log' }))
    .rows[0]!.count;

test('an appended request is read back unchanged, only by its own business and mode', async () => {
  const one = entry('req_one');
  const bare = entry('req_bare', { code: null, body: null, status: 200, path: '/x?q={"\\,}' });
  await log.append([one, bare]);
  assert.deepEqual(await log.find(SCOPE, 'req_one'), one);
  assert.deepEqual(await log.find(SCOPE, 'req_bare'), bare);
  assert.equal(await log.find({ ...SCOPE, mode: 'live' }, 'req_one'), undefined);
  assert.equal(await log.find({ ...SCOPE, businessId: 'biz_other' }, 'req_one'), undefined);
  assert.equal(await log.find(SCOPE, 'req_none'), undefined);
});

test('requests with the same id in other businesses and modes are separate; within one business the first one is kept', async () => {
  const mine = entry('req_same');
  const theirs = entry('req_same', { businessId: 'biz_other', path: '/theirs' });
  const live = entry('req_same', { mode: 'live', path: '/live' });
  await log.append([mine, theirs, live]);
  await log.append([entry('req_same', { path: '/later' }), entry('req_after')]);
  await log.append([mine, theirs, live]);
  assert.deepEqual(await log.find(SCOPE, 'req_same'), mine);
  assert.deepEqual(await log.find({ businessId: 'biz_other', mode: 'test' }, 'req_same'), theirs);
  assert.deepEqual(await log.find({ ...SCOPE, mode: 'live' }, 'req_same'), live);
  assert.ok(await log.find(SCOPE, 'req_after'));
});

test('only old requests are deleted, in batches', async () => {
  const dayMs = 86_400_000;
  const before = await rows();
  await log.append(
    Array.from({ length: 25 }, (_, i) => entry(`req_old${i}`, { atMs: NOW - 31 * dayMs - i })),
  );
  await log.append([entry('req_kept', { atMs: NOW - 30 * dayMs })]);
  assert.equal(await log.deleteBefore(NOW - 30 * dayMs, 10), 10);
  const clock = { now: () => NOW };
  await deleteOldRequests({ requestLog: log, clock }, 30 * dayMs, { batch: 5, until: () => true });
  assert.equal(await rows(), before + 16, 'a stop ends between two batches');
  await deleteOldRequests({ requestLog: log, clock }, 30 * dayMs, { batch: 5 });
  assert.equal(await rows(), before + 1);
  assert.ok(await log.find(SCOPE, 'req_kept'));
});

test('the commit of a batch does not wait for the disk, and no other commit is affected', async () => {
  const setting = () =>
    database
      .query<{ synchronous_commit: string }>({ text: 'show synchronous_commit' })
      .then(({ rows }) => rows[0]!);
  const before = await setting();
  await log.append([entry('req_hurried')]);
  assert.deepEqual(await setting(), before);
  await database.transaction(async (client) => {
    await client.query(
      `with hurried as materialized (select set_config('synchronous_commit', 'off', true)) select from hurried`,
    );
    assert.deepEqual((await client.query('show synchronous_commit')).rows, [{ synchronous_commit: 'off' }]);
  });
});
