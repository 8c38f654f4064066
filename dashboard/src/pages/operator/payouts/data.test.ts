import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standingOf } from './data.ts';

test('an unknown payout says whether it is only made sure of, needs people, or has no certain answer', () => {
  const unknown = { state: 'unknown', sure_at: null, needs_people: false } as const;
  assert.equal(standingOf(unknown).shown, undefined);
  assert.match(standingOf(unknown).means, /^The bank gives no certain answer\./);
  const asked = standingOf({ ...unknown, sure_at: '2026-11-17T13:20:30Z' });
  assert.deepEqual(asked.shown, { tone: 'progress', label: 'Confirming refusal' });
  assert.match(asked.means, /^The bank refused it\. We make sure/);
  for (const state of ['unknown', 'sending'] as const) {
    const left = standingOf({ state, sure_at: null, needs_people: true });
    assert.deepEqual(left.shown, { tone: 'person', label: 'Outcome unknown' });
    assert.match(left.means, /two people/);
  }
});
