import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payoutStatus } from './data.ts';

test('the text for an unknown payout says whether its refusal is being confirmed, it needs review, or the bank has not confirmed the outcome', () => {
  const unknown = { state: 'unknown', sure_at: null, needs_people: false } as const;
  assert.equal(payoutStatus(unknown).shown, undefined);
  assert.match(payoutStatus(unknown).means, /^The bank has not confirmed the outcome\./);
  const asked = payoutStatus({ ...unknown, sure_at: '2026-11-17T13:20:30Z' });
  assert.deepEqual(asked.shown, { tone: 'progress', label: 'Confirming refusal' });
  assert.match(asked.means, /^The bank refused it\. We confirm the refusal/);
  for (const state of ['unknown', 'sending'] as const) {
    const left = payoutStatus({ state, sure_at: null, needs_people: true });
    assert.deepEqual(left.shown, { tone: 'person', label: 'Needs review' });
    assert.match(left.means, /two people/);
  }
});
