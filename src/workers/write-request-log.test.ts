// Tests the writing of the request log: in batches, with limited memory while the database cannot be reached, and complete
// after a stop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys, NOW, SCOPE } from '../../test/http/store-fixtures.ts';
import { until } from '../../test/support/patience.ts';
import { makeRequestLog } from '../adapters/postgres/requests/request-log.ts';
import type { LoggedRequest, RequestLog } from '../ports/request-log.ts';
import { StoreUnavailable } from '../ports/store/store.ts';
import { REQUEST_LOG_BOUNDS, startRequestLogWriter } from './write-request-log.ts';

const { database } = await databaseWithKeys();
const stored = makeRequestLog(database);
const SLOW = { ...REQUEST_LOG_BOUNDS, everyMs: 60_000 };

const entry = (requestId: string, body: string | null = null): LoggedRequest => ({
  ...SCOPE,
  requestId,
  atMs: NOW,
  keyId: 'key_test',
  method: 'POST',
  path: '/x',
  status: 200,
  code: null,
  durationMs: 1,
  body,
  bodyTruncated: false,
});

function stage(bounds = SLOW) {
  const state = { away: false, dropped: 0, errors: [] as Error[], batches: [] as number[] };
  const requestLog: RequestLog = {
    ...stored,
    append: async (requests) => {
      if (state.away) throw new StoreUnavailable('away', { mayHaveActed: false });
      await stored.append(requests);
      state.batches.push(requests.length);
    },
  };
  const instruments = {
    counter: () => (more: number) => {
      state.dropped += more;
    },
  };
  const onError = (error: Error) => void state.errors.push(error);
  return { state, writer: startRequestLogWriter({ requestLog, instruments, onError }, bounds) };
}

const found = async (id: string) => (await stored.find(SCOPE, id)) !== undefined;

test('recorded entries are written in batches, and a flush waits for them', async () => {
  const { state, writer } = stage({ ...SLOW, maxBatch: 10 });
  for (let i = 0; i < 25; i++) writer.record(entry(`req_a${i}`));
  await writer.flush();
  assert.deepEqual(state.batches, [10, 10, 5]);
  assert.ok(await found('req_a24'));
  await writer.stop();
  assert.deepEqual([state.dropped, state.errors], [0, []]);
});

test('the loop writes without a flush', async () => {
  const { writer } = stage({ ...REQUEST_LOG_BOUNDS, everyMs: 10 });
  writer.record(entry('req_loop'));
  await until('it is written', () => found('req_loop'));
  await writer.stop();
});

test('while the database is unreachable entries wait, and they are written when it is reachable again', async () => {
  const { state, writer } = stage();
  state.away = true;
  writer.record(entry('req_b1'));
  await writer.flush();
  assert.ok(state.errors.every((error) => error instanceof StoreUnavailable) && state.errors.length > 0);
  writer.record(entry('req_b2'));
  state.away = false;
  await writer.flush();
  assert.ok((await found('req_b1')) && (await found('req_b2')));
  assert.equal(state.dropped, 0);
  await writer.stop();
});

test('a flood of entries does not grow the memory: entries above the limits in number or size are dropped and counted', async () => {
  for (const [bounds, body, kept] of [
    [{ ...SLOW, maxWaiting: 100, stopMs: 0 }, null, 100],
    [{ ...SLOW, maxWaitingCharacters: 10_000, stopMs: 0 }, 'x'.repeat(998), 10],
  ] as const) {
    const { state, writer } = stage(bounds);
    state.away = true;
    for (let i = 0; i < 1_000; i++) writer.record(entry(`req_c${i}`, body));
    assert.equal(state.dropped, 1_000 - kept);
    state.away = false;
    await writer.flush();
    assert.deepEqual(state.batches, [kept]);
    writer.record(entry('req_d', body));
    await writer.flush();
    assert.equal(state.dropped, 1_000 - kept);
    await writer.stop();
  }
});

test('a batch that the database refuses does not block later batches', async () => {
  const { state, writer } = stage({ ...SLOW, maxBatch: 1 });
  writer.record({ ...entry('req_e1'), status: 99_999 });
  writer.record(entry('req_e2'));
  await writer.flush();
  assert.deepEqual([state.dropped, state.errors.length], [1, 1]);
  assert.ok(await found('req_e2'));
  await writer.stop();
});

test('stopping writes all entries; if the database stays unreachable, it ends and counts the lost entries', async () => {
  const first = stage();
  for (let i = 0; i < 2_500; i++) first.writer.record(entry(`req_f${i}`));
  await first.writer.stop();
  assert.ok(await found('req_f2499'));
  assert.equal(first.state.dropped, 0);
  const second = stage({ ...SLOW, stopMs: 150 });
  second.state.away = true;
  second.writer.record(entry('req_g'));
  await second.writer.stop();
  assert.equal(second.state.dropped, 1);
});
