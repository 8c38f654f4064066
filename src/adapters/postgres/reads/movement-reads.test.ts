// Tests payouts that ended. Only one process at a time checks a payout, and only that process schedules the next check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsOrWaits } from '../../../../test/http/races.ts';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { makeEndedPayouts } from './movement-reads.ts';

const url = await freshDatabase();
const database = openTestDatabase(url);
const [one, other] = [makeEndedPayouts(database), makeEndedPayouts(openTestDatabase(url))];
const NOW = Date.parse('2026-11-14T09:30:00Z');
const leaseAt = (atMs: number, limit = 10) => ({ atMs, leaseMs: 1_000, limit });
const names = (leased: readonly { readonly movementId: string }[]) =>
  leased.map(({ movementId }) => movementId);

async function ended(...ids: readonly string[]): Promise<void> {
  await database.query({ text: 'delete from ended_payouts' });
  for (const [index, id] of ids.entries())
    await database.query({
      text: `insert into ended_payouts (movement_id, no, mode, rail, reference, paid, ended_at, due_at)
        values ($1, 1, 'test', 'rail', $2, true, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000))`,
      values: [id, `ref-${id}`, NOW - 600_000, NOW + index],
    });
}

test('the oldest due payouts are leased, up to the requested number, and hidden until the lease ends', async () => {
  await ended('mov_3', 'mov_2', 'mov_1');
  assert.deepEqual(await one.leaseEndedPayouts(leaseAt(NOW - 1)), []);
  assert.deepEqual(names(await one.leaseEndedPayouts(leaseAt(NOW + 5, 2))), ['mov_2', 'mov_3']);
  const [last] = await other.leaseEndedPayouts(leaseAt(NOW + 5));
  assert.deepEqual(last, {
    ...{ movementId: 'mov_1', no: 1, mode: 'test', rail: 'rail', reference: 'ref-mov_1', paid: true },
    ...{ endedAtMs: NOW - 600_000, looks: 0, said: null, version: 2 },
  });
  assert.deepEqual(await other.leaseEndedPayouts(leaseAt(NOW + 1_004)), []);
  assert.equal((await other.leaseEndedPayouts(leaseAt(NOW + 1_005))).length, 3);
});

test('a lease skips a payout that another process is leasing at that moment, without waiting', async () => {
  await ended('mov_1', 'mov_2');
  await database.transaction(async (client) => {
    await client.query(`select from ended_payouts where movement_id = 'mov_1' for update`);
    const leasing = other.leaseEndedPayouts(leaseAt(NOW + 5));
    const course = await endsOrWaits(database, leasing);
    if (course === 'waits') await client.query('rollback');
    assert.deepEqual([course, names(await leasing)], ['ends', ['mov_2']]);
  });
  assert.deepEqual(names(await one.leaseEndedPayouts(leaseAt(NOW + 5))), ['mov_1']);
});

test('a worker whose lease has ended cannot reschedule or delete the next check', async () => {
  await ended('mov_1');
  const [slow] = await one.leaseEndedPayouts(leaseAt(NOW));
  const [fast] = await other.leaseEndedPayouts(leaseAt(NOW + 1_000));
  await one.moveEndedPayout(slow!, { looks: 9, said: 'failed', dueAtMs: NOW });
  await one.moveEndedPayout(slow!, null);
  await other.moveEndedPayout(fast!, { looks: 1, said: 'paid', dueAtMs: NOW + 9_000 });
  const [next] = await one.leaseEndedPayouts(leaseAt(NOW + 9_000));
  assert.deepEqual([next?.looks, next?.said], [1, 'paid']);
  await one.moveEndedPayout(next!, null);
  assert.deepEqual(await one.leaseEndedPayouts(leaseAt(NOW + 99_000)), []);
});
