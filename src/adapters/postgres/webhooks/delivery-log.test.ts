// Tests the list of deliveries on PostgreSQL: the start and the end of a period, and a cursor outside the period.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptSome,
  addTestEndpoint,
  spread,
  webhookStage,
} from '../../../../test/support/webhooks/stage.ts';
import { idTimeMs } from '../../../domain/values/ids.ts';

test('a period includes its start and its end, and a cursor outside the period returns nothing from outside it', async () => {
  const stage = await webhookStage();
  const endpoint = await addTestEndpoint(stage);
  for (let no = 0; no < 3; no++) {
    await acceptSome(stage, 1);
    await spread(stage);
    stage.clock.nowMs += 1_000;
  }
  const list = async (filter: object = {}) =>
    (await stage.deliveries.list(endpoint, { limit: 10, ...filter })).map(({ id }) => id);
  const [newest, middle, oldest] = (await list()) as [string, string, string];
  const atMs = idTimeMs(middle);
  assert.deepEqual(await list({ fromMs: atMs }), [newest, middle]);
  assert.deepEqual(await list({ fromMs: atMs + 1 }), [newest]);
  assert.deepEqual(await list({ toMs: atMs }), [middle, oldest]);
  assert.deepEqual(await list({ toMs: atMs - 1 }), [oldest]);
  assert.deepEqual(await list({ before: middle }), [oldest]);
  assert.deepEqual(await list({ toMs: atMs - 1, before: newest }), [oldest]);
});
