// Tests fan-out without an endpoint. It costs nothing per commit, and an endpoint that is added later still gets exactly its
// own events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPE } from '../../../test/http/store-fixtures.ts';
import {
  acceptSome,
  addTestEndpoint,
  deliveriesOf,
  fanOutDeps,
  webhookStage,
} from '../../../test/support/webhooks/stage.ts';
import { fanOutEvents } from './fan-out-events.ts';

test('without an endpoint the position moves to the end at most once a second; a new endpoint gets only events after its creation', async () => {
  const stage = await webhookStage();
  const deps = fanOutDeps(stage);
  const memory = { jumpedAtMs: 0 };
  await acceptSome(stage, 1);
  await fanOutEvents(deps, memory);
  const position = await stage.fanOut.position();
  assert.equal(position, await stage.events.end());
  await acceptSome(stage, 3);
  await fanOutEvents(deps, memory);
  assert.equal(await stage.fanOut.position(), position, 'it has just moved');
  const endpoint = await addTestEndpoint(stage);
  const own = await acceptSome(stage, 2);
  assert.equal((await fanOutEvents(deps, memory)).deliveries, 2);
  const made = await deliveriesOf(stage, endpoint);
  assert.deepEqual(made.map(({ eventId }) => eventId).sort(), own.sort());
  assert.equal(await stage.fanOut.position(), await stage.events.end());
  await stage.endpoints.remove(SCOPE, endpoint, { actor: 'test', atMs: stage.clock.now() });
  await acceptSome(stage, 1);
  stage.clock.nowMs += 1_000;
  await fanOutEvents(deps, memory);
  assert.equal(await stage.fanOut.position(), await stage.events.end(), 'a second is over');
});
