// Tests rate sources in the database. Only one process at a time reads a source, and all processes see the state of the source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { until } from '../../../../test/support/patience.ts';
import { MORNING } from '../../../../test/support/rates/prices.ts';
import { makeRateStore } from './rate-store.ts';

const url = await freshDatabase();
const database = openTestDatabase(url);
const [store, other] = [makeRateStore(database), makeRateStore(openTestDatabase(url))];
const named = (states: readonly { name: string }[]) => states.map(({ name }) => name);
const usd = (valueE4: bigint, asOfMs = MORNING) => ({ currency: 'USD', valueE4, asOfMs }) as const;

test('a due source is leased to one of many readers, and again after the lease has ended', async () => {
  const leases = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? store : other).leaseSources(['cbn', 'world'], MORNING, 1_000),
    ),
  );
  assert.deepEqual(named(leases.flat()).sort(), ['cbn', 'world']);
  assert.deepEqual(await store.leaseSources(['cbn'], MORNING + 999, 1_000), []);
  assert.deepEqual(named(await other.leaseSources(['cbn'], MORNING + 1_000, 1_000)), ['cbn']);
  assert.deepEqual(named(await store.listSources()), ['cbn', 'world']);
});

test('a source that another reader is leasing is skipped without waiting', async () => {
  await store.leaseSources(['busy', 'free'], MORNING, 1_000);
  const { leasing } = await database.transaction(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pg_backend_pid() as pid from rate_sources where name = 'busy' for update`,
    );
    let isOver = false;
    const leased = other.leaseSources(['busy', 'free'], MORNING + 1_000, 1_000).finally(() => {
      isOver = true;
    });
    const text = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
    const waits = async () => (await database.query({ text, values: [rows[0]!.pid] })).rowCount !== 0;
    await until('it has leased, or waits', async () => isOver || (await waits()));
    assert.ok(isOver, 'it waits');
    return { leasing: leased };
  });
  assert.deepEqual(named(await leasing), ['free']);
  await database.query({ text: `delete from rate_sources where name in ('busy', 'free')` });
});

test('a reading replaces the previous one, and a late reading is dropped', async () => {
  const kes = { currency: 'KES', valueE4: 105_000n, asOfMs: MORNING } as const;
  await store.saveReading('cbn', [usd(1n), kes], MORNING + 2_000, MORNING + 60_000);
  await store.saveReading('cbn', [usd(10n ** 25n), usd(-5n)], MORNING + 3_000, MORNING + 70_000);
  await store.saveReading('cbn', [usd(7n)], MORNING + 2_500, MORNING + 80_000);
  const [cbn] = await other.listSources();
  assert.deepEqual(cbn, {
    ...{ name: 'cbn', lastReadAtMs: MORNING + 3_000, lastFailureAtMs: null, lastFailure: null },
    ...{ failures: 0, nextReadAtMs: MORNING + 70_000, openUntilMs: null, rates: [usd(-5n)] },
  });
  assert.deepEqual(await store.leaseSources(['cbn'], MORNING + 69_999, 1_000), []);
  assert.deepEqual(named(await store.leaseSources(['cbn'], MORNING + 70_000, 1_000)), ['cbn']);
});

test('failures are counted until the next successful reading, and a source with an open circuit is not read', async () => {
  const failure = { code: 'unreachable', message: 'There was no answer within 5 s.' } as const;
  const atMs = MORNING + 70_000;
  for (const openUntilMs of [null, atMs + 60_000])
    await store.saveFailure('cbn', failure, { atMs, nextReadAtMs: atMs + 1_000, openUntilMs });
  const [cbn] = await store.listSources();
  assert.deepEqual(
    [cbn!.failures, cbn!.lastFailure, cbn!.lastFailureAtMs, cbn!.rates],
    [2, failure, atMs, [usd(-5n)]],
  );
  assert.deepEqual(await store.leaseSources(['cbn'], atMs + 59_999, 1_000), []);
  assert.equal((await store.leaseSources(['cbn'], atMs + 60_000, 1_000)).length, 1);
  await store.saveReading('cbn', [], atMs + 61_000, atMs + 120_000);
  const [after] = await store.listSources();
  assert.deepEqual([after!.failures, after!.openUntilMs, after!.rates], [0, null, []]);
});
