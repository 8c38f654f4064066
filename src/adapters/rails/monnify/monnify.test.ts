// Tests Monnify: every row of its tables, the requests that are sent, and responses that prove nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Asked, cut, type Play, playBank } from '../../../../test/support/banks/played-bank.ts';
import { limitMs } from '../../../../test/support/patience.ts';
import type { PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import { loadBankDirectory } from '../../catalogue/bank-directory.ts';
import { faultOfRefusal } from '../connection/outcomes.ts';
import { REFUSAL_CODES, TRANSFER_WORDS } from './codes.ts';
import { openMonnify } from './rail.ts';
import { DEFAULT_VALIDATION, type MonnifySettings } from './settings.ts';

const NO_CREDITS = { creditsFromMs: null, creditsLagMs: 0, eventAddresses: new Set<string>() };

const directory = loadBankDirectory();
const KEY = 'an-api-key-of-monnify';
const SECRET = 'a-secret-key-of-monnify';
const TOKEN = 'a-token.of-monnify';
const REFERENCE = 'mov-01k9xyz0123456789abcdefgh';
const ORDER = {
  reference: REFERENCE,
  amountMinor: 90_071_992_547_409_91n,
  destination: { bankCode: 'guaranty-trust-bank', accountNumber: '0123456785', accountName: 'Ada O.' },
  about: 'txn_1',
};
const QUESTION = {
  bankCode: 'guaranty-trust-bank',
  accountNumber: '0123456785',
  expectedName: 'Ada',
  about: null,
};

function railOn(baseUrl: string, changes: Partial<MonnifySettings> = {}, clock = { now: () => 0 }) {
  const settings: MonnifySettings = {
    ...{ baseUrl, apiKey: () => KEY, secretKey: () => SECRET, narration: 'Payout', finalCodes: new Set() },
    ...{
      timeoutMs: limitMs('answer'),
      mostBytes: 4_096,
      validation: DEFAULT_VALIDATION,
      ...NO_CREDITS,
      ...changes,
    },
  };
  const account = { bankCode: 'moniepoint-microfinance-bank', number: '8000000013' };
  return openMonnify({ mode: 'live', name: 'monnify', account }, settings, { directory, clock });
}

const done = (responseBody: unknown): Play => [
  200,
  { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
];
const refused = (status: number, responseCode: string, responseMessage = 'x'): Play => [
  status,
  { requestSuccessful: false, responseMessage, responseCode },
];
const LOGIN = done({ accessToken: TOKEN, expiresIn: 3_567 });
const NAMED = done({ accountNumber: '0123456785', accountName: 'OBI ADA', bankCode: '058' });
const transfer = (status: unknown, more: object = {}): Play =>
  done({ reference: REFERENCE, status, totalFee: 10.75, fee: 10.75, ...more });

type Plays = Partial<Record<'login' | 'name' | 'pay' | 'ask' | 'balance', Play | ((asked: Asked) => Play)>>;
const PATHS: Readonly<Record<string, keyof Plays>> = {
  '/api/v1/auth/login': 'login',
  '/api/v2/disbursements/account/validate': 'name',
  '/api/v2/disbursements/single': 'pay',
  '/api/v2/disbursements/single/summary': 'ask',
  '/api/v2/disbursements/wallet-balance': 'balance',
};

const playMonnify = (plays: Plays) =>
  playBank(
    ({ path }) =>
      (({ login: LOGIN, name: NAMED, ...plays })[PATHS[path]!] as Play) ?? refused(404, '99', 'not found'),
  );

async function heard(plays: Plays, isFirst = true, changes?: Partial<MonnifySettings>) {
  await using bank = await playMonnify(plays);
  const payouts = railOn(bank.url, changes).payouts!;
  return {
    paid: await payouts.pay({ ...ORDER, isFirst }),
    asked: await payouts.ask(REFERENCE),
    calls: bank.asked.map(({ path }) => PATHS[path]),
  };
}

/** The agreed table of status words. It must be changed together with codes.ts. */
const WORDS: readonly (readonly [word: string, kind: PayoutStatus['kind']])[] = [
  ['SUCCESS', 'paid'],
  ['COMPLETED', 'paid'],
  ['PENDING', 'pending'],
  ['AWAITING_PROCESSING', 'pending'],
  ['IN_PROGRESS', 'pending'],
  ['PENDING_AUTHORIZATION', 'unknown'],
  ['OTP_EMAIL_DISPATCH_FAILED', 'unknown'],
  ['FAILED', 'failed'],
  ['REVERSED', 'returned'],
  ['EXPIRED', 'unknown'],
];

for (const [word, kind] of WORDS) {
  test(`threat 57: status ${word} means ${kind}, in the response to an order and to a status query`, async () => {
    const { paid, asked } = await heard({ pay: transfer(word), ask: transfer(word) });
    assert.deepEqual([paid.kind, asked.kind], [kind, kind]);
  });
}

const CODES: readonly (readonly [code: string, kind: PayoutStatus['kind'], calls: string])[] = [
  ['D02', 'pending', 'login name pay ask ask'],
  ['D04', 'failed', 'login name pay ask'],
  ['D07', 'failed', 'login name pay ask'],
];

for (const [code, kind, wanted] of CODES) {
  test(`threat 57: an order that Monnify refuses with ${code} is ${kind}`, async () => {
    const { paid, calls } = await heard({ pay: refused(422, code), ask: transfer('PENDING') });
    assert.equal(paid.kind, kind);
    assert.equal(calls.join(' '), wanted);
  });
}

test('the tests cover every word and code in the tables; other words and codes are unknown', async () => {
  assert.deepEqual(WORDS.map(([word]) => word).toSorted(), Object.keys(TRANSFER_WORDS).toSorted());
  assert.deepEqual(CODES.map(([code]) => code).toSorted(), Object.keys(REFUSAL_CODES).toSorted());
  for (const word of [
    'success',
    'SUCCESSFUL',
    'UNDER_REVIEW',
    'PAID',
    '',
    null,
    0,
    '__proto__',
    'PENDING_BATCH_AUTHORIZATION',
  ]) {
    const { paid, asked } = await heard({ pay: transfer(word), ask: transfer(word) });
    assert.deepEqual([paid.kind, asked.kind], ['unknown', 'unknown'], String(word));
  }
  for (const code of ['99', '0', 'D01', 'D06', 'R42', '51', '__proto__']) {
    const { paid, asked } = await heard({ pay: refused(422, code), ask: refused(422, code) });
    assert.deepEqual([paid.kind, asked.kind], ['unknown', 'unknown'], code);
  }
});

test('threat 57: with a code in final_codes, a first order fails as the rail’s fault, but a repeated order does not fail', async () => {
  const plays = { pay: refused(422, 'D06'), ask: transfer('SUCCESS') };
  const final = { finalCodes: new Set(['D06']) };
  const { paid: first } = await heard(plays, true, final);
  assert.ok(first.kind === 'failed' && first.fault === 'rail');
  assert.equal((await heard(plays, false, final)).paid.kind, 'paid');
});

test('the description of a FAILED transfer decides whose fault it is; if it is unclear, it is the rail’s fault', async () => {
  for (const [text, fault] of [
    ['Dormant Account', 'payout'],
    ['Destination account is dormant', 'payout'],
    ['Invalid Account', 'payout'],
    ['Account Blocked', 'payout'],
    [
      'You do not have sufficient balance to process this request. Please fund your account and try again.',
      'rail',
    ],
    ['Transfer limit Exceeded', 'rail'],
    ['Transaction failed', 'rail'],
    [null, 'rail'],
  ] as const) {
    assert.equal(faultOfRefusal([text]), fault, String(text));
    const said = {
      ask: transfer('FAILED', { transactionDescription: text }),
      pay: transfer('FAILED', { comment: text }),
    };
    const { asked, paid } = await heard(said);
    for (const status of [asked, paid])
      assert.ok(status.kind === 'failed' && status.fault === fault, String(text));
  }
});

test('an order contains the exact naira amount, the central-bank code of the bank, and the account name from the bank', async () => {
  await using bank = await playMonnify({ pay: transfer('PENDING') });
  await railOn(bank.url).payouts!.pay(ORDER);
  const sent = bank.asked.find(({ path }) => PATHS[path] === 'pay')!;
  assert.match(sent.text, /"amount":90071992547409\.91,/);
  const { amount, ...rest } = sent.body!;
  assert.deepEqual(rest, {
    reference: REFERENCE,
    narration: 'Payout txn_1',
    destinationBankCode: '058',
    destinationAccountNumber: '0123456785',
    destinationAccountName: 'OBI ADA',
    currency: 'NGN',
    sourceAccountNumber: '8000000013',
    async: true,
  });
  assert.equal(sent.headers.authorization, `Bearer ${TOKEN}`);
  const login = bank.asked.find(({ path }) => PATHS[path] === 'login')!;
  assert.equal(login.headers.authorization, `Basic ${Buffer.from(`${KEY}:${SECRET}`).toString('base64')}`);
});

test('a charge is read as exact kobo; if it cannot be read, the charge is unknown but the payout is still paid', async () => {
  for (const [fee, chargeMinor] of [
    [10.75, 1_075n],
    [0, 0n],
    ['20.00', 2_000n],
    [0.001, null],
    [-1, null],
    [null, null],
  ] as const) {
    const plays = {
      pay: transfer('SUCCESS', { totalFee: fee, sessionId: '0904' }),
      ask: transfer('SUCCESS', { fee, sessionId: '0904' }),
    };
    const { paid, asked } = await heard(plays);
    for (const status of [paid, asked])
      assert.deepEqual(status, { kind: 'paid', sessionId: '0904', chargeMinor });
  }
});

test('threat 98: a response about another reference or in another format means unknown', async () => {
  const other = transfer('FAILED', { reference: 'mov-other' });
  const forms: Play[] = [
    other,
    [200, { status: 'FAILED' }],
    [200, '{"cut'],
    [502, {}],
    [404, { status: 404 }],
    cut,
    [200, []],
  ];
  for (const form of forms) {
    const { paid, asked } = await heard({ pay: form, ask: form });
    assert.deepEqual([paid.kind, asked.kind], ['unknown', 'unknown'], inspect(form));
  }
  const failure = {
    requestSuccessful: false,
    responseCode: '99',
    responseMessage: 'x',
    responseBody: { reference: REFERENCE, status: 'SUCCESS' },
  };
  assert.equal((await heard({ pay: [200, failure] })).paid.kind, 'unknown');
  assert.equal((await heard({ ask: refused(404, '99') })).asked.kind, 'not_found');
});

test('an order is not sent if the name enquiry gives no name', async () => {
  for (const name of [cut, refused(404, '99', 'Could not find account with number 1'), refused(422, '99')]) {
    const { paid, calls } = await heard({ name, pay: transfer('PENDING') });
    assert.equal(paid.kind, 'not_sent');
    assert.ok(!calls.includes('pay'));
  }
});

test('a name enquiry returns no_account only if the account is not found, and never the name of another account', async () => {
  const kinds: readonly (readonly [Play, string])[] = [
    [NAMED, 'found'],
    [refused(404, '99', 'Could not find account with number 0123456785'), 'no_account'],
    [refused(404, '99', 'Could not find bank with code 058'), 'unknown'],
    [refused(422, '99', 'account'), 'unknown'],
    [done({ accountNumber: '0123456784', accountName: 'X', bankCode: '058' }), 'unknown'],
    [done({ accountNumber: '0123456785', accountName: 'X', bankCode: '057' }), 'unknown'],
    [done({ accountNumber: '0123456785', accountName: ' ', bankCode: '058' }), 'unknown'],
  ];
  for (const [name, kind] of kinds) {
    await using bank = await playMonnify({ name });
    assert.equal((await railOn(bank.url).payouts!.enquireName(QUESTION)).kind, kind, inspect(name));
  }
});

test('a balance is read in naira; a balance that cannot be read is unknown', async () => {
  for (const [availableBalance, minor] of [
    [500_000_000.01, 50_000_000_001n],
    [0, 0n],
    ['12.345', 1_234n],
    [-5, null],
    ['much', null],
  ] as const) {
    await using bank = await playMonnify({ balance: done({ availableBalance, ledgerBalance: 9 }) });
    const balance = await railOn(bank.url).payouts!.balance();
    assert.deepEqual(balance.kind === 'known' ? balance.availableMinor : null, minor);
    assert.equal(bank.asked.at(-1)!.query.get('accountNumber'), '8000000013');
  }
});

test('code 99 is a refusal only if its message is about our balance', async () => {
  const kindOf = async (message: string) => (await heard({ pay: refused(400, '99', message) })).paid.kind;
  assert.equal(await kindOf('Insufficient balance'), 'failed');
  assert.equal(await kindOf('Something went wrong'), 'unknown');
});
