// Tests payments and claims over HTTP, with two processes on one database. The rules are the same as in
// src/app/settlement/match-credits.test.ts, but the clock is real.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBackOffice } from '../../src/adapters/postgres/back-office/back-office.ts';
import { startAnother } from '../http/helpers.ts';
import { until } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { buy, CREDITS, creditBody, FAST, newCustomer, pay, rows, sell } from './calls.ts';
import { booksBalance, type Shown, settled } from './settled.ts';

const service = await startTestService(FAST);
const another = await startAnother(service, FAST);
const other = await service.addBusiness('rival');

test('threat 17: when two processes settle the payments of forty buys, each buy is paid once and sent once', async () => {
  const buys = await Promise.all(Array.from({ length: 40 }, () => buy(service, newCustomer())));
  await Promise.all(
    buys.map((each, index) =>
      index % 2 === 0
        ? pay(service, each)
        : service
            .post(`${another.baseUrl}${CREDITS}`, creditBody(each))
            .then(({ status }) => assert.equal(status, 200)),
    ),
  );
  for (const { transaction_id: id } of buys) await settled(service, id, { states: ['completed'] });
  const ids = buys.map((each) => each.transaction_id);
  const [counted] = await rows<{ sends: number; credits: number; paid: number }>(
    service,
    `select (select count(*)::int from movements where transaction_id = any ($1) and state = 'done') as sends,
      (select count(*)::int from bank_credits where transaction_id = any ($1) and state = 'matched') as credits,
      (select count(*)::int from simulated_transfers where about = any ($1)) as paid`,
    ids,
  );
  assert.deepEqual(counted, { sends: 40, credits: 40, paid: 40 });
});

test('threat 58: when two processes pay out twenty sells, each sell is paid out once', async () => {
  const sells = await Promise.all(
    Array.from({ length: 20 }, () => sell(service, {}, { headers: { 'svc-scenario': 'paid' } })),
  );
  for (const { transaction_id: id } of sells) await settled(service, id, { states: ['completed'] });
  const ids = sells.map((each) => each.transaction_id);
  const [counted] = await rows(
    service,
    `select count(*)::int as payouts, count(distinct about)::int as sells from simulated_payouts where about = any ($1)`,
    ids,
  );
  assert.deepEqual(counted, { payouts: 20, sells: 20 });
});

test('threat 16: if two businesses claim one payment, both claims wait for review', async () => {
  const payer = newCustomer();
  const claims = [await buy(service, payer), await buy(service, payer, { business: other })];
  // The payment is reported as a real bank does it, without assigning it to a business.
  await reported(claims[0]!);
  for (const [index, key] of [service.business.testKey, other.testKey].entries()) {
    const held = await settled(service, claims[index]!.transaction_id, { states: ['on_hold'], key });
    assert.deepEqual([held.exception, held.tx_hash], ['duplicate_claim', null]);
  }
});

test('threat 21: the second of two equal payments completes both equal claims of one business', async () => {
  const payer = newCustomer();
  const claims = [await buy(service, payer), await buy(service, payer)];
  await pay(service, claims[0]!);
  for (const { transaction_id: id } of claims) await settled(service, id, { states: ['on_hold'] });
  await pay(service, claims[0]!);
  for (const { transaction_id: id } of claims) {
    const done = await settled(service, id, { states: ['completed'] });
    assert.equal(done.exception, null);
  }
});

test('a payment that arrives before its claim completes the claim soon after it is made', async () => {
  const payer = newCustomer();
  await pay(service, { ...payer, bank_name: 'GTBank' });
  const stored = async () =>
    (
      await rows(service, 'select exception from bank_credits where payer_account = $1', payer.account_number)
    )[0]?.exception;
  await until('it is known that no claim fits', async () => (await stored()) === 'no_claim');
  const claim = await buy(service, payer);
  await settled(service, claim.transaction_id, { states: ['completed'] });
});

test('threat 25: after a vendor is renamed and removed, earlier claims on it are still matched', async () => {
  const doing = { actor: 'test', atMs: service.foundation.clock.now() };
  const vendor = {
    id: 'vnd_e2e',
    mode: 'test',
    name: 'Short Lived',
    number: '9911111111',
    bank: 'Providus Bank',
    bankCode: 'providus-bank',
  } as const;
  const backOffice = makeBackOffice(service.foundation.database);
  await backOffice.addVendor({ ...vendor, active: true }, doing);
  const named = { ...newCustomer(), vendor_name: vendor.name, vendor_number: vendor.number };
  let claim = await buyUntilKnown(named);
  await backOffice.changeVendor(vendor.id, { name: 'Other Name', active: false }, doing);
  // The bank reports the payment even if the vendor account is no longer on the list.
  await reported(claim, vendor.bankCode);
  claim = await settled(service, claim.transaction_id, { states: ['completed'] });
  assert.deepEqual([claim.link_account_name, claim.link_account_number], [vendor.name, vendor.number]);
});

/** Reports a payment that no tester sent, so that it may belong to any business. */
function reported(claim: Shown, accountBankCode: string | null = null): Promise<void> {
  const credit = {
    ...{ accountNumber: claim.link_account_number, accountBankCode, narration: null, sessionId: null },
    ...{ payerAccount: claim.account_number, payerBankName: 'GTBank', payerName: 'Adaeze Okafor' },
    amountMinor: BigInt(claim.amount) * 100n,
  };
  return service.foundation.simulation.sandbox.payIn(`reported-${claim.transaction_id}`, credit, 1);
}

/** The test repeats the buy, because a change of the vendor list reaches every process a moment later. */
async function buyUntilKnown(changes: Record<string, unknown>) {
  let claim: Shown = {};
  let refusal: unknown;
  await until('the vendor is known', async () => {
    try {
      claim = await buy(service, changes);
      return true;
    } catch (error) {
      refusal = error;
      return false;
    }
  }).catch((error: unknown) => {
    throw refusal ?? error;
  });
  return claim;
}

test('threat 24: a payment for a cancelled buy is refunded automatically', async () => {
  const claim = await buy(service, newCustomer());
  const { status } = await service.post(`/transactions/v1/${claim.transaction_id}/cancel`, {});
  assert.equal(status, 200);
  await pay(service, claim);
  const done = await settled(service, claim.transaction_id, { states: ['refunded'] });
  assert.deepEqual(
    [done.exception, done.refunded_amount, done.tx_hash],
    ['paid_after_cancel', claim.amount, null],
  );
  const [paid] = await rows(
    service,
    'select account_number from simulated_payouts where about = $1',
    claim.transaction_id,
  );
  assert.deepEqual(paid, { account_number: claim.account_number });
});

test('the books balance after all tests', () => booksBalance(service));
