// Tests a bank with NIP transfers: every row of its code table, the requests that are sent, and responses that prove nothing.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Asked, type Play, playBank } from '../../../../test/support/banks/played-bank.ts';
import { limitMs } from '../../../../test/support/patience.ts';
import type { PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import { loadBankDirectory } from '../../catalogue/bank-directory.ts';
import { TRANSFER_CODES } from './codes.ts';
import { openNipBank } from './rail.ts';
import type { NipBankSettings } from './settings.ts';

const directory = loadBankDirectory();
const SECRET = 'a-password-of-the-bank';
const REFERENCE = 'mov-01k9xyz0123456789abcdefgh';
const ORDER = {
  reference: REFERENCE,
  amountMinor: 15_250_50n,
  destination: { bankCode: 'globus-bank', accountNumber: '0123456785', accountName: 'Ada Obi' },
  about: 'txn_1',
};

function railOn(baseUrl: string, changes: Partial<NipBankSettings> = {}) {
  const settings: NipBankSettings = {
    ...{ baseUrl, userName: 'us', password: () => SECRET, client: null, sourceAccountName: 'Our Company' },
    ...{
      narration: 'Payout',
      ownBankByNip: false,
      credits: null,
      finalCodes: new Set(),
      timeoutMs: limitMs('answer'),
      mostBytes: 4_096,
    },
    ...changes,
  };
  const account = { bankCode: 'providus-bank', number: '5400000018' };
  return openNipBank({ mode: 'live', name: 'nip', account }, settings, {
    directory,
    clock: { now: Date.now },
  }).payouts!;
}

async function heard(code: string, isFirst: boolean, about = code, changes?: Partial<NipBankSettings>) {
  await using bank = await playBank(({ path }) => [
    200,
    { responseCode: path.endsWith('FundTransfer') ? code : about, responseMessage: 'x' },
  ]);
  const rail = railOn(bank.url, changes);
  return { paid: await rail.pay({ ...ORDER, isFirst }), asked: await rail.ask(REFERENCE), calls: bank.asked };
}

/**
 * The agreed table: the code, the kind of status, and whether the payout or the rail caused it. It must be changed together
 * with codes.ts.
 */
const ROWS: readonly (readonly [code: string, asked: PayoutStatus['kind'], fault?: 'payout' | 'rail'])[] = [
  ['00', 'paid'],
  ['09', 'pending'],
  ['06', 'failed', 'payout'],
  ['07', 'failed', 'payout'],
  ['08', 'failed', 'payout'],
  ['12', 'failed', 'rail'],
  ['16', 'failed', 'rail'],
  ['51', 'failed', 'rail'],
  ['7704', 'failed', 'rail'],
  ['57', 'failed', 'rail'],
  ['58', 'failed', 'rail'],
  ['61', 'failed', 'rail'],
  ['31', 'returned'],
  ['01', 'not_found'],
  ['25', 'not_found'],
  ['26', 'unknown'],
  ['94', 'unknown'],
  ['32', 'unknown'],
  ['63', 'unknown'],
  ['68', 'unknown'],
  ['91', 'unknown'],
  ['92', 'unknown'],
  ['96', 'unknown'],
  ['97', 'unknown'],
];

for (const [code, kind, fault] of ROWS) {
  test(`threat 57: code ${code} means ${kind}${fault === undefined ? '' : `, the fault of the ${fault}`}`, async () => {
    const { paid, asked } = await heard(code, true);
    assert.equal(asked.kind, kind);
    // The response "not found" to an order, or about a reference that is in use, is not a refusal.
    assert.equal(paid.kind, kind === 'not_found' ? 'unknown' : kind);
    for (const status of [paid, asked])
      if (status.kind === 'failed') {
        assert.equal(status.fault, fault);
        assert.match(status.reason, new RegExp(`\\(${code}\\)$`));
      }
  });
}

test('the tests cover every code in the table; codes of the card table and other codes are unknown', async () => {
  assert.deepEqual(ROWS.map(([code]) => code).toSorted(), Object.keys(TRANSFER_CODES).toSorted());
  for (const code of [
    '03',
    '05',
    '13',
    '30',
    '34',
    '65',
    '98',
    '99',
    '7706',
    '8004',
    '8803',
    '0',
    'S00',
    '__proto__',
  ]) {
    const { paid, asked } = await heard(code, true);
    assert.deepEqual([paid.kind, asked.kind], ['unknown', 'unknown'], code);
  }
});

test('final_codes can add a code that the bank confirmed as final, but cannot change a code of the table', async () => {
  const finalCodes = new Set(['32', '00', '09', '25', '26', '31']);
  const kinds = [];
  for (const code of finalCodes) kinds.push((await heard(code, true, code, { finalCodes })).asked.kind);
  assert.deepEqual(kinds, ['failed', 'paid', 'pending', 'not_found', 'unknown', 'returned']);
});

test('threat 56: if the reference is in use, or a repeated order is refused, the bank is queried for the outcome', async () => {
  for (const code of ['26', '94']) assert.equal((await heard(code, true, '00')).paid.kind, 'paid');
  assert.equal((await heard('51', false, '00')).paid.kind, 'paid');
  assert.equal((await heard('51', false, '25')).paid.kind, 'unknown');
  assert.equal((await heard('51', false, '51')).paid.kind, 'failed');
  assert.equal((await heard('26', true, '25')).paid.kind, 'unknown');
  const { calls } = await heard('51', true, '00');
  assert.equal(calls[0]!.path, '/NIPFundTransfer');
});

test('threat 56: if an order that is not marked as first is refused, its outcome is unknown, because it may have been paid before', async () => {
  await using bank = await playBank(({ path }) => [
    200,
    { responseCode: path === '/NIPFundTransfer' ? '51' : '25' },
  ]);
  assert.equal((await railOn(bank.url).pay(ORDER)).kind, 'unknown');
});

test('an order contains naira with two decimals, the NIP code of the bank, and our reference', async () => {
  await using bank = await playBank(() => [200, { responseCode: '00', sessionId: '0000231' }]);
  const rail = railOn(bank.url, { client: { id: 'us', secret: () => 'client-secret' } });
  const paid = await rail.pay(ORDER);
  assert.deepEqual(paid, { kind: 'paid', sessionId: '0000231', chargeMinor: null });
  const [{ path, body, headers }] = bank.asked as [Asked];
  assert.equal(path, '/NIPFundTransfer');
  assert.deepEqual(body, {
    ...{ beneficiaryAccountName: 'Ada Obi', transactionAmount: '15250.50', currencyCode: 'NGN' },
    ...{
      narration: 'Payout txn_1',
      sourceAccountName: 'Our Company',
      beneficiaryAccountNumber: '0123456785',
    },
    ...{ beneficiaryBank: '000027', transactionReference: REFERENCE, userName: 'us', password: SECRET },
  });
  assert.equal(headers['client-id'], 'us');
  assert.equal(headers['x-auth-signature'], hash('sha512', 'us:client-secret'));
});

test('the session id is read from the response, or from the text after the reference', async () => {
  const said = (json: object): Play => [200, { responseCode: '00', ...json }];
  for (const [json, sessionId] of [
    [
      { transactionReference: `${REFERENCE}| 000023211018133747005000003198` },
      '000023211018133747005000003198',
    ],
    [{ transactionReference: REFERENCE, sessionId: '77' }, '77'],
    [{}, null],
  ] as const) {
    await using bank = await playBank(() => said(json));
    assert.deepEqual(await railOn(bank.url).ask(REFERENCE), { kind: 'paid', sessionId, chargeMinor: null });
  }
});

test('threats 57, 98: a response about another reference, without a code or with another status is not a proof', async () => {
  const other = { responseCode: '00', transactionReference: 'mov-another' };
  const refused = { responseCode: '07', transactionReference: 'mov-another' };
  const plays: readonly Play[] = [
    [200, other],
    [200, refused],
    [200, {}],
    [200, []],
    [200, { responseCode: 0 }],
    [201, { responseCode: '00' }],
    [400, { responseCode: '07' }],
    [401, { responseCode: '07' }],
    [404, { responseCode: '25' }],
  ];
  for (const play of plays) {
    await using bank = await playBank(() => play);
    const rail = railOn(bank.url);
    for (const status of [await rail.pay({ ...ORDER, isFirst: true }), await rail.ask(REFERENCE)]) {
      assert.equal(status.kind, 'unknown', inspect(play));
      assert.ok(!inspect(status).includes(SECRET));
    }
  }
});

test('pays banks that have a NIP code, except closed banks; pays the rail’s own bank only if BANKS_FILE allows it', async () => {
  await using bank = await playBank(() => [200, { responseCode: '00', accountName: 'ADA OBI' }]);
  const rail = railOn(bank.url);
  assert.deepEqual(
    ['globus-bank', 'opay', 'heritage-bank', 'providus-bank', '000027', '103'].map(rail.reaches),
    [true, true, false, false, false, false],
  );
  assert.equal(railOn(bank.url, { ownBankByNip: true }).reaches('providus-bank'), true);
  const order = { ...ORDER, destination: { ...ORDER.destination, bankCode: 'heritage-bank' } };
  assert.equal((await rail.pay({ ...order, isFirst: true })).kind, 'not_sent');
  assert.deepEqual(bank.asked, []);
});

test('if the account name is missing, it is requested first; if it stays unknown, the order is not sent', async () => {
  const unnamed = { ...ORDER, destination: { ...ORDER.destination, accountName: null } };
  await using bank = await playBank(({ path }) => [
    200,
    path === '/GetNIPAccount' ? { responseCode: '00', accountName: 'ADA OBI' } : { responseCode: '00' },
  ]);
  assert.equal((await railOn(bank.url).pay(unnamed)).kind, 'paid');
  assert.equal(bank.asked[1]!.body!.beneficiaryAccountName, 'ADA OBI');
  await using silent = await playBank(() => [200, { responseCode: '91' }]);
  assert.equal((await railOn(silent.url).pay(unnamed)).kind, 'not_sent');
  assert.equal(silent.asked.length, 1);
});

test('a name enquiry uses the NIP code of the bank; only 06 and 07 mean that no payable account exists', async () => {
  const ask = async (json: object) => {
    await using bank = await playBank(() => [200, json]);
    const { bankCode, accountNumber } = ORDER.destination;
    const question = { bankCode, accountNumber, expectedName: 'Another Name', about: null };
    const answer = await railOn(bank.url).enquireName(question);
    return { answer, body: bank.asked[0]!.body! };
  };
  const { answer, body } = await ask({
    responseCode: '00',
    accountName: ' ADA OBI ',
    accountNumber: '0123456785',
  });
  assert.deepEqual(answer, { kind: 'found', name: 'ADA OBI' });
  assert.deepEqual([body.accountNumber, body.beneficiaryBank], ['0123456785', '000027']);
  const kinds = async (json: object) => (await ask(json)).answer.kind;
  assert.deepEqual(
    await Promise.all(
      ['06', '07', '08', '16', '25', '91', '99'].map((responseCode) => kinds({ responseCode })),
    ),
    ['no_account', 'no_account', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown'],
  );
  assert.equal(await kinds({ responseCode: '00' }), 'unknown');
  const other = { responseCode: '00', accountName: 'ANOTHER', accountNumber: '9999999999' };
  assert.equal(await kinds(other), 'unknown');
});

test('the balance of the source account is read in kobo; a fraction of a kobo is dropped', async () => {
  const balance = async (json: object) => {
    await using bank = await playBank(() => [200, json]);
    const answer = await railOn(bank.url).balance();
    assert.equal(bank.asked[0]!.body!.accountNumber, '5400000018');
    return answer.kind === 'known' ? answer.availableMinor : answer.kind;
  };
  assert.equal(await balance({ responseCode: '00', availableBalance: '468520.951' }), 468_520_95n);
  assert.equal(await balance({ responseCode: '00', availableBalance: '0.00' }), 0n);
  assert.equal(await balance({ responseCode: '00', availableBalance: '1,000.00' }), 'unknown');
  assert.equal(await balance({ responseCode: '00' }), 'unknown');
  assert.equal(await balance({ responseCode: '8004', availableBalance: '5.00' }), 'unknown');
});

for (const code of ['06', '07', '08', '12', '16', '51', '57', '58', '61', '7704'])
  test(`threat 56: if a repeated order is refused with ${code}, the payout does not count as refused, and the bank is queried`, async () => {
    for (const [about, kind] of [
      ['00', 'paid'],
      ['09', 'pending'],
      ['25', 'unknown'],
    ] as const) {
      const { paid, calls } = await heard(code, false, about);
      assert.equal(paid.kind, kind);
      assert.equal(calls.filter(({ path }) => path.endsWith('FundTransfer')).length, 1);
    }
    assert.equal((await heard(code, true)).paid.kind, 'failed');
  });

test('codes in unsure_codes are not refusals, either in the response to an order or to a status query', async () => {
  const changes = { unsureCodes: new Set(['06', '51', '32']), finalCodes: new Set(['32']) };
  for (const code of ['06', '51', '32']) {
    const { paid, asked } = await heard(code, true, code, changes);
    assert.deepEqual([paid.kind, asked.kind], ['unknown', 'unknown'], code);
  }
  assert.equal((await heard('07', true, '07', changes)).paid.kind, 'failed');
});
