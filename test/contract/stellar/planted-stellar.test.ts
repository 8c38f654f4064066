// Tests that every mistake planted in the Stellar adapter makes the contract fail.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Bug } from '../../simulation/planted/patch.ts';
import { PLANTED_STELLAR } from './planted-stellar.ts';

const RUN = new URL('./planted-stellar-run.ts', import.meta.url);

async function redOf(bug: Bug): Promise<unknown> {
  const thread = new Worker(RUN, { workerData: bug });
  const [red] = await once(thread, 'message');
  await thread.terminate();
  return red;
}

test('threat 42: every planted mistake in the proof that a send is dead is detected', {
  concurrency: 2,
}, async (t) => {
  await Promise.all(
    PLANTED_STELLAR.map((bug) =>
      t.test(bug.name, async () => {
        const red = await redOf(bug);
        assert.notEqual(red, null, bug.what);
        t.diagnostic(`${bug.name}: ${JSON.stringify(red)}`);
      }),
    ),
  );
});
