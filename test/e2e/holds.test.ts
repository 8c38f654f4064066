// Tests fees, limits, screening lists, freezes and the pause in a running service: an operator sets them, and shortly after
// they take effect.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { changeSetting } from '../../src/app/back-office/change-setting.ts';
import { eventually } from '../http/helpers.ts';
import { until } from '../support/patience.ts';
import { agreeOnSetting } from '../support/people/reviewers.ts';
import { startTestService, type TestBusiness } from '../support/service.ts';
import { buy, FAST, newCustomer, pay, read, rows } from './calls.ts';
import { booksBalance, type Shown, settled } from './settled.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sliproad-list-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const list = path.join(folder, 'list.csv');
writeFileSync(list, 'name,Musa Ibrahim,court order 7\naccount,0111111119,fraud desk\n');
// The service processes work that it leased during a pause again when the lease ends, so the lease is short.
const SETTLE_LEASE_MS = '3000';
const service = await startTestService({
  ...FAST,
  ...{ SCREENING_LIST: list, REVERSAL_FREEZES: 'both', SETTLE_LEASE_MS },
});
const { foundation } = service;
const token = (naira: number) => `${Math.round(naira * 100)}0000`;

async function paused(on: boolean): Promise<void> {
  const setting = on ? 'movements_paused' : 'movements_resumed';
  assert.ok((await agreeOnSetting(foundation, { setting, reason: 'test' })).ok);
  const metric = `\nsliproad_movements_paused ${on ? 1 : 0}\n`;
  await eventually(async () => (await service.get('/metrics', { key: null })).text.includes(metric), metric);
}

async function ends(order: Shown, business: TestBusiness = service.business) {
  const done = await settled(service, order.transaction_id, {
    states: ['completed', 'on_hold'],
    key: business.testKey,
  });
  return [done.state, done.exception];
}

/** Returns the reason for the hold, which only operators see. The business sees the same code for all of these reasons. */
async function whyHeld(order: Shown, business: TestBusiness = service.business) {
  assert.deepEqual(await ends(order, business), ['on_hold', 'under_review']);
  const [kept] = await rows<{ exception: string }>(
    service,
    'select exception from transaction_states where transaction_id = $1',
    order.transaction_id,
  );
  return kept!.exception;
}

test('the fee is shown when the buy is created and charged when the tokens are sent, and the net amount is sent', async () => {
  const business = await service.addBusiness('charged');
  const rule = {
    businessId: business.businessId,
    mode: 'test',
    product: 'buy',
    flatMinor: 5_000n,
    feeBps: 100,
    capMinor: null,
  } as const;
  const request = { setting: 'fee_set', fee: { ...rule, fromMs: null } } as const;
  assert.ok((await changeSetting(foundation, request, foundation)).ok);
  const order = await buyWhen(business, ({ fee }) => fee > 0);
  assert.deepEqual(
    [order.fee, order.net_amount],
    [50 + order.amount / 100, order.amount - 50 - order.amount / 100],
  );
  await pay(service, order, {}, business.testKey);
  assert.deepEqual(await ends(order, business), ['completed', null]);
  const [sent] = await rows<{ amount: string }>(
    service,
    'select amount_minor::text as amount from simulated_transfers where about = $1',
    order.transaction_id,
  );
  assert.equal(sent!.amount, token(order.net_amount));
  const [fee] = await rows<{ sum: string }>(
    service,
    `select (-sum(p.amount_minor))::text as sum from entries e join postings p on p.entry_id = e.id
     join accounts a on a.id = p.account_id where e.subject_id = $1 and a.name = 'fees'`,
    order.transaction_id,
  );
  assert.equal(fee!.sum, `${Math.round(order.fee * 100)}`);
});

/** The test repeats the buy, because an operator's change reaches the service a moment later. */
async function buyWhen(business: TestBusiness, holds: (order: Shown) => boolean) {
  let order: Shown = {};
  let tries = 0;
  await until('a buy is as the operator set it', async () => {
    order = await buy(service, { ...newCustomer(), amount: 40_000 + tries++ * 100 }, { business });
    return holds(order);
  });
  return order;
}

test('threat 49: a transaction that exceeds a limit per transaction, per day or per month is held', async () => {
  for (const [name, limit, exception] of [
    ['one', { perTransactionMinor: 2_000_000n }, 'limit_transaction'],
    ['day', { perDayMinor: 2_000_000n }, 'limit_day'],
    ['month', { perMonthMinor: 2_000_000n }, 'limit_month'],
  ] as const) {
    const business = await service.addBusiness(`limited-${name}`);
    const given = { businessId: business.businessId, mode: 'test', ...limit } as const;
    assert.ok((await changeSetting(foundation, { setting: 'limit_set', limit: given }, foundation)).ok);
    await paused(true);
    await paused(false);
    const within = await buy(service, { ...newCustomer(), amount: 20_000 }, { business });
    await pay(service, within, {}, business.testKey);
    assert.deepEqual(await ends(within, business), ['completed', null]);
    const over = await buy(service, newCustomer(), { business });
    await pay(service, over, {}, business.testKey);
    assert.equal(await whyHeld(over, business), exception);
  }
});

test('transactions with a name or an account on the screening list are held, and nothing is sent', async () => {
  for (const who of [{ account_name: 'MUSA  IBRAHIM' }, { account_number: '0111111119' }]) {
    const order = await buy(service, { ...newCustomer(), ...who });
    await pay(service, order);
    assert.equal(await whyHeld(order), 'screening_hit');
    assert.deepEqual(
      await rows(service, 'select from movements where transaction_id = $1', order.transaction_id),
      [],
    );
  }
});

test('threat 49: while movements are paused, payments are found but nothing is sent; afterwards everything continues', async () => {
  await paused(true);
  // The orders are paid one after another. When the second order is paid, the sending stage has already received the first
  // order.
  const orders: Shown[] = [];
  for (let made = 0; made < 2; made++) {
    const order = await buy(service, newCustomer());
    await pay(service, order);
    orders.push(await settled(service, order.transaction_id, { states: ['paid'] }));
  }
  for (const { transaction_id: id } of orders) {
    assert.equal((await read(service, id)).state, 'paid');
    assert.deepEqual(await rows(service, 'select from simulated_transfers where about = $1', id), []);
  }
  await paused(false);
  for (const order of orders) assert.deepEqual(await ends(order), ['completed', null]);
});

test('threat 23: a reversal after the send with REVERSAL_FREEZES=both causes an alert and a case, and holds the next buy', async () => {
  const business = await service.addBusiness('reversed');
  const order = await buy(service, newCustomer(), { business, headers: { 'svc-scenario': 'reversed' } });
  const { businessId, testKey: key } = business;
  await settled(service, order.transaction_id, {
    states: ['completed'],
    key,
    until: ({ exception }) => exception === 'credit_reversed',
  });
  assert.equal((await rows(service, 'select from cases where business_id = $1', businessId)).length, 1);
  assert.match(service.logged(), /a credit was reversed after it was used/);
  const next = await buy(service, newCustomer(), { business });
  await pay(service, next, {}, business.testKey);
  assert.equal(await whyHeld(next, business), 'business_frozen');
  const other = await buy(service, newCustomer());
  await pay(service, other);
  assert.deepEqual(await ends(other), ['completed', null]);
});

test('the books balance after all tests', () => booksBalance(service));
