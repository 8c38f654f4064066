// Tests the circuit of a source. It stays closed after two failures. From the third failure on it opens, and each pause is
// twice as long as the one before, up to half an hour.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circuitOpenForMs } from './reading.ts';

test('the third failure in a row opens the circuit for a minute; each further failure doubles the pause, up to half an hour', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000].map((failures) => {
    const openForMs = circuitOpenForMs(failures);
    return openForMs === null ? null : openForMs / 60_000;
  });
  assert.deepEqual(minutes, [null, null, 1, 2, 4, 8, 16, 30, 30, 30]);
});
