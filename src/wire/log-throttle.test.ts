// Tests that a repeated problem is logged once a minute, separately for each kind of problem.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLogThrottle } from './log-throttle.ts';

test('the same problem is logged once a minute, another kind of problem at once, and old kinds are removed from memory', () => {
  let nowMs = 0;
  const rarely = makeLogThrottle(() => nowMs);
  const at = (ms: number, what: string) => {
    nowMs = ms;
    return rarely(what);
  };
  assert.deepEqual(
    [
      at(0, 'away'),
      at(1_000, 'away'),
      at(1_000, 'other'),
      at(59_999, 'away'),
      at(60_000, 'away'),
      at(61_000, 'away'),
    ],
    [true, false, true, false, true, false],
  );
  for (let index = 0; index < 2_000; index++) assert.ok(at(61_000, `kind ${index}`));
  assert.ok(at(61_001, 'away'), 'forgotten among so many');
});
