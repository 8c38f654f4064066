// Tests that a tester simulates the outside world of only one business. It also tests that a payment has the same id
// everywhere: at its creation, in timelines and at its reversal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../http/helpers.ts';
import { until } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { buy, CREDITS, FAST, newCustomer, pay, read, rows, timelineOf } from './calls.ts';
import { booksBalance, settled } from './settled.ts';

const service = await startTestService(FAST);
const other = await service.addBusiness('neighbour');

const creditsOf = async (id: string) =>
  (await timelineOf(service, id)).flatMap(({ evidence }) => evidence?.bank_credit ?? []);

const stored = async (id: string) =>
  (await rows(service, 'select state, exception, transaction_id from bank_credits where id = $1', id))[0];

async function decided(id: string) {
  await until(
    'the payment is decided about',
    async () => ((await stored(id))?.state ?? 'unmatched') !== 'unmatched',
  );
  return stored(id);
}

test('a payment has the same id in the response, in the timeline, and for its reversal', async () => {
  const order = await buy(service, newCustomer());
  const id = await pay(service, order);
  await settled(service, order.transaction_id, { states: ['completed'] });
  assert.deepEqual(await creditsOf(order.transaction_id), [id]);
  assert.equal((await service.post(`${CREDITS}/${id}/reverse`, {})).status, 200);
  await settled(service, order.transaction_id, {
    states: ['completed'],
    until: ({ exception }) => exception === 'credit_reversed',
  });
  assert.deepEqual(await creditsOf(order.transaction_id), [id, id]);
});

test('the payment of a scenario also has one id, and its tester can reverse it', async () => {
  const order = await buy(service, newCustomer(), { headers: { 'svc-scenario': 'paid' } });
  await settled(service, order.transaction_id, { states: ['completed'] });
  const [id] = await creditsOf(order.transaction_id);
  const theirs = await service.post(`${CREDITS}/${id}/reverse`, {}, { key: other.testKey });
  assertRefused(theirs, 404, 'credit_not_found');
  const { status, body } = await service.post(`${CREDITS}/${id}/reverse`, {});
  assert.deepEqual([status, body.bank_credit], [200, { id }]);
  await settled(service, order.transaction_id, {
    states: ['completed'],
    until: ({ exception }) => exception === 'credit_reversed',
  });
});

test('a payment by one business’s tester completes no buy of another business, and does not change it', async () => {
  const order = await buy(service, newCustomer());
  const theirs = await pay(service, order, {}, other.testKey);
  assert.deepEqual(await decided(theirs), { state: 'review', exception: 'no_claim', transaction_id: null });
  assert.equal((await service.post(`${CREDITS}/${theirs}/reverse`, {}, { key: other.testKey })).status, 200);
  await until('it is reversed', async () => (await stored(theirs))?.state === 'reversed');
  const { state, exception, received_amount } = await read(service, order.transaction_id);
  assert.deepEqual([state, exception, received_amount], ['awaiting_payment', null, 0]);
  await pay(service, order);
  await settled(service, order.transaction_id, { states: ['completed'] });
});

test('with equal claims of two businesses, each tester’s payment completes the claim of its own business', async () => {
  const payer = newCustomer();
  const mine = await buy(service, payer);
  const theirs = await buy(service, payer, { business: other });
  await pay(service, theirs, {}, other.testKey);
  await settled(service, theirs.transaction_id, { states: ['completed'], key: other.testKey });
  assert.equal((await read(service, mine.transaction_id)).state, 'awaiting_payment');
  await pay(service, mine);
  await settled(service, mine.transaction_id, { states: ['completed'] });
});

test('an equal payment in another business’s sandbox does not count as the missing payment of this business', async () => {
  const payer = newCustomer();
  const claims = [await buy(service, payer), await buy(service, payer)];
  await pay(service, claims[0]!, {}, other.testKey);
  await pay(service, claims[0]!);
  for (const { transaction_id: id } of claims) {
    const held = await settled(service, id, { states: ['on_hold'] });
    assert.equal(held.exception, 'duplicate_claim');
  }
});

test('the books balance after all tests', () => booksBalance(service));
