// Tests wallets that are set after the money has arrived: the money waits for the wallet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../http/helpers.ts';
import { changeFacts } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { buy, DEPOSITS, FAST, newCustomer, pay, sell, timelineOf, WALLET } from './calls.ts';
import { booksBalance, settled } from './settled.ts';

const service = await startTestService(FAST);
const WITHOUT = { network: undefined, wallet_address: undefined };

test('a buy that is paid before it has a wallet stays in awaiting_wallet and cannot be cancelled; setting the wallet continues it', async () => {
  const claim = await buy(service, { ...newCustomer(), ...WITHOUT });
  const id = claim.transaction_id;
  assert.equal(claim.state, 'awaiting_wallet');
  await pay(service, claim);
  const waiting = await settled(service, id, {
    states: ['awaiting_wallet'],
    until: ({ next_action }) => /payment was found/.test(next_action),
  });
  assert.equal(waiting.tx_hash, null);
  assertRefused(await service.post(`/transactions/v1/${id}/cancel`, {}), 409, 'state_conflict');
  const given = await service.put(`/transactions/v1/${id}/wallet`, WALLET);
  assert.deepEqual([given.status, given.body.transaction.state], [200, 'paid']);
  const done = await settled(service, id, { states: ['completed'] });
  assert.equal(done.wallet_address, WALLET.wallet_address);
  const states = (await timelineOf(service, id)).map((line) => line.to);
  assert.deepEqual(states, [
    'awaiting_wallet',
    'awaiting_wallet',
    'paid',
    'sending',
    'confirming',
    'completed',
  ]);
});

test('a paid buy without a wallet does not expire: it goes to review when its time has passed', async () => {
  const claim = await buy(service, { ...newCustomer(), ...WITHOUT });
  await pay(service, claim);
  await settled(service, claim.transaction_id, {
    states: ['awaiting_wallet'],
    until: ({ next_action }) => /was found/.test(next_action),
  });
  const { database } = service.foundation;
  await changeFacts(database, 'expires_at = now()', [claim.transaction_id]);
  await database.query({
    text: 'update transaction_states set due_at = now() where transaction_id = $1',
    values: [claim.transaction_id],
  });
  const held = await settled(service, claim.transaction_id, { states: ['on_hold'] });
  assert.equal(held.exception, 'wallet_missing');
  assert.match(held.next_action, /was found. Set the wallet/);
});

test('threat 53: tokens for a cancelled sell without a wallet wait for a wallet and are sent to it', async () => {
  const order = await sell(service, WITHOUT);
  const id = order.transaction_id;
  await service.post(`/transactions/v1/${id}/cancel`, {});
  const deposit = await service.post(DEPOSITS, { transaction_id: id, network: 'Polygon' });
  assert.equal(deposit.status, 200, deposit.text);
  const waiting = await settled(service, id, {
    states: ['cancelled'],
    until: ({ exception }) => exception === 'paid_late',
  });
  assert.equal(waiting.refunded_amount, 0);
  const given = await service.put(`/transactions/v1/${id}/wallet`, WALLET);
  assert.equal(given.status, 200, given.text);
  const done = await settled(service, id, { states: ['refunded'] });
  assert.equal(done.refunded_amount, order.amount);
});

test('threat 57: a sell with a failed payout and no wallet waits for a wallet to which the tokens are returned', async () => {
  const order = await sell(service, WITHOUT, { headers: { 'svc-scenario': 'payout_fails' } });
  const id = order.transaction_id;
  const failed = await settled(service, id, { states: ['payout_failed'] });
  assert.match(failed.next_action, /PUT .*wallet/);
  const { rows } = await service.foundation.database.query<{ network: string }>({
    text: 'select network from deposits where transaction_id = $1',
    values: [id],
  });
  const wallets: Record<string, typeof WALLET> = {
    Polygon: WALLET,
    Stellar: {
      network: 'Stellar',
      wallet_address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    },
  };
  const given = await service.put(`/transactions/v1/${id}/wallet`, wallets[rows[0]!.network]);
  assert.equal(given.status, 200, given.text);
  const done = await settled(service, id, { states: ['refunded'] });
  assert.equal(done.refunded_amount, order.amount);
});

test('the books balance after all tests', () => booksBalance(service));
