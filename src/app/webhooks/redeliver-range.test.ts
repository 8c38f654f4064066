// Tests the redelivery of a range with more events than one request allows, on a real database. If a request is repeated after
// a lost response, it queues nothing twice and still returns the next cursor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY, SCOPE } from '../../../test/http/store-fixtures.ts';
import {
  acceptSome,
  addTestEndpoint,
  OK,
  sendAll,
  spread,
  webhookStage,
} from '../../../test/support/webhooks/stage.ts';
import type { BusinessActor } from '../input/caller.ts';
import { redeliverRange } from './redeliver-range.ts';
import type { WebhookDeps } from './webhook-deps.ts';

const stage = await webhookStage();
const caller = { key: { id: KEY, business: { id: SCOPE.businessId }, mode: SCOPE.mode } } as BusinessActor;
const deps = { ...stage, queued: () => undefined } as unknown as WebhookDeps;
const BATCH = 500;
const MORE_THAN_ONE_REQUEST = 10_000 + BATCH;

/**
 * Stores the same values that real deliveries would store. Real deliveries of thousands of events take minutes on a slow
 * machine, and prove no more than a few deliveries.
 */
async function countAsDelivered(endpointId: string, count: number): Promise<void> {
  const text = `update webhook_deliveries set state = 'delivered', attempts = 1, fence = 1, updated_at = now()
    where id in (select id from webhook_deliveries where endpoint_id = $1 and state = 'pending' order by id limit $2)`;
  const { rowCount } = await stage.database.query({ text, values: [endpointId, count] });
  assert.equal(rowCount, count);
}

test('a range is queued in parts, and a repeated part has the same next cursor', async () => {
  for (let made = 0; made < MORE_THAN_ONE_REQUEST; made += BATCH) await acceptSome(stage, BATCH);
  await spread(stage);
  const id = await addTestEndpoint(stage);
  const range = { from: '1970-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
  const ask = async (idempotencyKey: string, cursor?: string) => {
    const request = { caller, id, idempotencyKey };
    const answer = await redeliverRange(deps, request, { ...range, ...(cursor !== undefined && { cursor }) });
    assert.ok(answer.ok);
    return answer.value;
  };
  const first = await ask('part-1');
  assert.equal(first.value.queued, 10_000);
  assert.notEqual(first.value.nextCursor, null);
  await countAsDelivered(id, first.value.queued - BATCH);
  assert.equal(await sendAll(stage, () => OK), BATCH);
  const again = await ask('part-1');
  assert.deepEqual(again, { value: { queued: 0, nextCursor: first.value.nextCursor }, replayed: true });
  assert.equal(await sendAll(stage, () => OK), 0, 'what was delivered is not sent once more');
  const second = await ask('part-2', again.value.nextCursor!);
  assert.deepEqual(second, { value: { queued: BATCH, nextCursor: null }, replayed: false });
});
