import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLazily } from './send-page.ts';

test('a value is created once, and a failed attempt is repeated at the next call', async () => {
  let calls = 0;
  const value = makeLazily(async () => {
    calls++;
    if (calls === 1) throw new Error('too many open files');
    return calls;
  });
  await assert.rejects(value(), /too many open files/);
  assert.deepEqual(await Promise.all([value(), value()]), [2, 2]);
  assert.equal(await value(), 2);
});
