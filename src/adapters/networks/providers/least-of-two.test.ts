// A balance to be booked is the smaller of two providers' answers. If two providers are configured, one answer is not enough.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLeastOfTwo } from './least-of-two.ts';
import { makeProviders } from './providers.ts';

const ask = (...answers: readonly (bigint | null)[]) => {
  const urls = answers.map((_, index) => `https://p${index}.example`);
  const parts = { clock: { now: () => 1 }, onTrouble: () => undefined };
  const providers = makeProviders(urls, (url) => answers[urls.indexOf(url)]!, parts);
  return readLeastOfTwo(providers, async (answer) => {
    if (answer === null) throw new Error('down');
    return answer as bigint;
  });
};

test('threat 46: the smaller of two values counts, and a single value is refused when two providers are configured', async () => {
  assert.equal(await ask(7n), 7n);
  assert.equal(await ask(7n, 7n), 7n);
  assert.equal(await ask(9n, 7n), 7n);
  assert.equal(await ask(7n, 9n), 7n);
  assert.equal(await ask(null, 7n, 9n), 7n);
  await assert.rejects(ask(null, 7n), /only one provider answers/);
  await assert.rejects(ask(null, null), /down/);
});
