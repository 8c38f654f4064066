// Tests the delivery of webhooks run by run on a real database: the order in which deliveries are claimed, the stored results,
// and what disables an endpoint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { SCOPE } from '../../../test/http/store-fixtures.ts';
import { until } from '../../../test/support/patience.ts';
import {
  acceptSome,
  addTestEndpoint,
  answered,
  BUSINESS,
  deliverDeps,
  deliveriesOf,
  OK,
  rowsOf,
  sendAll,
  spread,
  webhookStage,
} from '../../../test/support/webhooks/stage.ts';
import { DISABLED_AFTER_MS } from '../../domain/webhooks/endpoint.ts';
import { MOST_ATTEMPTS } from '../../domain/webhooks/schedule.ts';
import type { WebhookRequest } from '../../ports/webhooks.ts';
import { deliverDueWebhooks } from './deliver-due-webhooks.ts';
import { makeDeliveryWindows } from './delivery-windows.ts';
import { makeEndpointKeys, openEndpointKeys } from './endpoint-keys.ts';

const stage = await webhookStage();
const { clock } = stage;

async function endpointWith(count: number): Promise<{ id: string; events: string[] }> {
  const id = await addTestEndpoint(stage);
  const events = await acceptSome(stage, count);
  await spread(stage);
  return { id, events };
}
const remove = (id: string) => stage.endpoints.remove(SCOPE, id, { actor: 'test', atMs: clock.now() });

test('threat 73: every active key signs id, timestamp and body; a receiver refuses an old timestamp', async () => {
  const { id, events } = await endpointWith(1);
  const first = openEndpointKeys(stage.box, id, (await stage.endpoints.newestKeys(id, id))!);
  const { keys, secret } = makeEndpointKeys(stage, id, 'second');
  const doing = { actor: 'test', atMs: clock.now() };
  await stage.endpoints.rotate(SCOPE, id, keys, clock.now() + 1, doing);
  const requests: WebhookRequest[] = [];
  await sendAll(stage, (request) => {
    requests.push(request);
    return OK;
  });
  const [{ headers, body }] = requests as [WebhookRequest];
  assert.equal(headers['webhook-id'], events[0]);
  assert.equal(headers['webhook-signature']!.split(' ').length, 4);
  const now = Date.now;
  try {
    Date.now = () => clock.now();
    for (const each of [first.hmac, secret]) new Webhook(each).verify(body, { ...headers });
    assert.throws(() => new Webhook(secret).verify(`${body} `, { ...headers }));
    Date.now = () => clock.now() + 10 * 60_000;
    assert.throws(() => new Webhook(secret).verify(body, { ...headers }), 'threat 62: ten minutes late');
    Date.now = () => clock.now() - 10 * 60_000;
    assert.throws(() => new Webhook(secret).verify(body, { ...headers }), 'threat 62: ten minutes early');
  } finally {
    Date.now = now;
  }
  // The overlap of the old and the new keys has ended, so there is only one pair of signatures.
  clock.nowMs += 2;
  await stage.deliveries.queueAgain(await deliveriesOf(stage, id), false, clock.now());
  await sendAll(stage, (request) => {
    requests.push(request);
    return OK;
  });
  assert.equal(requests[1]!.headers['webhook-signature']!.split(' ').length, 2);
  assert.equal(requests[1]!.headers['webhook-id'], events[0]);
  await remove(id);
});

test('threat 74: an endpoint that hangs does not block others, and gets no more requests than its window allows', async () => {
  const hanging = await addTestEndpoint(stage, { url: 'https://slow.example.com/' });
  const quick = await addTestEndpoint(stage);
  await acceptSome(stage, 30);
  await spread(stage);
  const held: (() => void)[] = [];
  const receive = ({ endpointId }: WebhookRequest) =>
    endpointId === hanging
      ? new Promise<typeof OK>((resolve) => held.push(() => resolve(OK)))
      : Promise.resolve(OK);
  const windows = makeDeliveryWindows(2_048);
  const deps = deliverDeps(stage, receive);
  const all: Promise<unknown>[] = [];
  const turn = async () => void all.push((await deliverDueWebhooks(deps, windows)).finished);
  const states = async (id: string) => new Set((await deliveriesOf(stage, id)).map(({ state }) => state));
  await until('the quick one has them all', async () => {
    await turn();
    return (await states(quick)).difference(new Set(['delivered'])).size === 0;
  });
  assert.deepEqual(await states(quick), new Set(['delivered']));
  for (let more = 0; more < 20; more++) await turn();
  assert.equal(held.length, 2, 'two attempts, and none more until one ends');
  for (const release of held.splice(0)) release();
  await Promise.all(all);
  await remove(hanging);
  await remove(quick);
});

test('new events are sent before retries', async () => {
  const { id, events } = await endpointWith(2);
  await sendAll(stage, () => answered(500));
  clock.nowMs += 60_000;
  const fresh = await acceptSome(stage, 2);
  await spread(stage);
  const order: string[] = [];
  await sendAll(stage, ({ headers }) => {
    order.push(headers['webhook-id']!);
    return OK;
  });
  assert.deepEqual(order.slice(0, 2).sort(), [...fresh].sort());
  assert.deepEqual(order.slice(2).sort(), [...events].sort());
  await remove(id);
});

test('retry-after is respected, and the schedule ends after ten attempts', async () => {
  const { id } = await endpointWith(1);
  const started = clock.now();
  let attempts = await sendAll(stage, () => answered(503, 3_600_000));
  const [waiting] = await deliveriesOf(stage, id);
  assert.ok(waiting!.nextAttemptAtMs! - started >= 3_600_000);
  while ((await deliveriesOf(stage, id))[0]!.state === 'pending') {
    const nextAttemptAtMs = (await deliveriesOf(stage, id))[0]!.nextAttemptAtMs!;
    clock.nowMs = nextAttemptAtMs - 1;
    assert.equal(await sendAll(stage, () => answered(500)), 0, 'not before its time');
    clock.nowMs = nextAttemptAtMs;
    attempts += await sendAll(stage, () => answered(500));
  }
  const [failed] = await deliveriesOf(stage, id);
  assert.deepEqual([failed!.state, failed!.reason, failed!.attemptsMade], ['failed', 'attempts_used', 10]);
  assert.equal(attempts, MOST_ATTEMPTS);
  assert.deepEqual(
    (await stage.deliveries.attempts(failed!.id)).map(({ no, status }) => [no, status]),
    Array.from({ length: 10 }, (_, index) => [index + 1, index === 0 ? 503 : 500]),
  );
  await remove(id);
});

test('410 disables the endpoint with an event and mails; its pending deliveries end and can be recovered', async () => {
  const { id, events } = await endpointWith(3);
  await rowsOf(
    stage.database,
    `insert into people (id, email, name, created_at) select 'per_' || role, role || '@shop.example', role, now()
     from unnest(array['owner', 'developer', 'viewer']) as role`,
  );
  await rowsOf(
    stage.database,
    `insert into memberships (business_id, person_id, role, created_at)
     select '${BUSINESS}', 'per_' || role, role, now() from unnest(array['owner', 'developer', 'viewer']) as role`,
  );
  await deliverDueWebhooks(
    deliverDeps(stage, () => answered(410)),
    makeDeliveryWindows(1),
  ).then(({ finished }) => finished);
  const endpoint = (await stage.endpoints.find(SCOPE, id))!;
  assert.deepEqual([endpoint.state, endpoint.disabledReason], ['disabled', 'gone']);
  assert.equal(await sendAll(stage, () => OK), 0, 'a disabled endpoint gets no attempts');
  await stage.queue.endStranded(clock.now(), 100);
  const reasons = (await deliveriesOf(stage, id)).map(({ reason }) => reason).sort();
  assert.deepEqual(reasons, ['endpoint_disabled', 'endpoint_disabled', 'gone']);
  const mails = await rowsOf(stage.database, `select recipient from mails where about = '${id}' order by 1`);
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['developer@shop.example', 'owner@shop.example'],
  );
  const [event] = await rowsOf(
    stage.database,
    `select * from account_events where data -> 'endpoint' ->> 'id' = '${id}'`,
  );
  assert.equal(event!.type, 'webhook_endpoint.disabled');
  assert.ok(!JSON.stringify(event).includes('whsec_'));
  await stage.endpoints.change(SCOPE, id, { state: 'enabled' }, { actor: 'test', atMs: clock.now() });
  assert.equal(await stage.deliveries.queueAgain(await deliveriesOf(stage, id), true, clock.now()), 3);
  const got = new Set<string>();
  await sendAll(stage, ({ headers }) => {
    got.add(headers['webhook-id']!);
    return OK;
  });
  for (const each of events) assert.ok(got.has(each));
  await remove(id);
});

test('threat 72: a forbidden address is not tried again, and its owner can read why', async () => {
  const { id } = await endpointWith(1);
  const refused = {
    kind: 'refused',
    detail: 'url has an address that is not public',
    durationMs: 0,
  } as const;
  assert.equal(await sendAll(stage, () => refused), 1);
  const [delivery] = await deliveriesOf(stage, id);
  assert.deepEqual([delivery!.state, delivery!.reason], ['failed', 'address_refused']);
  const [attempt] = await stage.deliveries.attempts(delivery!.id);
  assert.deepEqual([attempt!.outcome, attempt!.error], ['address_refused', refused.detail]);
  await remove(id);
});

test('an endpoint that only fails for five days is disabled; one success restarts the five days', async () => {
  const { id } = await endpointWith(1);
  await sendAll(stage, () => answered(500));
  clock.nowMs += DISABLED_AFTER_MS - 10_000;
  await acceptSome(stage, 1);
  await spread(stage);
  await sendAll(stage, () => OK);
  assert.equal((await stage.endpoints.find(SCOPE, id))!.failingSinceMs, null);
  for (const pauseMs of [0, DISABLED_AFTER_MS]) {
    clock.nowMs += pauseMs;
    await acceptSome(stage, 1);
    await spread(stage);
    assert.equal((await stage.endpoints.find(SCOPE, id))!.state, 'enabled');
    await sendAll(stage, () => ({ kind: 'failed', problem: 'timeout', detail: 'late', durationMs: 15_000 }));
  }
  const { state, disabledReason } = (await stage.endpoints.find(SCOPE, id))!;
  assert.deepEqual([state, disabledReason], ['disabled', 'failing']);
  assert.deepEqual(stage.errors, []);
  await remove(id);
});
