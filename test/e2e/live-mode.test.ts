// Tests live mode from end to end on local banks and a local chain. Two people set it up, and a customer buys and sells. A bank
// returns a payout, a rail has no money, a response is lost, and the service is stopped. At the end the banks' own books and
// the ledger agree to the kobo.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startLocalBanks } from '../../local-banks/start.ts';
import { startLocalNetworks } from '../../local-networks/start.ts';
import { recountLedger } from '../../src/app/ledger/check-ledger.ts';
import { watchEndedPayouts } from '../../src/app/movements/payouts/watch-ended-payouts.ts';
import { proposeFunding } from '../../src/app/review/propose-funding.ts';
import { proposeNairaBooking } from '../../src/app/review/propose-naira-booking.ts';
import { proposeReview } from '../../src/app/review/propose-review.ts';
import type { ReviewDeps } from '../../src/app/review/review-deps.ts';
import { formatBankAccount } from '../../src/domain/records/naira-move.ts';
import type { Proposal, ReviewRefusal } from '../../src/domain/review/proposal.ts';
import type { Result } from '../../src/domain/values/result.ts';
import { until } from '../support/patience.ts';
import { addReviewers, agreeOnSetting, CHECKER, decideAs, MAKER } from '../support/people/reviewers.ts';
import { buyBody, sellBody, startTestService } from '../support/service.ts';
import { FAST, rows } from './calls.ts';
import { type Shown, settled } from './settled.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-live-'));
const NETWORK = 'Stellar';
const OPENING = 50_000_000_000n;
const CUSTOMER = { bank_name: 'GTBank', account_number: '0123456785', account_name: 'Adaeze Okafor' };

const local = await startLocalNetworks({ dir: path.join(dir, 'networks'), paceMs: 100, only: NETWORK });
const banks = await startLocalBanks({ dir: path.join(dir, 'banks'), charges: true });
after(async () => {
  await Promise.all([local.close(), banks.close()]);
  rmSync(dir, { recursive: true });
});
for (const number of [CUSTOMER.account_number, '0222222220'])
  banks.setAccount({ bankCode: '058', number, name: 'ADAEZE OKAFOR' });
const chain = local.find(NETWORK);
const settings = {
  ...{ ...FAST, ...local.liveEnvironment, ...banks.environment },
  DATA_DIR: path.join(dir, 'data'),
};
let service = await startTestService(settings);
const { foundation, business } = service;
const key = business.liveKey;
const VENDOR = banks.paystack.account;

async function agree(
  proposed: Result<Proposal, ReviewRefusal>,
  deps: ReviewDeps = foundation,
): Promise<void> {
  assert.ok(proposed.ok, proposed.ok ? '' : proposed.error.message);
  const decision = { proposalId: proposed.value.id, actor: CHECKER, approve: true, reason: 'looked at' };
  const decided = await decideAs(foundation.database, deps, decision);
  assert.ok(decided.ok, decided.ok ? '' : decided.error.message);
}

async function create(where: 'onramp' | 'offramp', body: unknown): Promise<Shown> {
  const answer = await service.post(`/transactions/v1/${where}`, body, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transaction;
}

async function sell(amount: number): Promise<Shown> {
  const wallet_address = await chain.wallet();
  const order = await create(
    'offramp',
    sellBody(business, { ...CUSTOMER, amount, network: NETWORK, wallet_address }),
  );
  const { address, memo } = order.deposit;
  const amountMinor = BigInt(amount) * 10n ** BigInt(chain.decimals);
  await chain.deposit(order.transaction_id, { address, memo, amountMinor });
  return order;
}
const completed = ({ transaction_id: id }: Shown) => settled(service, id, { states: ['completed'], key });
const paidFor = ({ transaction_id: id }: Shown) =>
  Object.entries(banks.books()).flatMap(([rail, { payouts }]) =>
    payouts
      .filter(({ narration, state }) => narration.includes(id) && state === 'paid')
      .map(({ accountNumber, amount }) => `${rail} ${accountNumber} ${amount}`),
  );

/**
 * Moves refusals ten minutes into the past, so that the service queries them now. The test cannot wait until a refusal is
 * certain.
 */
async function tenMinutesPass(): Promise<void> {
  await foundation.database.query({
    text: `update movement_attempts set evidence = jsonb_set(evidence, '{refused}', evidence -> 'refused' || jsonb_build_object(
        'since_ms', (evidence -> 'refused' ->> 'since_ms')::bigint - 600000,
        'confirmed_ms', (evidence -> 'refused' ->> 'confirmed_ms')::bigint - 600000))
      where state = 'unknown' and evidence -> 'refused' is not null`,
  });
  await foundation.database.query({
    text: `update movements set due_at = now() where due_at > now() + interval '30 seconds'`,
  });
}

test('before people have set up live mode, it has no vendor, and the ledger has no naira', async () => {
  const vendors = await service.get('/transactions/v1/vendors', { key });
  assert.deepEqual(vendors.body.VendorList, []);
  const booked = await foundation.reviewDesk.bankBooks('live');
  assert.deepEqual(
    booked.map((book) => [formatBankAccount(book).split(':')[1], book.freeMinor]).toSorted(),
    banks.rails.map(({ account }) => [account.number, 0n]).toSorted(),
  );
});

test('two people add the vendor and book the naira of each payout account', async () => {
  const vendor = {
    mode: 'live',
    name: 'Acme Collections',
    number: VENDOR.number,
    bank: 'Wema Bank',
  } as const;
  const added = await agreeOnSetting(foundation, { setting: 'vendor_added', vendor });
  assert.ok(added.ok, added.ok ? '' : added.error.message);
  await addReviewers(foundation.database);
  const day = new Date(foundation.clock.now()).toISOString().slice(0, 10);
  const line = { mode: 'live', kind: 'put_in', charge: null, to: null, nairaMinor: OPENING } as const;
  for (const book of await foundation.reviewDesk.bankBooks('live')) {
    const given = { ...line, account: formatBankAccount(book), day, reference: 'opening balance' };
    await agree(await proposeNairaBooking(foundation, { ...given, actor: MAKER }));
  }
  const given = { mode: 'live', asset: `NGNC@${NETWORK}`, actor: MAKER } as const;
  const there = (await chain.received(chain.treasury)) / 10n ** BigInt(chain.decimals);
  // The test uses the balance that the chain itself reports, because its foundation knows the networks only by their settings.
  const { networks } = foundation;
  const finalTokens = () => chain.received(chain.treasury);
  const read: ReviewDeps = {
    ...foundation,
    networks: {
      ...networks,
      enabled: (mode) => networks.enabled(mode).map((network) => ({ ...network, finalTokens })),
    },
  };
  const tooMuch = await proposeFunding(read, { ...given, amount: `${there + 1n}` });
  assert.match(tooMuch.ok ? '' : tooMuch.error.message, /^At most /);
  await agree(await proposeFunding(read, { ...given, amount: `${there}` }), read);
});

let bought: Shown;
test('a buy is accepted, and the customer pays into the vendor’s account', async () => {
  const vendor = { vendor_name: 'Acme Collections', vendor_bank: 'Wema Bank', vendor_number: VENDOR.number };
  const wallet_address = await chain.wallet();
  bought = await create(
    'onramp',
    buyBody(business, { ...vendor, ...CUSTOMER, network: NETWORK, wallet_address }),
  );
  const payer = { accountNumber: CUSTOMER.account_number, name: 'ADAEZE OKAFOR', bankCode: '058' };
  const { number: accountNumber } = VENDOR;
  await banks.payIn({ rail: 'paystack', accountNumber, amount: '15000.00', narration: 'a buy', payer });
});

test('two people correct the account of a payout that the bank returned, and it is paid', async () => {
  const order = await sell(25_000);
  const { payout } = await completed(order);
  assert.deepEqual(paidFor(order), ['providus 0123456785 25000.00']);
  await banks.reverse({ rail: 'providus', reference: payout.bank_reference });
  // The first check is ten minutes after the payout, and the test cannot wait for it.
  await foundation.database.query({ text: 'update ended_payouts set due_at = now()' });
  await watchEndedPayouts({ ...foundation, banks: foundation.bankRails });
  const held = await settled(service, order.transaction_id, { states: ['on_hold'], key });
  assert.equal(held.exception, 'payout_returned');
  const account = { bankCode: 'GTBank', accountNumber: '0222222220', accountName: 'Adaeze Okafor' };
  const [open] = await rows<{ id: string }>(service, 'select id from cases');
  const asked = { action: 'pay_again', subjectId: open!.id, detail: { account } } as const;
  await agree(await proposeReview(foundation, { ...asked, actor: MAKER }));
  await completed(order);
  assert.deepEqual(paidFor(order), ['providus 0222222220 25000.00']);
});

test('a rail without money refuses a payout, and the next rail pays it', async () => {
  banks.setFault({ kind: 'insufficient', rail: 'providus', operation: 'pay' });
  const order = await sell(12_000);
  await until('the payout is paid', async () => {
    await tenMinutesPass();
    return paidFor(order).length > 0;
  });
  await completed(order);
  assert.deepEqual(paidFor(order), ['paystack 0123456785 12000.00']);
});

test('after a lost bank response and a stop, the next process finds the outcome, pays once and completes the buy', async () => {
  // The bank pays, but its response does not arrive before the service is stopped.
  banks.setFault({ kind: 'cut-after', rail: 'providus', operation: 'pay' });
  banks.setFault({ kind: 'error-503', rail: 'providus', operation: 'status', times: 100 });
  const order = await sell(13_000);
  await until('the bank has paid', () => paidFor(order).length > 0);
  await service.service.close();
  banks.clearFaults();
  service = await startTestService(settings, service.databaseUrl, business);
  await completed(order);
  assert.deepEqual(paidFor(order), ['providus 0123456785 13000.00']);
  // Either this process or the previous process matched the credit that Paystack lists.
  const { wallet_address } = await completed(bought);
  assert.equal(await chain.received(wallet_address), 15_000n * 10n ** BigInt(chain.decimals));
});

test('every bank account has the balance of the ledger, and the ledger balances', async () => {
  const booked = await foundation.reviewDesk.bankBooks('live');
  const inLedger = (number: string) =>
    booked
      .filter((book) => formatBankAccount(book).endsWith(`:${number}`))
      .reduce((sum, { freeMinor, reservedMinor }) => sum + freeMinor + reservedMinor, 0n);
  for (const [rail, { balance, accounts }] of Object.entries(banks.books())) {
    const expected = accounts.reduce((sum, { number }) => sum + inLedger(number), 0n);
    assert.equal(BigInt(balance.replace('.', '')), expected, rail);
  }
  assert.equal(inLedger(VENDOR.number), 1_500_000n);
  const { findings, unchecked } = await recountLedger(
    { ...foundation, onTrouble: () => undefined },
    () => undefined,
  );
  assert.deepEqual([findings, unchecked], [[], []]);
});
