// Tests work turns: a limited number of tasks run at the same time. The other tasks run in the order of their arrival, even
// after a task fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { makeWorkTurns } from './work-turns.ts';

test('at most the given number of tasks run at once; waiting tasks run in order, even after a failure', async () => {
  const turns = makeWorkTurns(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const works = Array.from({ length: 4 }, (_, no) =>
    turns.take(() => {
      begun.push(no);
      ends[no] = Promise.withResolvers<void>();
      return ends[no].promise;
    }),
  );
  await nextTick();
  assert.deepEqual(begun, [0, 1]);
  ends[1]!.reject(new Error('away'));
  await assert.rejects(works[1]!, /away/);
  await nextTick();
  assert.deepEqual(begun, [0, 1, 2]);
  ends[0]!.resolve();
  await nextTick();
  assert.deepEqual(begun, [0, 1, 2, 3]);
  for (const each of ends) each.resolve();
  await Promise.allSettled(works);
  await turns.take(async () => void begun.push(4));
  assert.equal(begun.at(-1), 4);
});
