// Tests payouts through Paystack: every row of its code tables, the requests that are sent, and responses that prove nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Asked, cut, type Play, playBank } from '../../../../test/support/banks/played-bank.ts';
import { limitMs } from '../../../../test/support/patience.ts';
import type { PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import { loadBankDirectory } from '../../catalogue/bank-directory.ts';
import { ORDER_ERRORS, TRANSFER_WORDS } from './codes.ts';
import { openPaystack } from './rail.ts';

const directory = loadBankDirectory();
const SECRET = 'sk_live_a-secret';
const REFERENCE = 'mov-01k9xyz0123456789abcdefgh';
const ORDER = {
  reference: REFERENCE,
  amountMinor: 15_250_50n,
  destination: { bankCode: 'globus-bank', accountNumber: '0123456785', accountName: 'Ada Obi' },
  about: 'txn_1',
};

function railOn(baseUrl: string) {
  const settings = {
    ...{
      baseUrl,
      secretKey: () => SECRET,
      narration: 'Payout',
      timeoutMs: limitMs('answer'),
      mostBytes: 16_384,
    },
    ...{ creditsFromMs: null, creditsLagMs: 0, eventAddresses: new Set<string>() },
  };
  const account = { bankCode: 'paystack-titan', number: '1234567891' };
  const deps = { directory, clock: { now: () => 0 } };
  return openPaystack({ mode: 'live', name: 'paystack', account }, settings, deps).payouts!;
}

const done = (data: unknown): Play => [200, { status: true, message: 'x', data }];
const refused = (status: number, code?: string, message = 'x'): Play => [
  status,
  { status: false, message, code },
];
const transfer = (status: string, more: object = {}): Play => done({ reference: REFERENCE, status, ...more });
const RECIPIENT = done({ recipient_code: 'RCP_1', details: { account_number: '0123456785' } });
const NOT_FOUND = refused(404, 'transfer_not_found');

async function heard(order: Play, verified: Play, { isFirst = true, recipient = RECIPIENT } = {}) {
  await using bank = await playBank(({ path }) => {
    if (path === '/transferrecipient') return recipient;
    return path === '/transfer' ? order : verified;
  });
  const rail = railOn(bank.url);
  const paid = await rail.pay({ ...ORDER, isFirst });
  const orders = bank.asked.filter(({ path }) => path === '/transfer');
  return { paid, asked: await rail.ask(REFERENCE), calls: bank.asked, orders };
}

/** The agreed tables of words and codes. They must be changed together with codes.ts. */
const WORDS: readonly (readonly [word: string, kind: PayoutStatus['kind'], fault?: 'rail'])[] = [
  ['success', 'paid'],
  ['pending', 'pending'],
  ['received', 'pending'],
  ['otp', 'unknown'],
  ['failed', 'failed', 'rail'],
  ['abandoned', 'failed', 'rail'],
  ['blocked', 'failed', 'rail'],
  ['rejected', 'failed', 'rail'],
  ['reversed', 'returned'],
];

for (const [word, kind, fault] of WORDS) {
  test(`threat 57: the status word ${word} means ${kind}${fault === undefined ? '' : `, the fault of the ${fault}`}`, async () => {
    const { paid, asked } = await heard(transfer(word), transfer(word));
    assert.deepEqual([paid.kind, asked.kind], [kind, kind]);
    if (asked.kind === 'failed') assert.equal(asked.fault, fault);
  });
}

const BALANCE_TEXT = 'Your balance is not enough to fulfil this request';
const DUPLICATE_TEXT = 'Please provide a unique reference. Reference already exists on a transfer';
const ERRORS: readonly (readonly [code: string, kind: PayoutStatus['kind']])[] = [
  // The order reports a reference that is in use, but a query by this reference finds nothing.
  ['duplicate_transfer_reference', 'unknown'],
  [DUPLICATE_TEXT, 'unknown'],
  ['insufficient_balance', 'failed'],
  [BALANCE_TEXT, 'failed'],
  ['transfer_unavailable', 'failed'],
  ['invalid_params', 'unknown'],
  ['missing_params', 'unknown'],
];

for (const [code, kind] of ERRORS) {
  test(`threat 57: an order that Paystack refuses with "${code}" is ${kind}`, async () => {
    const order = code.includes(' ') ? refused(400, undefined, code) : refused(400, code);
    const { paid } = await heard(order, NOT_FOUND);
    assert.equal(paid.kind, kind);
    if (paid.kind === 'failed') assert.equal(paid.fault, 'rail');
    // If an earlier call may have paid the order, the same refusal alone proves nothing.
    assert.equal((await heard(order, NOT_FOUND, { isFirst: false })).paid.kind, 'unknown');
    if (kind === 'failed' || code.includes('duplicate') || code === DUPLICATE_TEXT)
      assert.equal((await heard(order, transfer('success'), { isFirst: false })).paid.kind, 'paid');
  });
}

test('the tests cover every word and error in the tables; other words and errors are unknown', async () => {
  assert.deepEqual(WORDS.map(([word]) => word).toSorted(), Object.keys(TRANSFER_WORDS).toSorted());
  assert.deepEqual(ERRORS.map(([code]) => code).toSorted(), Object.keys(ORDER_ERRORS).toSorted());
  for (const word of ['SUCCESS', 'processing', 'queued', 'cancelled', '', 'toString'])
    assert.equal((await heard(transfer(word), transfer(word))).asked.kind, 'unknown', word);
  for (const code of ['invalid_transfer_recipient', 'unknown', 'constructor'])
    assert.equal((await heard(refused(400, code), NOT_FOUND)).paid.kind, 'unknown', code);
});

test('threat 56: if the reference is in use, it is verified, and the verified status counts', async () => {
  const order = refused(400, 'duplicate_transfer_reference');
  for (const [word, kind] of [
    ['success', 'paid'],
    ['pending', 'pending'],
    ['failed', 'failed'],
    ['reversed', 'returned'],
  ] as const)
    assert.equal((await heard(order, transfer(word))).paid.kind, kind);
});

test('an order contains kobo, the recipient with Paystack’s bank code, and our reference', async () => {
  const { paid, calls } = await heard(
    transfer('success', { fee_charged: undefined }),
    transfer('success', { fee_charged: 5_375, session: { id: '100039261116' } }),
  );
  assert.deepEqual(paid, { kind: 'paid', sessionId: '100039261116', chargeMinor: 53_75n });
  const [recipient, order, verify] = calls as [Asked, Asked, Asked];
  assert.deepEqual(
    [recipient.method, recipient.path, order.path],
    ['POST', '/transferrecipient', '/transfer'],
  );
  assert.deepEqual([verify.method, verify.path], ['GET', `/transfer/verify/${REFERENCE}`]);
  assert.deepEqual(recipient.body, {
    ...{ type: 'nuban', name: 'Ada Obi', account_number: '0123456785', bank_code: '00103', currency: 'NGN' },
  });
  assert.deepEqual(order.body, {
    ...{ source: 'balance', amount: 1_525_050, currency: 'NGN', recipient: 'RCP_1', reference: REFERENCE },
    reason: 'Payout txn_1',
  });
  assert.match(order.text, /"amount":1525050[,}]/);
  for (const { headers } of calls) assert.equal(headers.authorization, `Bearer ${SECRET}`);
});

test('a successful transfer that cannot be verified at once counts as paid, with unknown session and charge', async () => {
  for (const verified of [NOT_FOUND, cut])
    assert.deepEqual((await heard(transfer('success'), verified)).paid, {
      ...{ kind: 'paid', sessionId: null, chargeMinor: null },
    });
});

test('without a recipient for this account no order is sent', async () => {
  const others = done({ recipient_code: 'RCP_2', details: { account_number: '9999999999' } });
  for (const recipient of [
    refused(400, 'invalid_params'),
    refused(401),
    done({}),
    others,
    cut,
    [500, {}],
  ] as Play[]) {
    const { paid, orders } = await heard(transfer('success'), NOT_FOUND, { recipient });
    assert.equal(paid.kind, 'not_sent', inspect(recipient));
    assert.deepEqual(orders, []);
  }
});

test('threats 57, 98: a response about another reference or in another format is not a proof', async () => {
  const plays: readonly Play[] = [
    done({ reference: 'mov-another', status: 'failed' }),
    done({ status: 'failed' }),
    done(null),
    [200, { status: false, message: 'no' }],
    [200, { status: 'true', data: { reference: REFERENCE, status: 'failed' } }],
    [400, { status: true, data: { reference: REFERENCE, status: 'failed' } }],
    refused(401, 'invalid_key'),
    refused(403, 'insufficient_balance'),
    refused(422, 'insufficient_balance'),
    [404, '<html>'],
    cut,
  ];
  for (const play of plays) {
    const { paid, asked } = await heard(play, play);
    assert.deepEqual([paid.kind, asked.kind], ['unknown', 'unknown'], inspect(play));
    assert.ok(!inspect([paid, asked]).includes(SECRET));
  }
});

test('only status 404 means that Paystack does not know the reference', async () => {
  const asked = async (play: Play) => (await heard(transfer('pending'), play)).asked.kind;
  assert.equal(await asked(NOT_FOUND), 'not_found');
  assert.equal(await asked(refused(400, 'transfer_not_found')), 'unknown');
});

test('pays only banks that have a Paystack code', async () => {
  await using bank = await playBank(() => done({}));
  const rail = railOn(bank.url);
  const unlisted = directory.all.filter(({ paystackCode }) => paystackCode === null).map(({ code }) => code);
  assert.ok(unlisted.length > 0);
  for (const code of [...unlisted, 'heritage-bank', '00103', 'nowhere'])
    assert.equal(rail.reaches(code), false, code);
  for (const code of ['globus-bank', 'opay', 'palmpay']) assert.equal(rail.reaches(code), true, code);
  const order = { ...ORDER, destination: { ...ORDER.destination, bankCode: unlisted[0]! }, isFirst: true };
  assert.equal((await rail.pay(order)).kind, 'not_sent');
  assert.deepEqual(bank.asked, []);
});

test('a name enquiry uses Paystack’s bank code; 422 means that the account does not exist', async () => {
  const ask = async (play: Play) => {
    await using bank = await playBank(() => play);
    const { bankCode, accountNumber } = ORDER.destination;
    const question = { bankCode, accountNumber, expectedName: 'Another Name', about: null };
    return { answer: await railOn(bank.url).enquireName(question), query: bank.asked[0]!.query };
  };
  const { answer, query } = await ask(done({ account_number: '0123456785', account_name: 'ADA OBI' }));
  assert.deepEqual(answer, { kind: 'found', name: 'ADA OBI' });
  assert.deepEqual([query.get('account_number'), query.get('bank_code')], ['0123456785', '00103']);
  const kind = async (play: Play) => (await ask(play)).answer.kind;
  assert.equal(await kind(refused(422, undefined, 'Could not resolve account name')), 'no_account');
  const others = done({ account_number: '9999999999', account_name: 'ANOTHER' });
  for (const play of [refused(400, 'invalid_bank_code'), refused(401), done({}), others, cut])
    assert.equal(await kind(play), 'unknown', inspect(play));
});

test('the naira balance is read in kobo; balances in other currencies are ignored', async () => {
  const balance = async (data: unknown) => {
    await using bank = await playBank(() => done(data));
    const answer = await railOn(bank.url).balance();
    return answer.kind === 'known' ? answer.availableMinor : answer.kind;
  };
  const usd = { currency: 'USD', balance: 5 };
  assert.equal(await balance([usd, { currency: 'NGN', balance: 1_700_000 }]), 17_000_00n);
  assert.equal(await balance([usd]), 'unknown');
  assert.equal(await balance([{ currency: 'NGN', balance: -5 }]), 'unknown');
  assert.equal(await balance({ currency: 'NGN', balance: 5 }), 'unknown');
});

test('a transfer that failed because of the account is the payout’s fault; any other failure is the rail’s fault', async () => {
  for (const [said, fault] of [
    [{ gateway_response: 'Dormant account' }, 'payout'],
    [{ failures: 'Account closed by the bank' }, 'payout'],
    [{ failures: { reason: 'Invalid account' } }, 'payout'],
    [{ gateway_response: 'Processor is down', failures: null }, 'rail'],
    [{ reason: 'dormant account', failures: null }, 'rail'],
    [{}, 'rail'],
  ] as const) {
    const { asked } = await heard(transfer('pending'), transfer('failed', said));
    assert.ok(asked.kind === 'failed');
    assert.equal(asked.fault, fault, JSON.stringify(said));
  }
});
