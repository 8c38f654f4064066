// Tests a stage that waits for banks. A slow batch does not delay later batches, and a stop waits for all batches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/patience.ts';
import { startStage } from './stage.ts';

function slowStage(patienceMs?: number) {
  const done: string[] = [];
  const errors: string[] = [];
  const slow = Promise.withResolvers<void>();
  const stage = startStage<string>({
    lease: async () => [],
    work: async (items) => {
      if (items.includes('slow')) await slow.promise;
      done.push(...items);
    },
    maxBatch: 1,
    ...(patienceMs !== undefined && { patienceMs }),
    onError: ({ message }) => errors.push(message),
  });
  stage.offer(['slow', 'quick', 'quicker']);
  return { stage, slow, done, errors };
}

test('the next batches run in parallel with a slow one, and stopping waits for it', async () => {
  const { stage, slow, done, errors } = slowStage(1);
  await until('those behind it are done', () => done.length === 2, { everyMs: 2 });
  assert.deepEqual(done, ['quick', 'quicker']);
  let isStopped = false;
  const stopped = stage.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  assert.equal(isStopped, false);
  slow.resolve();
  await stopped;
  assert.deepEqual([done.at(-1), errors], ['slow', []]);
});

test('an error in a slow batch is reported', async () => {
  const { stage, slow, done, errors } = slowStage(1);
  await until('those behind it are done', () => done.length === 2, { everyMs: 2 });
  slow.reject(new Error('the bank is away'));
  await until('it is reported', () => errors.length > 0, { everyMs: 2 });
  assert.deepEqual(errors, ['the bank is away']);
  await stage.stop();
});

test('a stage without patienceMs processes one batch after the other', async () => {
  const { stage, slow, done } = slowStage();
  await new Promise(setImmediate);
  assert.deepEqual(done, []);
  slow.resolve();
  await until('all are done', () => done.length === 3, { everyMs: 2 });
  assert.deepEqual(done, ['slow', 'quick', 'quicker']);
  await stage.stop();
});
