// Tests when a rail counts as silent. It is silent after unanswered name enquiries, until the rail answers an enquiry or enough
// time passes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedRail } from '../../../../test/support/rails/scripted-rail.ts';
import type { NameEnquiryAnswer } from '../../../ports/rails/rail-payouts.ts';
import { watchEnquiries } from '../registry.ts';

const QUESTION = { bankCode: 'access-bank', accountNumber: '0123456785', expectedName: null, about: null };
const AWAY: NameEnquiryAnswer = { kind: 'unknown', reason: 'away' };

test('after three enquiries without a response a rail counts as silent, until it responds to one or five minutes pass', async () => {
  let nowMs = 0;
  let answer: NameEnquiryAnswer = AWAY;
  const { rail } = scriptedRail('watched', [], { enquireName: async () => answer });
  const { payouts, whySilent } = watchEnquiries(rail, { now: () => nowMs });
  const ask = () => payouts!.enquireName(QUESTION);
  for (const silent of [false, false, true]) {
    nowMs += 1_000;
    await ask();
    assert.equal(whySilent!() !== null, silent);
  }
  answer = { kind: 'no_account' };
  await ask();
  assert.equal(whySilent!(), null);
  answer = AWAY;
  for (let no = 0; no < 3; no++) await ask();
  assert.match(whySilent!() ?? '', /name enquiries/);
  nowMs += 6 * 60_000;
  assert.equal(whySilent!(), null);
});

test('an enquiry about a bank that the rail does not support does not make the rail silent', async () => {
  const { rail } = scriptedRail('far', [], { reaches: () => false, enquireName: async () => AWAY });
  const { payouts, whySilent } = watchEnquiries(rail, { now: () => 0 });
  for (let no = 0; no < 5; no++) await payouts!.enquireName(QUESTION);
  assert.equal(whySilent!(), null);
});
