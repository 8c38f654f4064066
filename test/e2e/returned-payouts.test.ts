// Tests a payout that the bank returns, in a running service. The sell waits, two people correct its account or return the
// tokens, and the business sees every step. According to the bank's own books, the right account is paid once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposeReview } from '../../src/app/review/propose-review.ts';
import type { ReviewRequest } from '../../src/domain/review/proposal.ts';
import { addReviewers, CHECKER, decideAs, MAKER } from '../support/people/reviewers.ts';
import { startTestService } from '../support/service.ts';
import { FAST, rows, sell } from './calls.ts';
import { booksBalance, type Shown, settled } from './settled.ts';

const service = await startTestService(FAST);
const { foundation } = service;
const CORRECTED = { bankCode: 'GTBank', accountNumber: '0222222220', accountName: 'Adaeze Okafor' };

async function returned(): Promise<Shown> {
  const order = await sell(service, {}, { headers: { 'svc-scenario': 'payout_returned' } });
  const held = await settled(service, order.transaction_id, { states: ['on_hold'] });
  assert.deepEqual(
    [held.exception, held.state_reason, held.payout.state],
    ['payout_returned', 'payout_returned', 'returned'],
  );
  assert.match(held.next_action, /^The bank returned the payout\. Send the operator the account/);
  return order;
}

async function agree(request: ReviewRequest): Promise<void> {
  await addReviewers(foundation.database);
  const proposed = await proposeReview(foundation, { ...request, actor: MAKER });
  assert.ok(proposed.ok, proposed.ok ? '' : proposed.error.message);
  const decision = { proposalId: proposed.value.id, actor: CHECKER, approve: true, reason: 'looked at' };
  const decided = await decideAs(foundation.database, foundation, decision);
  assert.ok(decided.ok, decided.ok ? '' : decided.error.message);
}
const caseOf = async (order: Shown) =>
  (
    await rows<{ id: string; outcome: string | null }>(
      service,
      'select id, outcome from cases where transaction_id = $1',
      order.transaction_id,
    )
  )[0]!;
const paidTo = (order: Shown) =>
  rows<{ account_number: string; count: number }>(
    service,
    `select account_number, count(*)::int from simulated_payouts where about = $1 and fate <> 'fails'
      group by account_number order by min(at_ms)`,
    order.transaction_id,
  );
const typesOf = async (order: Shown) => {
  const { body } = await service.get(`/events/v1?transaction_id=${order.transaction_id}&limit=100`);
  return (body.events as Shown[]).map(({ type }) => type);
};

test('a sell completes, the bank returns its payout, two people correct the account, and the sell completes again', async () => {
  const order = await returned();
  await agree({ action: 'pay_again', subjectId: (await caseOf(order)).id, detail: { account: CORRECTED } });
  const done = await settled(service, order.transaction_id, { states: ['completed'] });
  assert.deepEqual([done.exception, done.next_action, done.payout.state], [null, null, 'done']);
  assert.deepEqual(await paidTo(order), [
    { account_number: order.account_number, count: 1 },
    { account_number: CORRECTED.accountNumber, count: 1 },
  ]);
  assert.equal((await caseOf(order)).outcome, 'paid_again');
  assert.deepEqual((await typesOf(order)).slice(-4), [
    'transaction.completed',
    'transaction.on_hold',
    'transaction.paying_out',
    'transaction.completed',
  ]);
  const { body } = await service.get(`/transactions/v1/${order.transaction_id}/timeline`);
  assert.deepEqual(
    (body.timeline as Shown[]).slice(-3).map(({ reason, actor }) => [reason, actor]),
    [
      ['payout_returned', 'bank'],
      ['payout_repeated', 'operator'],
      ['payout_made', 'bank'],
    ],
  );
  await booksBalance(service);
});

test('two people return the tokens, and the sell is refunded', async () => {
  const order = await returned();
  const { id } = await caseOf(order);
  await agree({
    action: 'refund',
    subjectId: id,
    detail: { target: null, publicReason: 'details_unusable' },
  });
  const done = await settled(service, order.transaction_id, { states: ['refunded'] });
  assert.deepEqual([done.refunded_amount, done.exception], [order.amount, null]);
  assert.deepEqual(await paidTo(order), [{ account_number: order.account_number, count: 1 }]);
  assert.equal((await caseOf(order)).outcome, 'sent_back');
  await booksBalance(service);
});
