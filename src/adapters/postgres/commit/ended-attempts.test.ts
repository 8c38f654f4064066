// Tests on a real PostgreSQL that a commit also schedules a later query to the rail about each attempt that ended. The delay
// counts from the end of the attempt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, movement } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import type { Attempt } from '../../../domain/records/movement.ts';
import { FIRST_LOOK_MS } from '../../../ports/store/store.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);

async function attempted(changes: Partial<Attempt>, network: string | null = null): Promise<string> {
  const of = movement({ kind: 'payout', network, asset: network === null ? 'NGN' : 'NGNC@Polygon' });
  const made = attempt(of, { payload: null, ...changes });
  await commitAll(store, [{ atMs: NOW, newMovements: [of], attempts: [made] }]);
  return of.id;
}

const dueAt = async (atMs: number) =>
  (await store.leaseEndedPayouts({ atMs, leaseMs: 1_000, limit: 10 })).map(
    ({ movementId, paid, endedAtMs }) => ({ movementId, paid, endedAtMs }),
  );

test('an ended attempt is due for a check ten minutes after its end; an attempt in progress is not due', async () => {
  const endedAtMs = NOW + 5 * 60_000;
  const landed = await attempted({ state: 'landed', updatedAtMs: endedAtMs });
  await attempted({ state: 'accepted', updatedAtMs: endedAtMs });
  await attempted({ state: 'landed', updatedAtMs: endedAtMs, payload: 'signed' }, 'Polygon');
  assert.deepEqual(await dueAt(endedAtMs + FIRST_LOOK_MS - 1), []);
  assert.deepEqual(await dueAt(endedAtMs + FIRST_LOOK_MS), [{ movementId: landed, paid: true, endedAtMs }]);
});

test('an attempt with a final refusal is also checked again, as not paid', async () => {
  const refused = await attempted({ state: 'failed' });
  const found = await dueAt(NOW + FIRST_LOOK_MS);
  assert.deepEqual(found, [{ movementId: refused, paid: false, endedAtMs: NOW }]);
});
