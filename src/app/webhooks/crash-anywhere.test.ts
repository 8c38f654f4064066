// Tests threat 75: the process dies after any call of fan-out or delivery, and starts again. No event is lost, no event gets
// another webhook-id, and no delivery gets more attempts than the schedule has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPE } from '../../../test/http/store-fixtures.ts';
import {
  acceptSome,
  addTestEndpoint,
  answered,
  deliverDeps,
  deliveriesOf,
  fanOutDeps,
  LEASE_MS,
  OK,
  sendAll,
  spread,
  type WebhookStage,
  webhookStage,
} from '../../../test/support/webhooks/stage.ts';
import type { WebhookRequest } from '../../ports/webhooks.ts';
import { deliverDueWebhooks } from './deliver-due-webhooks.ts';
import { makeDeliveryWindows } from './delivery-windows.ts';
import { fanOutEvents } from './fan-out-events.ts';

const stage = await webhookStage();

class Killed extends Error {}

/**
 * The process dies at the call with this number. The call is carried out but its result is lost, and later calls never start.
 */
function killable(last: number) {
  let calls = 0;
  const wrap = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          const no = ++calls;
          if (no > last) throw new Killed();
          const answer = await value.apply(target, given);
          if (no === last || calls > last) throw new Killed();
          return answer;
        };
      },
    });
  return { wrap, isDead: () => calls >= last };
}

async function live(
  on: WebhookStage,
  last: number,
  receive: (request: WebhookRequest) => typeof OK,
): Promise<boolean> {
  const { wrap, isDead } = killable(last);
  const deps = deliverDeps(on, receive);
  const windows = makeDeliveryWindows(64);
  try {
    const fanOut = { ...fanOutDeps(on), fanOut: wrap(on.fanOut), events: wrap(on.events) };
    while ((await fanOutEvents(fanOut)).more);
    const sender = { ...deps.sender, send: wrap(deps.sender).send };
    const wrapped = { ...deps, queue: wrap(on.queue), events: wrap(on.events), sender };
    for (;;) {
      const { claimed, finished } = await deliverDueWebhooks(wrapped, windows);
      await finished;
      if (isDead()) return false;
      if (claimed === 0) return true;
    }
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}

for (const [what, first] of [
  ['an endpoint that answers', OK],
  ['an endpoint that fails at first', answered(500)],
  ['an endpoint that is gone', answered(410)],
] as const) {
  test(`threat 75: if the process is killed after any call, ${what} gets every event with its own webhook-id`, async () => {
    for (let last = 1; ; last++) {
      const id = await addTestEndpoint(stage, { events: ['transaction.*'] });
      const events = await acceptSome(stage, 3);
      const got: string[] = [];
      const receive = (answer: typeof OK) => (request: WebhookRequest) => {
        const { id: inBody } = JSON.parse(request.body) as { id: string };
        assert.equal(request.headers['webhook-id'], inBody);
        if (answer === OK) got.push(inBody);
        return answer;
      };
      const lived = await live(stage, last, receive(first));
      stage.clock.nowMs += LEASE_MS;
      const doing = { actor: 'test', atMs: stage.clock.now() };
      if (first !== OK) await stage.endpoints.change(SCOPE, id, { state: 'enabled' }, doing);
      await spread(stage);
      await stage.deliveries.queueAgain(await deliveriesOf(stage, id), true, stage.clock.now());
      await sendAll(stage, receive(OK));
      assert.deepEqual([...new Set(got)].sort(), [...events].sort(), `killed after call ${last}`);
      for (const { state, attemptsMade } of await deliveriesOf(stage, id)) {
        assert.equal(state, 'delivered');
        assert.ok(attemptsMade <= 3);
      }
      await stage.endpoints.remove(SCOPE, id, doing);
      if (lived) {
        assert.ok(last > 6, 'it was killed at every call before');
        break;
      }
    }
    assert.deepEqual(
      stage.errors.filter((error) => !(error instanceof Killed)),
      [],
    );
  });
}

test('threat 75: if the process is killed in every attempt, a delivery gets no more attempts than the schedule allows', async () => {
  const id = await addTestEndpoint(stage);
  await acceptSome(stage, 1);
  await spread(stage);
  let sent = 0;
  for (let life = 0; life < 15; life++) {
    // Fan-out makes three calls. Then come the calls claim, events, targets and send. The process dies after the send.
    await live(stage, 7, () => {
      sent++;
      return OK;
    });
    stage.clock.nowMs += LEASE_MS;
  }
  assert.equal(sent, 10);
  await sendAll(stage, () => OK);
  const [ended] = await deliveriesOf(stage, id);
  assert.deepEqual([ended!.state, ended!.reason, ended!.attemptsMade], ['failed', 'attempts_used', 10]);
});
