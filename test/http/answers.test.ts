// Tests what a response shows in addition to the record. It must not show accounts and names of other people, and must not need
// extra queries during an acceptance.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Movement } from '../../src/domain/records/movement.ts';
import { type Answer, buyBody, sellBody, type TestBusiness } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { OFFRAMP, ONRAMP } from './helpers.ts';
import { movement } from './settlement-fixtures.ts';

const service = await sharedTestService();
const { business, foundation } = service;
const GTBANK = 'guaranty-trust-bank';
const OWN = { bankCode: GTBANK, accountNumber: '0123456785', accountName: 'OKAFOR ADAEZE' };

async function created(body: object, of: TestBusiness = business): Promise<Answer['body']> {
  const path = 'vendor_name' in body ? ONRAMP : OFFRAMP;
  const answer = await service.post(path, body, { key: of.testKey });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transaction;
}

async function refund(transactionId: string, changes: Partial<Movement>): Promise<Movement> {
  const made = movement({
    ...{ kind: 'refund', transactionId, network: null, asset: 'NGN', dueAtMs: null, state: 'sending' },
    ...{ amountMinor: 10_001n, nairaMinor: 10_001n, attempts: 1, reason: 'zqprivate screening_hit' },
    ...changes,
  });
  const change = { atMs: foundation.clock.now(), newMovements: [made] };
  assert.deepEqual(await foundation.store.commit([change]), [{ kind: 'committed' }]);
  return made;
}

const read = (id: string) => service.get(`/transactions/v1/${id}`);
const destinationOf = async (id: string) => (await read(id)).body.transaction.refunds.at(-1).destination;

test('a bank refund shows the exact amount, the destination and, once it is sent, its reference, but never the reason', async () => {
  const { transaction_id: id } = await created(buyBody(business, { account_name: 'Adaeze Okafor' }));
  const sent = await refund(id, { destination: OWN });
  const { text, body } = await read(id);
  assert.doesNotMatch(text, /zqprivate|screening/);
  const [{ created_at: _created, updated_at: _updated, ...shown }] = body.transaction.refunds;
  assert.deepEqual(shown, {
    refund_id: sent.id,
    amount: 100.01,
    state: 'sending',
    destination: {
      bank_code: GTBANK,
      bank_name: 'Guaranty Trust Bank',
      account_number: '0123456785',
      account_name: 'OKAFOR ADAEZE',
    },
    tx_hash: null,
    explorer_url: null,
    bank_reference: sent.id.replace('_', '-'),
  });
  await refund(id, { destination: null, state: 'pending', attempts: 0, createdAtMs: foundation.clock.now() });
  const waiting = (await read(id)).body.transaction.refunds[1];
  assert.deepEqual([waiting.state, waiting.destination, waiting.bank_reference], ['pending', null, null]);
});

test('threat 68: if the business did not provide the account, only the last digits are shown, and never the name of another person', async () => {
  for (const [given, to, number, name] of [
    // This is the account of the claim itself, but its owner has a different name from the name that the business gave.
    ['Adaeze Okafor', { accountName: 'TOTALLY UNRELATED STRANGER' }, '0123456785', null],
    // If letters only look alike, the response does not show the real name.
    ['Adaeze Оkafor', {}, '0123456785', null],
    ['Adaeze Okafor', { accountName: null }, '0123456785', null],
    [undefined, {}, '0123456785', 'OKAFOR ADAEZE'],
    ['Adaeze Okafor', { accountNumber: '9876543210' }, '******3210', null],
    ['Adaeze Okafor', { bankCode: 'access-bank' }, '******6785', null],
    [undefined, { bankCode: 'no-such-bank' }, '******6785', null],
  ] as const) {
    const { transaction_id: id } = await created(buyBody(business, { account_name: given }));
    await refund(id, { destination: { ...OWN, ...to } });
    const { account_number, account_name } = await destinationOf(id);
    assert.deepEqual([account_number, account_name], [number, name], JSON.stringify(to));
  }
});

test('threat 68: lists and reads show only the refunds and payouts of the transaction itself', async () => {
  const other = await service.addBusiness('answers-other');
  const mine = await created(buyBody(business, { reference: 'mine' }));
  const theirs = await created(buyBody(other, { reference: 'theirs' }), other);
  const [own, foreign] = [
    await refund(mine.transaction_id, { destination: OWN }),
    await refund(theirs.transaction_id, { destination: OWN }),
  ];
  for (const [key, seen, hidden] of [
    [business.testKey, own, foreign],
    [other.testKey, foreign, own],
  ] as const) {
    const { text } = await service.get('/transactions/v1?limit=100', { key });
    assert.ok(text.includes(seen.id) && !text.includes(hidden.id));
  }
});

test('there is a warning for a wrong check digit and for an unknown bank, and none for the letters of a name', async () => {
  const codes = ({ warnings }: Answer['body']) => warnings.map(({ code }: { code: string }) => code);
  const named = await created(buyBody(business, { account_name: 'Adaeze Оkafor' }));
  assert.deepEqual(named.warnings, []);
  const wrong = await created(sellBody(business, { account_number: '0123456780' }));
  assert.deepEqual(
    wrong.warnings.map(({ code, field }: { code: string; field: string }) => [code, field]),
    [['check_digit', 'account_number']],
  );
  assert.match(wrong.warnings[0].message, /^account_number .+\.$/);
  assert.deepEqual((await read(wrong.transaction_id)).body.transaction.warnings, wrong.warnings);
  assert.deepEqual(codes(await created(buyBody(business, { account_number: '0123456780' }))), [
    'check_digit',
  ]);
  assert.deepEqual(codes(await created(buyBody(business, { bank_name: 'Bank of Nowhere' }))), [
    'bank_unknown',
  ]);
});

test('state_reason is a code with its sentence, starting with the first response', async () => {
  const { transaction_id: id, ...sold } = await created(sellBody(business));
  assert.deepEqual([sold.state_reason, sold.state_message], ['accepted', 'The transaction was accepted.']);
  const { timeline } = (await service.get(`/transactions/v1/${id}/timeline`)).body;
  assert.deepEqual([timeline[0].reason, timeline[0].message], [sold.state_reason, sold.state_message]);
});
