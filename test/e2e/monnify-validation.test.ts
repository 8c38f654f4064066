// Tests a running service with a local bank that plays Monnify and asks for approval before it pays. According to the bank's
// own books, our payouts are paid, and a thief with the stolen key cannot pay anything.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startLocalBanks } from '../../local-banks/start.ts';
import { payoutAccountOf } from '../../src/app/movements/payouts/choose-rail.ts';
import { entryOf } from '../../src/domain/ledger/ledger.ts';
import { eventually } from '../http/helpers.ts';
import { startTestService } from '../support/service.ts';
import { DEPOSITS, FAST, newCustomer, rows, sell } from './calls.ts';
import { booksBalance, settled } from './settled.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-monnify-'));
const banks = await startLocalBanks({ dir });
after(async () => {
  await banks.close();
  rmSync(dir, { recursive: true });
});
const row = banks.rails.find(({ kind }) => kind === 'monnify')!;
const BANKS_FILE = path.join(dir, 'test-banks.json');
writeFileSync(BANKS_FILE, JSON.stringify({ rails: [{ ...row, mode: 'test', name: 'monnify' }] }));
const service = await startTestService({ ...FAST, BANKS_FILE });
const { foundation } = service;
const PATH = '/rails/monnify/validation';
banks.setValidation({ rail: 'monnify', url: `${service.baseUrl}${PATH}` });
const payoutAccount = payoutAccountOf(foundation.bankRails.find('test', 'monnify')!);
await foundation.store.commit([
  {
    atMs: Date.now(),
    entries: [
      entryOf('float_funded', {
        ...{ mode: 'test', subjectId: 'setup', payoutAccount },
        amounts: { amount: 10n ** 10n },
      }),
    ],
  },
]);

const { url, sourceAccount, credentials } = banks.monnify;
const balance = () => banks.books().monnify.balance;
const payouts = () => banks.books().monnify.payouts;

async function orderDirectly(changes: Record<string, unknown>) {
  const basic = Buffer.from(`${credentials.apiKey}:${credentials.secretKey}`).toString('base64');
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/api/v1/auth/login`, {
    ...{ method: 'POST', body: '{}', headers: { ...json, authorization: `Basic ${basic}` } },
  });
  const { responseBody } = (await login.json()) as { responseBody: { accessToken: string } };
  const answer = await fetch(`${url}/api/v2/disbursements/single`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${responseBody.accessToken}` },
    body: JSON.stringify({
      ...{ amount: 100_000, reference: 'salary-november', narration: 'x', destinationBankCode: '058' },
      ...{ destinationAccountNumber: '0123456785', destinationAccountName: 'MALLORY', currency: 'NGN' },
      ...{ sourceAccountNumber: sourceAccount, async: true, ...changes },
    }),
  });
  return { status: answer.status, text: await answer.text() };
}

function ask(order: unknown, secret = credentials.secretKey) {
  const text = JSON.stringify(order);
  const signature = createHmac('sha512', secret).update(text).digest('hex');
  return service.post(PATH, text, { key: null, headers: { 'monnify-signature': signature } });
}

const alerts = () =>
  rows<{ why: string }>(
    service,
    `select detail->>'why' as why from audit_log where action = 'payout.not_approved' order by no`,
  );

async function paidSell() {
  const customer = newCustomer();
  const order = await sell(service, { ...customer, account_name: 'ADA OBI' });
  banks.setAccount({ number: customer.account_number, name: 'ADA OBI' });
  const answer = await service.post(DEPOSITS, { transaction_id: order.transaction_id });
  assert.equal(answer.status, 200, answer.text);
  await settled(service, order.transaction_id, { states: ['completed'] });
  const [movement] = await rows<{ reference: string; naira_minor: string; times: number; bank: string }>(
    service,
    `select a.reference, m.naira_minor, p.times from movements m join movement_attempts a on a.movement_id = m.id
     join payout_approvals p on p.movement_id = m.id where m.transaction_id = $1`,
    order.transaction_id,
  );
  return { customer, movement: movement! };
}

test('Monnify requests our approval for our payouts, and each is approved and paid once', async () => {
  const { customer, movement } = await paidSell();
  const paid = payouts().filter(({ reference }) => reference === movement.reference);
  assert.equal(paid.length, 1);
  assert.equal(paid[0]!.amount.replace('.', ''), movement.naira_minor);
  assert.equal(movement.times, 1);
  assert.deepEqual(await alerts(), []);
  await booksBalance(service);

  const replay = {
    reference: movement.reference,
    amount: Number(movement.naira_minor) / 100,
    destinationAccountNumber: customer.account_number,
    destinationBankCode: '058',
    sourceAccountNumber: sourceAccount,
  };
  const answer = await ask(replay);
  assert.deepEqual([answer.status, answer.body], [200, { action: 'REJECT' }], 'it was paid already');
  assert.deepEqual(await alerts(), [{ why: 'concluded' }]);
});

test('a stolen key cannot pay: the bank requests our approval, we decline, and its books do not change', async () => {
  const before = [balance(), payouts().length];
  const known = (await alerts()).length;
  const refused = await orderDirectly({});
  assert.equal(refused.status, 422, refused.text);
  assert.match(refused.text, /not approved/);
  await banks.settle();
  assert.deepEqual([balance(), payouts().length], before);
  assert.deepEqual((await alerts()).slice(known), [{ why: 'unknown_reference' }]);
  assert.match(service.logged(), /its key may be stolen/);
  const { text } = await service.get('/metrics');
  assert.match(text, /sliproad_rail_questions_rejected_total [1-9]/);
});

test('a forged or unreadable validation request is refused with the common error body and approves nothing', async () => {
  const known = (await alerts()).length;
  const forged = await ask({ reference: 'x' }, 'another-secret');
  assert.equal(forged.status, 401);
  assert.equal(forged.body.status, 'error');
  assert.equal(forged.headers.get('x-content-type-options'), 'nosniff');
  const unsigned = await service.post(PATH, '{}', { key: null });
  assert.equal(unsigned.status, 401);
  assert.equal((await alerts()).length, known, 'whoever has no key cannot fill the audit log');
  const unreadable = await ask({ reference: 'mov-1' });
  assert.equal(unreadable.status, 400);
  assert.match(unreadable.text, /has no amount of naira in amount/);
  assert.ok(!service.logged().includes(credentials.secretKey));
  const large = await service.post(PATH, 'x'.repeat(70_000), { key: null });
  assert.equal(large.status, 413);
  assert.equal((await service.get(PATH, { key: null })).status, 405);
});

test('the validation route is not part of the interface for businesses', async () => {
  const { status, text } = await service.get('/openapi.json');
  assert.equal(status, 200);
  assert.doesNotMatch(text, /rails\/monnify/);
});

test('while our service is unreachable no money is paid or lost, and the payout stays open', async () => {
  banks.setValidation({ rail: 'monnify', url: 'http://127.0.0.1:1/' });
  const before = payouts().length;
  const customer = newCustomer();
  const order = await sell(service, { ...customer, account_name: 'ADA OBI' });
  banks.setAccount({ number: customer.account_number, name: 'ADA OBI' });
  await service.post(DEPOSITS, { transaction_id: order.transaction_id });
  const movements = () =>
    rows<{ state: string }>(
      service,
      `select state from movements where transaction_id = $1 and kind = 'payout'`,
      order.transaction_id,
    );
  await eventually(async () => (await movements())[0]?.state === 'unknown', 'the payout is unknown');
  assert.equal(payouts().length, before);
});
