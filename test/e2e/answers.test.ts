// Tests that responses are self-explanatory for scenarios that the sandbox plays: what arrived, what is missing, where money
// was returned to, and under which reference. A list shows a transaction exactly as a single read does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { buy, DEPOSITS, FAST, newCustomer, pay, sell, timelineOf, WALLET } from './calls.ts';
import { type Shown, settled } from './settled.ts';

const service = await startTestService(FAST);
const story = (scenario: string) => ({ headers: { 'svc-scenario': scenario } });
const amounts = ({ received_amount, missing_amount, refunded_amount }: Shown) => [
  ...[received_amount, missing_amount, refunded_amount],
];

async function listed({ reference }: Shown): Promise<Shown> {
  return (await service.get(`/transactions/v1?reference=${reference}`)).body.transactions[0];
}

async function ended(order: Shown, state: string, until: (shown: Shown) => boolean = () => true) {
  const shown = await settled(service, order.transaction_id, { states: [state], until });
  assert.deepEqual(await listed(order), shown);
  return shown;
}

const allDone = ({ refunds }: Shown) => refunds.every(({ state }: Shown) => state === 'done');

test('underpaid: the received amount waits for review, the missing rest is shown, and a second payment completes the buy', async () => {
  const order = await buy(service, newCustomer(), story('underpaid'));
  const shown = await ended(order, 'on_hold');
  assert.deepEqual(amounts(shown), [order.amount - 100, 100, 0]);
  assert.deepEqual(shown.refunds, []);
  await pay(service, order, { amount: 100 });
  assert.deepEqual(amounts(await ended(order, 'completed')), [order.amount, 0, 0]);
});

test('overpaid: the excess is refunded to the payer, with the bank’s reference', async () => {
  const order = await buy(service, { ...newCustomer(), account_name: 'Adaeze Okafor' }, story('overpaid'));
  const shown = await ended(order, 'completed', (one) => one.refunds.length === 1 && allDone(one));
  assert.deepEqual(amounts(shown), [order.amount, 0, 100]);
  const [{ refund_id, created_at, updated_at, ...refund }] = shown.refunds;
  assert.match(refund_id, /^mov_[0-9a-z]{26}$/);
  assert.ok(created_at <= updated_at);
  assert.deepEqual(refund, {
    amount: 100,
    state: 'done',
    destination: {
      bank_code: 'guaranty-trust-bank',
      bank_name: 'Guaranty Trust Bank',
      account_number: order.account_number,
      account_name: 'Adaeze Okafor',
    },
    tx_hash: null,
    explorer_url: null,
    bank_reference: refund_id.replace('_', '-'),
  });
  assert.ok(!('payout' in shown), 'a buy has no payout');
  const named = (await timelineOf(service, order.transaction_id)).map(({ evidence }) => evidence?.movement);
  assert.ok(named.includes(refund_id));
});

test('a sell shows the hash of the deposit and the bank’s reference of the payout', async () => {
  const order = await sell(service);
  const { body } = await service.post(DEPOSITS, { transaction_id: order.transaction_id });
  const shown = await ended(order, 'completed');
  assert.deepEqual(amounts(shown), [order.amount, 0, 0]);
  assert.equal(shown.tx_hash, body.deposit.tx_hash);
  assert.equal(shown.payout.state, 'done');
  assert.match(shown.payout.bank_reference, /^mov-[0-9a-z]{26}$/);
});

test('payout_fails: the payout failed, and the tokens were returned to the wallet', async () => {
  const order = await sell(service, {}, story('payout_fails'));
  const shown = await ended(order, 'refunded');
  assert.deepEqual([shown.payout.state, shown.exception], ['failed', 'payout_failed']);
  const [refund] = shown.refunds;
  assert.deepEqual([refund.amount, refund.state, refund.bank_reference], [order.amount, 'done', null]);
  assert.deepEqual(refund.destination, WALLET);
  const line = (await timelineOf(service, order.transaction_id)).at(-1)!;
  assert.equal(refund.tx_hash, line.evidence.reference);
});

test('deposit_late: a late sell shows the hash of its deposit and no longer waits for anything', async () => {
  const order = await sell(service, {}, story('deposit_late'));
  const shown = await ended(order, 'refunded');
  const deposits = (await timelineOf(service, order.transaction_id)).flatMap(
    ({ evidence }) => evidence?.tx_hash ?? [],
  );
  assert.deepEqual(deposits, [shown.tx_hash]);
  assert.notEqual(shown.refunds[0].tx_hash, shown.tx_hash);
  assert.deepEqual([shown.missing_amount, shown.refunded_amount], [0, order.amount]);
});

test('deposit_short: a part of the tokens arrived, and the missing rest is shown', async () => {
  const order = await sell(service, {}, story('deposit_short'));
  const shown = await settled(service, order.transaction_id, {
    states: ['awaiting_deposit', 'on_hold'],
    until: ({ received_amount }) => received_amount > 0,
  });
  assert.deepEqual(amounts(shown), [order.amount - 100, 100, 0]);
});

test('a refund without a wallet waits and shows that it waits, and so does the response to a repeated request', async () => {
  const body = { network: undefined, wallet_address: undefined, reference: 'late-without-wallet' };
  const order = await sell(service, body, story('deposit_late'));
  const shown = await settled(service, order.transaction_id, {
    states: ['expired'],
    until: ({ refunds }) => refunds.length === 1,
  });
  const [{ state, destination, tx_hash, amount }] = shown.refunds;
  assert.deepEqual([state, destination, tx_hash, amount], ['pending', null, null, order.amount]);
  const repeated = await sell(service, body, story('deposit_late'));
  assert.deepEqual(repeated.refunds, shown.refunds);
});
