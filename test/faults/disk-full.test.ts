// Tests a full disk of the database, where every write fails with SQLSTATE 53100. The service refuses new work with 503 and
// stores nothing, and reads continue. When there is space again, the same process continues without repair.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, OFFRAMP, ONRAMP, storingNothing } from '../http/helpers.ts';
import { buyBody, sellBody, startTestService } from '../support/service.ts';

const service = await startTestService();
const { business, foundation } = service;
const sql = (text: string) => foundation.database.query({ text });

test('threat 88: when the disk is full, new transactions get 503, reads continue, and the service recovers automatically', async () => {
  const first = await service.post(ONRAMP, buyBody(business, { reference: 'before' }));
  assert.equal(first.status, 200);
  const { transaction } = first.body;
  const path = `/transactions/v1/${transaction.transaction_id}`;

  await sql(`create function disk_full() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$`);
  // The trigger runs after the rows are written. So the database must also roll back what the statement wrote before the disk
  // was full.
  for (const table of ['transactions', 'transaction_states'])
    await sql(`create trigger disk_full after insert or update on ${table}
      for each statement execute function disk_full()`);
  // All requests are sent at once, because the service retries an acceptance for a while before it refuses it.
  const answers = await storingNothing(service, () =>
    Promise.all([
      service.post(ONRAMP, buyBody(business, { reference: 'during' })),
      service.post(OFFRAMP, sellBody(business)),
      service.post(ONRAMP, buyBody(business), { headers: { 'idempotency-key': 'during' } }),
      service.post(`${path}/cancel`, {}),
    ]),
  );
  for (const answer of answers) {
    assertRefused(answer, 503, 'unavailable');
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.doesNotMatch(answer.text, /device|file/);
  }
  assert.deepEqual((await service.get(path)).body.transaction, transaction);

  for (const table of ['transactions', 'transaction_states']) await sql(`drop trigger disk_full on ${table}`);
  for (const reference of ['during', 'after'])
    assert.equal((await service.post(ONRAMP, buyBody(business, { reference }))).status, 200);
  assert.equal((await service.post(`${path}/cancel`, {})).body.transaction.state, 'cancelled');
});
