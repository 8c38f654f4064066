// Tests that every mistake planted in the Solana adapter makes a case of its contract fail.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SOLANA_BUGS, type SolanaBug } from './planted-solana.ts';

async function redFor(bug: SolanaBug): Promise<string | null> {
  const worker = new Worker(new URL('planted-solana-thread.ts', import.meta.url), { workerData: bug });
  try {
    const [red] = (await once(worker, 'message')) as [string | null];
    return red;
  } finally {
    await worker.terminate();
  }
}

test('threat 42: planted mistakes in the Solana adapter are all caught', { concurrency: 2 }, async (t) => {
  const play = (bug: SolanaBug) =>
    t.test(bug.name, async (each) => {
      const red = await redFor(bug);
      assert.notEqual(red, null, bug.what);
      each.diagnostic(red!);
    });
  await Promise.all(SOLANA_BUGS.map(play));
});
