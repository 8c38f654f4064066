// The buys that a reviewer compares with a bank credit: those that fit today, those that fitted when it was decided, and one that is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Policies } from '../../domain/settlement/policy.ts';
import { type CompareCandidatesDeps, compareCandidates } from './compare-candidates.ts';

const stage = await openReviewStage();
const POLICY = { matchWindowMs: 10 * 365 * 86_400_000, matchGraceMs: 0 };

async function compared(credit: BankCredit, before: readonly string[] = [], named: string | null = null) {
  const candidates = before.map((transactionId) => ({ transactionId, score: 1, reasons: [] }));
  const deps = {
    ...stage.deps,
    policies: { test: POLICY, live: POLICY } as unknown as Policies,
    operations: { lastMatch: async () => ({ candidates, verdict: { kind: 'waiting' } }) },
  } as unknown as CompareCandidatesDeps;
  const found = await compareCandidates(deps, credit, MAKER, named);
  return found.map(({ transaction, score }) => [transaction.id, score !== null]);
}

test('a buy that fits is weighed; one that was found before, or that is named, stands beside it', async () => {
  const [fits, other] = [await stage.buy(), await stage.buy({ accountNumber: '9999999995' })];
  const waiting = await stage.credit(1_500_000n);
  assert.deepEqual(await compared(waiting), [[fits.id, true]]);
  assert.deepEqual(await compared(waiting, [fits.id, other.id]), [[fits.id, true]]);
  assert.deepEqual(await compared(waiting, [], other.id), [
    [other.id, false],
    [fits.id, true],
  ]);
  // Matched meanwhile: nothing is looked for, and what was found before is compared.
  const meant = await stage.inReview(waiting, [fits], 'name_mismatch');
  assert.deepEqual(await compared({ ...meant, state: 'refunded' }, [fits.id]), [[fits.id, true]]);
});

test('what is no buy, or is of the other mode, is not compared', async () => {
  const [sell, live] = [await stage.sell(), { ...(await stage.credit(7n)), mode: 'live' as const }];
  const buy = await stage.buy({ accountNumber: '9999999995' });
  assert.deepEqual(await compared(await stage.credit(7n), [], sell.id), []);
  assert.deepEqual(await compared(live, [], buy.id), []);
});
