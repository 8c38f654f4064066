// Tests for threat 71: the token bucket and the count of failures, with a clock that the test controls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeFailureCounts, makeTokenBuckets } from './limits.ts';

test('a bucket allows its burst, then its rate, and never collects more than its burst', () => {
  const buckets = makeTokenBuckets(2, 3);
  const takes = (count: number, atMs: number) =>
    Array.from({ length: count }, () => buckets.take('key', atMs)).filter(Boolean).length;
  assert.equal(takes(10, 1_000), 3);
  assert.equal(takes(10, 1_499), 0);
  assert.equal(takes(10, 1_500), 1);
  assert.equal(takes(10, 2_500), 2);
  assert.equal(takes(10, 1_000_000), 3);
});

test('each key has its own bucket, and a clock that goes back adds no tokens', () => {
  const buckets = makeTokenBuckets(1, 1);
  assert.ok(buckets.take('a', 5_000) && buckets.take('b', 5_000));
  assert.ok(!buckets.take('a', 1_000) && !buckets.take('a', 5_500) && buckets.take('a', 6_000));
});

test('a flood of names does not fill the memory, and an empty bucket is kept until it is full again', () => {
  const buckets = makeTokenBuckets(1, 2);
  assert.deepEqual([buckets.take('a', 0), buckets.take('a', 0), buckets.take('a', 0)], [true, true, false]);
  for (let i = 0; i < 250_000; i++) buckets.take(`name ${i}`, 0);
  assert.equal(buckets.take('a', 0), false);
  // The measured second has ended, but the bucket is not full again.
  assert.equal(buckets.take('a', 1_999), true);
  assert.equal(buckets.take('a', 2_000), true);
  assert.equal(buckets.take('a', 2_001), false);
});

test('at any times, no period allows more than the burst plus the rate', () => {
  const gaps = fc.array(fc.nat({ max: 700 }), { maxLength: 200 });
  fc.assert(
    fc.property(
      gaps,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      (list, rate, burst) => {
        const buckets = makeTokenBuckets(rate, burst);
        let now = 0;
        const given: number[] = [];
        for (const gap of list) {
          now += gap;
          if (buckets.take('key', now)) given.push(now);
        }
        for (const [from, start] of given.entries()) {
          for (const [to, end] of given.entries()) {
            if (to < from) continue;
            assert.ok(to - from + 1 <= burst + ((end - start) * rate) / 1_000 + 1e-6);
          }
        }
      },
    ),
  );
});

test('threat 71: each client may have a limited number of failures per minute, and clients are counted separately', () => {
  const failures = makeFailureCounts(3);
  const fails = (count: number, atMs: number, client = 'a') =>
    Array.from({ length: count }, () => failures.exceeded(client, atMs));
  assert.deepEqual(fails(5, 1_000), [false, false, false, true, true]);
  assert.deepEqual(fails(1, 60_999), [true]);
  assert.deepEqual(fails(4, 1_000, 'b'), [false, false, false, true]);
});

test('threat 71: failures count less and less during the next minute, so the count does not restart at each minute', () => {
  const failures = makeFailureCounts(60);
  for (let i = 0; i < 60; i++) assert.equal(failures.exceeded('a', 0), false);
  assert.equal(failures.exceeded('a', 59_999), true);
  // At the start of the next minute all 60 failures still count. Half a minute later, half of the failures count.
  assert.equal(failures.exceeded('a', 60_000), true);
  let admitted = 0;
  for (let i = 0; i < 60; i++) if (!failures.exceeded('a', 90_000)) admitted++;
  assert.equal(admitted, 30);
  for (let i = 0; i < 60; i++) assert.equal(failures.exceeded('a', 500_000), false);
});

test('a flood of clients does not fill the memory, and known clients are still counted', () => {
  const failures = makeFailureCounts(2);
  for (let i = 0; i < 100_050; i++) failures.exceeded(`client ${i}`, 1_000);
  assert.equal(failures.exceeded('client 0', 1_000), false);
  assert.equal(failures.exceeded('client 0', 1_000), true);
});
