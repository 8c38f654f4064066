// Tests how outcomes and decisions change an endpoint on PostgreSQL: when it counts as failing, when it is disabled, who is
// notified, and which deliveries end or stay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPE } from '../../../../test/http/store-fixtures.ts';
import {
  acceptSome,
  addTestEndpoint,
  answered,
  BUSINESS,
  deliveriesOf,
  LEASE_MS,
  OK,
  rowsOf,
  sendAll,
  spread,
  webhookStage,
} from '../../../../test/support/webhooks/stage.ts';
import { disableEndpoint } from '../../../app/webhooks/disable-endpoint.ts';
import { makeEndpointKeys } from '../../../app/webhooks/endpoint-keys.ts';
import type { LeasedDelivery } from '../../../ports/webhooks.ts';

const stage = await webhookStage();
const { clock, queue, endpoints } = stage;
const doing = () => ({ actor: 'test', atMs: clock.now() });
const find = async (id: string) => (await endpoints.find(SCOPE, id))!;
const remove = (id: string) => endpoints.remove(SCOPE, id, doing());

async function endpointWith(count: number): Promise<string> {
  const id = await addTestEndpoint(stage, { events: ['transaction.*'] });
  await acceptSome(stage, count);
  await spread(stage);
  return id;
}

const claim = () =>
  queue.claim({
    ...{ atMs: clock.now(), leaseUntilMs: clock.now() + LEASE_MS, rooms: new Map(), roomOfOthers: 100 },
    ...{ after: '', limit: 100, mostAttempts: 10 },
  });

function settle(delivery: LeasedDelivery, status: number) {
  const atMs = clock.now();
  const outcome = status === 200 ? 'succeeded' : 'answered';
  const attempt = { no: delivery.no, atMs, durationMs: 1, status, outcome, error: null, answer: '' } as const;
  const next = status === 200 ? { kind: 'delivered' as const } : { kind: 'retry' as const, inMs: 5_000 };
  return queue.settle({ delivery, endpointId: delivery.endpointId, attempt, next, atMs });
}

test('when several outcomes are stored together and one of them is a success, the endpoint is not failing', async () => {
  const id = await endpointWith(3);
  const [first, second, third] = await claim();
  // The first write is in progress when the other two outcomes arrive, so these two share the next write.
  const settled = await Promise.all([settle(first!, 500), settle(second!, 200), settle(third!, 500)]);
  assert.deepEqual(settled.slice(1), [{ failingSinceMs: null }, { failingSinceMs: null }]);
  assert.equal((await find(id)).failingSinceMs, null);
  await remove(id);
});

test('an endpoint is not disabled if its URL changed, or a delivery succeeded, after the decision to disable it', async () => {
  const id = await endpointWith(1);
  await sendAll(stage, () => answered(500));
  const failing = await find(id);
  const url = 'https://shop.example.com/other';
  await endpoints.change(SCOPE, id, { url }, doing());
  for (const reason of ['gone', 'failing'] as const)
    assert.equal(await disableEndpoint(stage, failing, reason), false);
  await acceptSome(stage, 1);
  await spread(stage);
  await sendAll(stage, () => OK);
  const healthy = await find(id);
  assert.equal(await disableEndpoint(stage, healthy, 'failing'), false);
  assert.deepEqual(await find(id), healthy);
  const traces = `select id from account_events where data -> 'endpoint' ->> 'id' = '${id}'
    union all select id from mails where about = '${id}'`;
  assert.deepEqual(await rowsOf(stage.database, traces), []);
  assert.equal(await disableEndpoint(stage, healthy, 'gone'), true);
  await remove(id);
});

test('owners and developers are notified; disabled people are not', async () => {
  await rowsOf(
    stage.database,
    `with added as (
       insert into people (id, email, name, disabled_at, created_at) values
         ('per_owner', 'owner@shop.example', 'Owner', null, now()),
         ('per_developer', 'developer@shop.example', 'Developer', null, now()),
         ('per_viewer', 'viewer@shop.example', 'Viewer', null, now()),
         ('per_former', 'former@shop.example', 'Former', now(), now()) returning id)
     insert into memberships (business_id, person_id, role, created_at)
     select '${BUSINESS}', id, case id when 'per_former' then 'owner' else substr(id, 5) end, now() from added`,
  );
  assert.deepEqual(await queue.caretakers(BUSINESS), ['developer@shop.example', 'owner@shop.example']);
});

test('a delivery in progress at a deleted endpoint keeps its own outcome; a pending delivery is never deleted', async () => {
  while ((await queue.endStranded(clock.now(), 100)) > 0);
  const id = await endpointWith(2);
  const leased = await claim();
  while ((await queue.forget(clock.now() + LEASE_MS, 100)) > 0);
  assert.equal((await deliveriesOf(stage, id)).length, 2, 'they are old, and not over');
  await remove(id);
  assert.equal(await queue.endStranded(clock.now(), 100), 0, 'both are in progress');
  assert.ok(await settle(leased[0]!, 200));
  clock.nowMs += LEASE_MS;
  assert.equal(await queue.endStranded(clock.now(), 100), 1, 'the lease of the other is over');
  const ends = (await deliveriesOf(stage, id)).map(({ state, reason }) => reason ?? state);
  assert.deepEqual(ends.sort(), ['delivered', 'endpoint_deleted']);
});

test('at most four key pairs sign at once; one more rotation removes the oldest pair', async () => {
  const id = await addTestEndpoint(stage);
  const made = [];
  for (let no = 0; no < 5; no++) {
    const { keys } = makeEndpointKeys(stage, id, `rotation-${no}`);
    made.unshift(keys.sealed);
    await endpoints.rotate(SCOPE, id, keys, clock.now() + 3_600_000, doing());
  }
  const target = (await queue.targets([id], clock.now())).get(id)!;
  assert.deepEqual(target.sealedKeys, made.slice(0, 4));
  await remove(id);
});
