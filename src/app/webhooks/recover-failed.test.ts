// Tests a recovery of failed deliveries on a real database. The recovery starts at the creation of the endpoint and has no end
// time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY, SCOPE } from '../../../test/http/store-fixtures.ts';
import { untilReadable } from '../../../test/support/horizon.ts';
import {
  acceptSome,
  addTestEndpoint,
  answered,
  deliveriesOf,
  sendAll,
  spread,
  webhookStage,
} from '../../../test/support/webhooks/stage.ts';
import type { Caller } from '../input/caller.ts';
import { recoverFailedDeliveries } from './redeliver-range.ts';
import type { WebhookDeps } from './webhook-deps.ts';

const stage = await webhookStage();
const caller = { key: { id: KEY, business: { id: SCOPE.businessId }, mode: SCOPE.mode } } as Caller;

test('a process with a slow clock also recovers the newest events', async () => {
  const id = await addTestEndpoint(stage);
  await acceptSome(stage, 2);
  await spread(stage);
  await sendAll(stage, () => answered(410));
  const doing = { actor: 'test', atMs: stage.clock.now() };
  await stage.endpoints.change(SCOPE, id, { state: 'enabled' }, doing);
  const clock = { now: () => stage.clock.now() - 5_000 };
  const deps = { ...stage, clock, queued: () => undefined } as unknown as WebhookDeps;
  const request = { caller, id, idempotencyKey: null };
  await untilReadable(stage.database);
  const answer = await recoverFailedDeliveries(deps, request, { since: '1970-01-01T00:00:00Z' });
  assert.ok(answer.ok);
  // The first response 410 disables the endpoint, which creates another event.
  assert.deepEqual(answer.value.value, { queued: 3, nextCursor: null });
  const states = (await deliveriesOf(stage, id)).map(({ state }) => state);
  assert.deepEqual(states, ['pending', 'pending', 'pending']);
});
