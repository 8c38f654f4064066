import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPayoutWait } from './outcome-memory.ts';

const REFUSED = {
  refused: { reason: 'closed (07)', fault: 'payout', since_ms: 1, confirmed_ms: null },
  sure_ms: 9,
};

test('a refused payout shows when the refusal will be certain, and shows no time once it needs a review by people', () => {
  const unknown = { state: 'unknown' } as const;
  assert.deepEqual(readPayoutWait(unknown, REFUSED), { sureAtMs: 9, needsPeople: false });
  const people = { ...REFUSED, needs_people: true };
  assert.deepEqual(readPayoutWait(unknown, people), { sureAtMs: null, needsPeople: true });
  assert.deepEqual(readPayoutWait(unknown, null), { sureAtMs: null, needsPeople: false });
  for (const state of ['done', 'failed'] as const)
    assert.deepEqual(readPayoutWait({ state }, people), { sureAtMs: null, needsPeople: false }, state);
});
