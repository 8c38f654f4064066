import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEPS } from '../records/reasons.ts';
import { whyItWaits } from './waiting-words.ts';

test('every step reads as a sentence; a code that has none is shown as it is', () => {
  for (const step of STEPS) assert.match(whyItWaits(step)!, /^[A-Z].* .*\.$/, step);
  assert.equal(whyItWaits('screening_hit'), 'A name, an account or a wallet is on the screening list.');
  assert.equal(whyItWaits('of_an_earlier_version'), 'of_an_earlier_version');
  assert.equal(whyItWaits(null), null);
});
