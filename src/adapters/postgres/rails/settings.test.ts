// Tests that the rows that a decision about a rail is based on are read with a lock. So no other process changes them before
// the decision is written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { databaseInTransaction, readSettingBefore } from '../back-office/setting-writes.ts';
import type { railBeforeQuery } from './settings.ts';

const url = await freshDatabase();
const database = openTestDatabase(url);
const other = openTestDatabase(url);
const OF = { mode: 'test', rail: 'a-rail' } as const;
const write = (text: string) => database.query({ text });

await write(`insert into rail_pauses (mode, rail, by_health, actor, reason, since)
  values ('test', 'a-rail', false, 'a', 'b', '2026-11-14T09:00:00Z'), ('test', 'a-rail', true, 'a', 'b', '2026-11-14T09:01:00Z')`);
await write(`insert into rail_doubts (mode, rail, movement_id, since)
  values ('test', 'a-rail', 'mov_1', '2026-11-14T09:00:00Z')`);
await write(
  `insert into rail_caps (mode, rail, per_day_minor, updated_at) values ('test', 'a-rail', 5, now())`,
);
await write(`insert into rail_routes (mode, rail, priority, weight, enabled, updated_at)
  values ('test', 'a-rail', 1, 1, true, '2026-11-14T09:00:00Z')`);

const ROUTE = {
  ...{ id: 1, rail: 'a-rail', priority: 2, weight: 1, minMinor: null, maxMinor: null },
  ...{ bankCodes: null, costMinor: null, enabled: true },
};
const READ_FROM: readonly (readonly [Parameters<typeof railBeforeQuery>[0], table: string, rows: number])[] =
  [
    [{ setting: 'rail_paused', ...OF, reason: 'x' }, 'rail_pauses', 2],
    [{ setting: 'rail_resumed', ...OF, reason: 'x' }, 'rail_pauses', 2],
    [{ setting: 'rail_trusted', ...OF, reason: 'x' }, 'rail_doubts', 1],
    [{ setting: 'rail_cap_set', ...OF, perDayMinor: 7n }, 'rail_caps', 1],
    [{ setting: 'rail_route_set', mode: 'test', route: ROUTE }, 'rail_routes', 1],
    [{ setting: 'rail_route_removed', mode: 'test', routeId: 1 }, 'rail_routes', 1],
  ];

async function free(table: string): Promise<number> {
  const { rows } = await other.query({ text: `select from ${table} for update skip locked` });
  return rows.length;
}

for (const [request, table, rows] of READ_FROM) {
  test(`${request.setting}: no other process can change the rows behind the decision until the decision is written`, async () => {
    assert.equal(await free(table), rows);
    await database.transaction(async (client) => {
      assert.notEqual(await readSettingBefore(databaseInTransaction(client), request), '');
      assert.equal(await free(table), 0);
    });
    assert.equal(await free(table), rows);
  });
}

test('a pause or a doubt that is newer than the proposal differs from the one in the proposal', async () => {
  const [, resumed, trusted] = READ_FROM.map(([request]) => request);
  const seen = async () => [
    await readSettingBefore(database, resumed!),
    await readSettingBefore(database, trusted!),
  ];
  const before = await seen();
  await write(`update rail_doubts set movement_id = 'mov_2'`);
  await write(`update rail_pauses set since = since + interval '1 second' where by_health`);
  const after = await seen();
  assert.notEqual(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
});
