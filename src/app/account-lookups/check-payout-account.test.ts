// Tests the account check before a payout. The check runs before every payout, even after reviewers released it, because the
// release covers only the name that they saw.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sell } from '../../../test/http/store-fixtures.ts';
import { ERASED } from '../../domain/values/erased.ts';
import type { NameEnquiryAnswer, NameEnquiryRequest } from '../../ports/rails/rail-payouts.ts';
import type { TimelineLine } from '../../ports/store/reads.ts';
import { checkPayoutAccount } from './check-payout-account.ts';

const line = (reason: string, evidence: TimelineLine['evidence'] = null): TimelineLine => ({
  ...{ from: 'deposited', to: 'on_hold', actor: 'settlement', atMs: 0, reason, evidence },
});
const HELD = line('name_mismatch', { bank_says: 'MUSA BELLO', verdict: 'different', score: 0 });
const RELEASED = line('released');

async function check(answer: NameEnquiryAnswer, released: boolean, lines: readonly TimelineLine[] = []) {
  const questions: NameEnquiryRequest[] = [];
  const transaction = sell({ accountName: 'Adaeze Okafor', released });
  const store = { timeline: async () => lines };
  const payouts = {
    enquireName: async (question: NameEnquiryRequest) => {
      questions.push(question);
      return answer;
    },
  };
  const checked = await checkPayoutAccount({ store }, payouts, transaction);
  assert.equal(questions.length, 1, 'asked once, whatever was decided before');
  assert.deepEqual(questions[0], {
    ...{ bankCode: 'guaranty-trust-bank', accountNumber: '0123456785' },
    ...{ expectedName: 'Adaeze Okafor', about: transaction.id },
  });
  return checked;
}

const found = (name: string): NameEnquiryAnswer => ({ kind: 'found', name });
const mismatch = (name: string) => ({
  ...{
    kind: 'hold',
    exception: 'name_mismatch',
    evidence: { bank_says: name, verdict: 'different', score: 0 },
  },
});

test('a payout is allowed if the name matches, is held if the name differs or no account exists, and waits while the bank gives no result', async () => {
  assert.deepEqual(await check(found('OKAFOR ADAEZE'), false), { kind: 'clear' });
  assert.deepEqual(await check(found('MUSA BELLO'), false), mismatch('MUSA BELLO'));
  const gone = { kind: 'hold', exception: 'account_unknown', evidence: {} };
  assert.deepEqual(await check({ kind: 'no_account' }, false), gone);
  assert.deepEqual(await check({ kind: 'unknown', reason: 'down' }, false), { kind: 'unknown' });
});

test('a release by reviewers is valid for the name that they saw', async () => {
  assert.deepEqual(await check(found('MUSA BELLO'), true, [HELD, RELEASED]), { kind: 'clear' });
  assert.deepEqual(await check(found('OKAFOR ADAEZE'), true, [HELD, RELEASED]), { kind: 'clear' });
});

test('a release is not valid for another name, a closed account, or a rail that does not respond', async () => {
  assert.deepEqual(await check(found('JOHN EKE'), true, [HELD, RELEASED]), mismatch('JOHN EKE'));
  assert.deepEqual(
    await check(found('MUSA BELLO'), true, [line('screening_hit'), RELEASED]),
    mismatch('MUSA BELLO'),
  );
  assert.deepEqual(await check(found('MUSA BELLO'), true, [RELEASED, HELD]), mismatch('MUSA BELLO'));
  const seenBefore = line('name_mismatch', { bank_says: 'JOHN EKE' });
  const twice = [seenBefore, RELEASED, HELD, RELEASED];
  assert.deepEqual(await check(found('JOHN EKE'), true, twice), mismatch('JOHN EKE'));
  assert.equal((await check({ kind: 'no_account' }, true, [HELD, RELEASED])).kind, 'hold');
  assert.deepEqual(await check({ kind: 'unknown', reason: 'down' }, true, [HELD, RELEASED]), {
    kind: 'unknown',
  });
});

test('an erased account is not looked up at any bank, and the payout is held for review', async () => {
  const payouts = { enquireName: () => assert.fail('asked') };
  const store = { timeline: async () => [] };
  const checked = await checkPayoutAccount(
    { store },
    payouts,
    sell({ accountNumber: ERASED, accountName: ERASED }),
  );
  assert.deepEqual([checked.kind, checked.kind === 'hold' && checked.exception], ['hold', 'account_unknown']);
});
