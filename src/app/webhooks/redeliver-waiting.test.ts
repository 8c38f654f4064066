// After an outage of its receiver, a business can request that a pending delivery is sent at once. The delivery then does not
// wait for the retry schedule.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptSome,
  addTestEndpoint,
  answered,
  deliveriesOf,
  OK,
  sendAll,
  spread,
  webhookStage,
} from '../../../test/support/webhooks/stage.ts';
import { MOST_ATTEMPTS } from '../../domain/webhooks/schedule.ts';

const stage = await webhookStage();
const { clock } = stage;

test('a waiting delivery becomes due at once in the same round; a delivery that is due or was never tried stays unchanged', async () => {
  const id = await addTestEndpoint(stage);
  await acceptSome(stage, 1);
  await spread(stage);
  const again = async (onlyFailed: boolean) =>
    stage.deliveries.queueAgain(await deliveriesOf(stage, id), onlyFailed, clock.now());
  assert.equal(await again(true), 0, 'never tried');
  assert.equal(await sendAll(stage, () => answered(500)), 1);
  assert.equal(await sendAll(stage, () => OK), 0, 'it waits');
  assert.equal(await again(true), 1);
  assert.equal(await again(false), 0, 'it is due already');
  const due = (await deliveriesOf(stage, id))[0]!;
  assert.deepEqual([due.state, due.nextAttemptAtMs, due.attemptsMade], ['pending', clock.now(), 1]);
  assert.equal(await sendAll(stage, () => OK), 1);
  const done = (await deliveriesOf(stage, id))[0]!;
  assert.deepEqual([done.state, done.attemptsMade], ['delivered', 2]);
});

test('a round has no more attempts than the schedule allows, no matter how often a redelivery is requested', async () => {
  const id = await addTestEndpoint(stage);
  await acceptSome(stage, 1);
  await spread(stage);
  for (let turn = 0; turn < 2 * MOST_ATTEMPTS; turn++) {
    await sendAll(stage, () => answered(500));
    const [delivery] = await deliveriesOf(stage, id);
    if (delivery!.state === 'failed') break;
    await stage.deliveries.queueAgain([delivery!], true, clock.now());
  }
  assert.equal((await deliveriesOf(stage, id))[0]!.attemptsMade, MOST_ATTEMPTS);
});
