// Tests a sell in a running service. Shortly after acceptance the business reads the bank's response about the account, as a
// warning that names no other owner. The account lookup before the payout decides, even after a release.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposeReview } from '../../src/app/review/propose-review.ts';
import { eventually } from '../http/helpers.ts';
import { openTestDatabase } from '../http/store-fixtures.ts';
import { addReviewers, CHECKER, decideAs, MAKER } from '../support/people/reviewers.ts';
import { startTestService } from '../support/service.ts';
import { DEPOSITS, FAST, newCustomer, read, rows, sell, timelineOf } from './calls.ts';
import { booksBalance, type Shown, settled } from './settled.ts';

const service = await startTestService(FAST);
const { foundation } = service;
await addReviewers(foundation.database);
const OTHER = /ANOTHER ACCOUNT HOLDER/;

const has = (shown: Shown, code: string) => shown.warnings.some((each: Shown) => each.code === code);

async function warned(id: string, code: string): Promise<Shown> {
  await eventually(async () => has(await read(service, id), code), code);
  return read(service, id);
}

async function release(subjectId: string): Promise<void> {
  const proposed = await proposeReview(foundation, {
    action: 'release',
    subjectId,
    detail: {},
    actor: MAKER,
  });
  assert.ok(proposed.ok);
  const decision = { proposalId: proposed.value.id, actor: CHECKER, approve: true, reason: 'looked at' };
  assert.ok((await decideAs(foundation.database, foundation, decision)).ok);
}

async function deposited(order: Shown): Promise<void> {
  const answer = await service.post(DEPOSITS, { transaction_id: order.transaction_id });
  assert.equal(answer.status, 200, answer.text);
}

test('if the account does not exist, the business is warned before it sends tokens, and can cancel', async () => {
  const order = await sell(service, { ...newCustomer(), account_number: '0000000000' });
  assert.equal(has(order, 'account_not_found'), false, 'acceptance asks no bank');
  const shown = await warned(order.transaction_id, 'account_not_found');
  assert.match(shown.next_action, /cancel/);
  assert.equal(shown.state, 'awaiting_deposit', 'it moves nothing');
  const { body } = await service.get('/transactions/v1?limit=1');
  assert.deepEqual(body.transactions[0].warnings, shown.warnings, 'lists show it, too');
  const cancelled = await service.post(`/transactions/v1/${order.transaction_id}/cancel`, {});
  assert.equal(cancelled.status, 200, cancelled.text);
});

test('threat 59: a different name causes a warning without that name; reviewers see the name, and their release accepts it', async () => {
  const headers = { 'svc-scenario': 'payout_name_mismatch' };
  const order = await sell(service, newCustomer(), { headers });
  const shown = await warned(order.transaction_id, 'account_name_differs');
  assert.doesNotMatch(JSON.stringify(shown), OTHER);
  const [stored] = await rows<{ bank_says: string; verdict: string }>(
    service,
    'select bank_says, verdict from account_enquiries where transaction_id = $1',
    order.transaction_id,
  );
  assert.match(stored!.bank_says, OTHER);
  const held = await settled(service, order.transaction_id, { states: ['on_hold'] });
  assert.equal(held.exception, 'name_mismatch');
  assert.doesNotMatch(JSON.stringify(await timelineOf(service, order.transaction_id)), OTHER);
  await release(order.transaction_id);
  await settled(service, order.transaction_id, { states: ['completed'] });
  await booksBalance(service);
});

test('threat 59: a release does not pay an account that does not exist; the payout is held again', async () => {
  const order = await sell(service, { ...newCustomer(), account_number: '0000000000' });
  await deposited(order);
  await settled(service, order.transaction_id, { states: ['on_hold'] });
  await release(order.transaction_id);
  const holds = async () =>
    (await timelineOf(service, order.transaction_id)).filter(({ reason }) => reason === 'account_unknown')
      .length;
  await eventually(async () => (await holds()) === 2, 'held again');
  assert.equal((await read(service, order.transaction_id)).state, 'on_hold');
  const paid = await rows(service, 'select from movements where transaction_id = $1', order.transaction_id);
  assert.deepEqual(paid, []);
});

test('accepting a sell does not query a bank and does not wait for an open enquiry', async () => {
  const lock = openTestDatabase(service.databaseUrl, 1);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const holding = lock.transaction(async (client) => {
    await client.query('lock table log_readers, account_enquiries in exclusive mode');
    isLocked();
    await held;
  });
  await locked;
  const order = await sell(service, { ...newCustomer(), account_number: '0000000000' });
  assert.equal(order.state, 'awaiting_deposit');
  assert.equal(has(await read(service, order.transaction_id), 'account_not_found'), false);
  letGo();
  await holding;
  await warned(order.transaction_id, 'account_not_found');
});

test('a matching name causes no warning', async () => {
  const order = await sell(service, newCustomer());
  await eventually(
    async () =>
      (await foundation.enquiries.list({ transactionId: order.transaction_id, limit: 1 }))[0]?.verdict ===
      'same_name',
    'the answer',
  );
  const shown = await read(service, order.transaction_id);
  assert.deepEqual(
    shown.warnings.filter((each: Shown) => each.code.startsWith('account_')),
    [],
  );
});
