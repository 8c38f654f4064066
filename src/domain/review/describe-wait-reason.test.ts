import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEP_REASONS } from '../records/move-reasons.ts';
import { describeWaitReason } from './describe-wait-reason.ts';

test('every step reason has a sentence; a code without a sentence is shown unchanged', () => {
  for (const step of STEP_REASONS) assert.match(describeWaitReason(step)!, /^[A-Z].* .*\.$/, step);
  assert.equal(
    describeWaitReason('screening_hit'),
    'A name, an account or a wallet is on the screening list.',
  );
  assert.equal(describeWaitReason('of_an_earlier_version'), 'of_an_earlier_version');
  assert.equal(describeWaitReason(null), null);
});
