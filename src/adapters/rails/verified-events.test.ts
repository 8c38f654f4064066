// Tests the responses of rails to a query about an event. A credit counts only if it is certain, was paid to the operator, and
// is not too old.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Play, playBank } from '../../../test/support/banks/played-bank.ts';
import { limitMs } from '../../../test/support/patience.ts';
import { loadBankDirectory } from '../catalogue/bank-directory.ts';
import { openMonnify } from './monnify/rail.ts';
import { DEFAULT_VALIDATION } from './monnify/settings.ts';
import { openNipBank } from './nip-bank/rail.ts';
import { openPaystack } from './paystack/rail.ts';

const FROM_MS = Date.parse('2026-11-16T00:00:00+01:00');
const deps = { directory: loadBankDirectory(), clock: { now: () => FROM_MS + 1_000 } };
const limits = { timeoutMs: limitMs('answer'), mostBytes: 65_536 };
const eventAddresses = new Set<string>();
const account = { bankCode: 'providus-bank', number: '5400000018' };
const row = { mode: 'live', name: 'rail', account } as const;

function railsOn(baseUrl: string, fromMs: number | null) {
  const common = {
    ...limits,
    baseUrl,
    narration: 'Payout',
    eventAddresses,
    creditsFromMs: fromMs,
    creditsLagMs: 0,
  };
  const keys = { apiKey: () => 'api', secretKey: () => 'secret', finalCodes: new Set<string>() };
  const client = { id: 'id', secret: () => 'secret' };
  const credits = fromMs === null ? null : { url: baseUrl, fromMs, addresses: eventAddresses };
  const nip = { ...limits, baseUrl, userName: 'u', password: () => 'p', narration: 'x', ownBankByNip: false };
  return {
    paystack: openPaystack(row, { ...common, secretKey: () => 'sk' }, deps),
    monnify: openMonnify(row, { ...common, ...keys, validation: DEFAULT_VALIDATION }, deps),
    nip: openNipBank(row, { ...nip, client, credits, sourceAccountName: 'x', finalCodes: new Set() }, deps),
  };
}

async function asked(
  name: 'paystack' | 'monnify' | 'nip',
  play: Play,
  fromMs: number | null = FROM_MS,
  accounts = 1,
) {
  await using bank = await playBank(({ path }) => {
    if (path.endsWith('/auth/login'))
      return [200, { requestSuccessful: true, responseBody: { accessToken: 't', expiresIn: 3_600 } }];
    const own = { accountNumber: '6000000018', bankCode: '50515' };
    if (path.includes('reserved-accounts'))
      return [200, { requestSuccessful: true, responseBody: { accounts: Array(accounts).fill(own) } }];
    return play;
  });
  return await railsOn(bank.url, fromMs)[name].events!.verify('REF-1');
}

/** A JSON number with all of its digits. The TypeScript types of JSON still lack `rawJSON`. */
const numberOf = (text: string) => (JSON as unknown as { rawJSON(text: string): object }).rawJSON(text);

const TRANSACTION = {
  ...{
    id: 7,
    reference: 'REF-1',
    status: 'success',
    amount: 1_500_000,
    currency: 'NGN',
    channel: 'dedicated_nuban',
  },
  ...{
    created_at: '2026-11-16T10:00:00.000Z',
    authorization: { receiver_bank_account_number: '9900000011' },
  },
};
const paystack = (changes: object, fromMs?: number | null) =>
  asked('paystack', [200, { status: true, data: { ...TRANSACTION, ...changes } }], fromMs);

test('Paystack: only the status success is a credit', async () => {
  assert.equal((await paystack({})).kind, 'credit');
  // An amount in kobo may have zeros as decimals, as text and as a number. A fraction of a kobo is not an amount, so the credit
  // is set aside for a person.
  for (const [amount, minor] of [
    ['1500000.00', 1_500_000n],
    [numberOf('1500000.00'), 1_500_000n],
    ['1500000.50', 0n],
  ] as const) {
    const credit = await paystack({ amount });
    assert.equal(credit.kind === 'credit' && credit.line.amountMinor, minor, JSON.stringify(amount));
  }
  for (const [changes, kind] of [
    [{ status: 'ongoing' }, 'not_yet'],
    [{ status: 'a-new-word' }, 'not_yet'],
    [{ status: 'failed' }, 'no_value'],
    [{ status: 'reversed' }, 'reversed'],
    [{ channel: 'card' }, 'no_value'],
    [{ currency: 'USD' }, 'no_value'],
    [{ reference: 'REF-2' }, 'unknown'],
    [{ id: null }, 'unknown'],
    [{ created_at: '2026-11-15T10:00:00.000Z' }, 'no_value'],
  ] as const)
    assert.equal((await paystack(changes)).kind, kind, JSON.stringify(changes));
  assert.equal((await paystack({}, null)).kind, 'no_value', 'without credits_from it reports nothing');
  const missing = {
    status: false,
    message: 'Transaction reference not found',
    code: 'transaction_not_found',
  };
  assert.equal((await asked('paystack', [400, missing])).kind, 'not_found');
  assert.equal((await asked('paystack', [401, { status: false, message: 'Invalid key' }])).kind, 'unknown');
  assert.equal((await asked('paystack', [502, 'Bad Gateway'])).kind, 'unknown');
});

const COLLECTION = {
  ...{ transactionReference: 'REF-1', amountPaid: '15000.50', paymentStatus: 'PAID', currency: 'NGN' },
  // The other amounts of the response differ from `amountPaid`, for example when a customer pays too much and Monnify keeps its
  // fee.
  ...{ totalPayable: '12000.00', amount: '12000.00', settlementAmount: '14990.50' },
  ...{
    paymentMethod: 'ACCOUNT_TRANSFER',
    paidOn: '2026-11-16 10:00:00.0',
    accountDetails: { accountName: 'ADA' },
  },
  product: { reference: 'vendor', type: 'RESERVED_ACCOUNT' },
};
const monnify = (changes: object, fromMs?: number | null, accounts?: number) =>
  asked(
    'monnify',
    [200, { requestSuccessful: true, responseBody: { ...COLLECTION, ...changes } }],
    fromMs,
    accounts,
  );

test('Monnify: only money paid into a reserved account is a credit, with the amount that was paid', async () => {
  const verified = await monnify({});
  assert.ok(verified.kind === 'credit');
  const { amountMinor, accountNumber, payerName } = verified.line;
  assert.deepEqual([amountMinor, accountNumber, payerName], [1_500_050n, '6000000018', 'ADA']);
  const over = await monnify({ paymentStatus: 'OVERPAID' });
  assert.equal(over.kind === 'credit' && over.line.amountMinor, 1_500_050n);
  const unsaid = await monnify({ amountPaid: undefined });
  assert.equal(unsaid.kind === 'credit' && unsaid.line.amountMinor, 0n, 'no other amount stands for it');
  for (const [changes, kind] of [
    [{ paymentStatus: 'PENDING' }, 'not_yet'],
    [{ paymentStatus: 'PARTIALLY_PAID' }, 'not_yet'],
    [{ paymentStatus: 'FAILED' }, 'no_value'],
    [{ paymentStatus: 'REVERSED' }, 'reversed'],
    [{ product: { type: 'WEB_SDK' } }, 'no_value'],
    [{ paymentMethod: 'CARD' }, 'no_value'],
    [{ currency: 'USD' }, 'no_value'],
    [{ transactionReference: 'REF-2' }, 'unknown'],
    [{ paidOn: '15/11/2026 5:13:57 PM' }, 'no_value'],
  ] as const)
    assert.equal((await monnify(changes)).kind, kind, JSON.stringify(changes));
  assert.equal((await monnify({}, null)).kind, 'no_value');
  const twice = await monnify({}, FROM_MS, 2);
  assert.equal(twice.kind === 'credit' && twice.line.accountNumber, '', 'one of two accounts: people look');
  const several = await monnify({ accountPayments: [{}, {}] });
  assert.equal(several.kind === 'credit' && several.line.payerName, null);
});

const SETTLEMENT = {
  ...{ sessionId: '000001261116121530123456789012', accountNumber: '9977581536', settlementId: 'REF-1' },
  ...{
    transactionAmount: 400,
    settledAmount: 398.5,
    currency: 'NGN',
    tranDateTime: '11/16/2026 10:00:00 AM',
  },
};
const nip = (changes: object) => asked('nip', [200, { ...SETTLEMENT, ...changes }]);

test('J4: a session id of ISO 20022 is kept like one of 30 digits; a placeholder is not', async () => {
  for (const [sessionId, kept] of [
    [SETTLEMENT.sessionId, SETTLEMENT.sessionId],
    ['EB6305C9-1F7F-49DE-AED0-16487C27B42D', 'eb6305c9-1f7f-49de-aed0-16487c27b42d'],
    ['NIBSS2026111609300000123456789', 'NIBSS2026111609300000123456789'],
    ['0'.repeat(30), null],
    ['N/A', null],
  ] as const) {
    const settled = await nip({ sessionId });
    assert.equal(settled.kind === 'credit' && settled.line.sessionId, kept, sessionId);
    const collected = await monnify({ accountDetails: { accountName: 'ADA', sessionId } });
    assert.equal(collected.kind === 'credit' && collected.line.sessionId, kept, sessionId);
  }
});

test('a NIP bank: a settlement that is found is a credit of the amount that the payer paid; only "not found" means that it does not exist', async () => {
  const verified = await nip({});
  assert.ok(verified.kind === 'credit');
  assert.deepEqual([verified.line.amountMinor, verified.line.sessionId], [40_000n, SETTLEMENT.sessionId]);
  const gone = { sessionId: '', accountNumber: '', settlementId: '', transactionAmount: 0 };
  for (const [changes, kind] of [
    [{ ...gone, tranRemarks: 'Transaction not found!!!' }, 'not_found'],
    [{ ...gone, tranRemarks: 'Invalid Client Credentials' }, 'unknown'],
    [{ ...gone, tranRemarks: null }, 'unknown'],
    [{ settlementId: 'REF-2' }, 'unknown'],
    [{ currency: 'USD' }, 'no_value'],
    [{ tranDateTime: '11/15/2026 10:00:00 AM' }, 'no_value'],
  ] as const)
    assert.equal((await nip(changes)).kind, kind, JSON.stringify(changes));
  assert.equal((await asked('nip', [500, {}])).kind, 'unknown');
});
