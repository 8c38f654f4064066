// Tests the schedule of webhook attempts with properties that hold for every outcome.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AttemptOutcome,
  decideNextStep,
  FIRST_WINDOW,
  isSuccessfulAttempt,
  LONGEST_PAUSE_MS,
  MOST_ATTEMPTS,
  SCHEDULE_MS,
  WIDEST_WINDOW,
  windowAfter,
} from './schedule.ts';

const random = fc.double({ min: 0, max: 1, noNaN: true });
const retryAfterMs = fc.option(fc.integer({ min: 0, max: 10 * LONGEST_PAUSE_MS }));
const outcome: fc.Arbitrary<AttemptOutcome> = fc.oneof(
  fc.record({
    kind: fc.constant('answered' as const),
    status: fc.integer({ min: 100, max: 599 }),
    retryAfterMs,
  }),
  fc.constant({ kind: 'failed' } as const),
  fc.constant({ kind: 'refused' } as const),
);

test('no attempt is made before its time in the schedule or before retry-after, or later than the maximum pause', () => {
  fc.assert(
    fc.property(outcome, fc.integer({ min: 1, max: MOST_ATTEMPTS }), random, (given, made, chance) => {
      const next = decideNextStep(given, made, chance);
      if (next.kind !== 'retry') return;
      const askedMs = given.kind === 'answered' ? (given.retryAfterMs ?? 0) : 0;
      const floorMs = Math.min(LONGEST_PAUSE_MS, Math.max(SCHEDULE_MS[made]!, askedMs));
      assert.ok(next.inMs >= floorMs);
      assert.ok(next.inMs <= floorMs * 1.1 + 1);
      assert.ok(next.inMs <= LONGEST_PAUSE_MS);
    }),
  );
});

test('there are at most ten attempts, over 4,535 minutes without jitter', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, random), { minLength: 20, maxLength: 20 }), (course) => {
      let made = 0;
      for (const [given, chance] of course) {
        made++;
        if (decideNextStep(given, made, chance).kind !== 'retry') break;
      }
      assert.ok(made <= MOST_ATTEMPTS);
    }),
  );
  assert.equal(MOST_ATTEMPTS, 10);
  const allMs = SCHEDULE_MS.reduce((sum, each) => sum + each);
  assert.equal(allMs, 4_535 * 60_000 + 5_000, '75 hours and 35 minutes, and the first five seconds');
});

test('each outcome leads to a delivery, a failure or a retry', () => {
  const status = (code: number): AttemptOutcome => ({ kind: 'answered', status: code, retryAfterMs: null });
  for (const code of [200, 201, 204, 299])
    assert.deepEqual(decideNextStep(status(code), 1, 0), { kind: 'delivered' });
  assert.deepEqual(decideNextStep(status(410), 1, 0), { kind: 'failed', reason: 'gone' });
  assert.deepEqual(decideNextStep({ kind: 'refused' }, 1, 0), { kind: 'failed', reason: 'address_refused' });
  for (const code of [199, 301, 304, 400, 404, 429, 500, 503])
    assert.deepEqual(decideNextStep(status(code), 1, 0), { kind: 'retry', inMs: 5_000 });
  assert.deepEqual(decideNextStep({ kind: 'failed' }, 10, 1), { kind: 'failed', reason: 'attempts_used' });
});

test('the window grows after a success, falls to one after a failure, and stays within its bounds', () => {
  fc.assert(
    fc.property(fc.array(outcome), (course) => {
      let window = FIRST_WINDOW;
      for (const each of course) {
        const next = windowAfter(window, each);
        assert.ok(next >= 1 && next <= WIDEST_WINDOW);
        assert.equal(next > window || next === WIDEST_WINDOW, isSuccessfulAttempt(each));
        if (!isSuccessfulAttempt(each)) assert.equal(next, 1);
        window = next;
      }
    }),
  );
});
