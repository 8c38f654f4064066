// Tests that the shown state of a quote changes when its countdown ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateAt } from './quote.ts';

test('an open quote is shown as expired after its expiry time; a used quote stays used', () => {
  const expires_at = '2026-11-16T12:00:00Z';
  const end = Date.parse(expires_at);
  assert.equal(stateAt({ state: 'open', expires_at }, end - 1), 'open');
  assert.equal(stateAt({ state: 'open', expires_at }, end), 'expired');
  assert.equal(stateAt({ state: 'used', expires_at }, end + 1), 'used');
});
