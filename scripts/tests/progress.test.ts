// Tests the estimate of the remaining time. It follows the expected times at first, and later the pace of the run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateSecondsLeft } from './progress.ts';

test('the time left', () => {
  assert.equal(
    estimateSecondsLeft({ whole: 300, done: 0, passedSeconds: 1, lanes: 3 }),
    undefined,
    'too early',
  );
  assert.equal(estimateSecondsLeft({ whole: 300, done: 0, passedSeconds: 10, lanes: 3 }), 100, 'as expected');
  assert.equal(
    estimateSecondsLeft({ whole: 300, done: 150, passedSeconds: 100, lanes: 3 }),
    100,
    'at half the pace',
  );
  assert.equal(estimateSecondsLeft({ whole: 300, done: 300, passedSeconds: 100, lanes: 3 }), 0);
});
