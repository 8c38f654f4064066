// Tests which buys a reviewer compares with a bank credit: buys that match today, buys that matched at the time of the
// decision, and one buy that the reviewer chooses.
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

test('a buy that matches today or matched before gets a score; a buy that the reviewer names is listed without one if it does not match', async () => {
  const [fits, other] = [await stage.buy(), await stage.buy({ accountNumber: '9999999995' })];
  const waiting = await stage.credit(1_500_000n);
  assert.deepEqual(await compared(waiting), [[fits.id, true]]);
  assert.deepEqual(await compared(waiting, [fits.id, other.id]), [[fits.id, true]]);
  assert.deepEqual(await compared(waiting, [], other.id), [
    [other.id, false],
    [fits.id, true],
  ]);
  // The credit was matched meanwhile. So there is no new search, and the reviewer compares the buys from the last decision.
  const meant = await stage.inReview(waiting, [fits], 'name_mismatch');
  assert.deepEqual(await compared({ ...meant, state: 'refunded' }, [fits.id]), [[fits.id, true]]);
});

test('a transaction that is not a buy, or belongs to the other mode, is not compared', async () => {
  const [sell, live] = [await stage.sell(), { ...(await stage.credit(7n)), mode: 'live' as const }];
  const buy = await stage.buy({ accountNumber: '9999999995' });
  assert.deepEqual(await compared(await stage.credit(7n), [], sell.id), []);
  assert.deepEqual(await compared(live, [], buy.id), []);
});
