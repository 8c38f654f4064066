// Tests that every error example of every route equals the response of that route. The test makes each mistake on the route
// itself; error-examples-webhooks.test.ts covers events and webhooks. Examples that no request to a test service can cause are
// compared with the source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey } from '../../src/app/back-office/manage-keys.ts';
import { newQuote, WIDE } from '../support/rates/quotes.ts';
import { type Answer, buyBody, sellBody, startTestService } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { WALLETS } from '../support/wallets.ts';
import {
  assertInSource,
  assertNoneLeft,
  bankAccountMistakes,
  type COMMON_CODES,
  isAboutEvents,
  isAboutQuotes,
  type Make,
  readExamples,
  sourceOf,
  testMistakes,
} from './example-checks.ts';
import { IN_SOURCE } from './examples-in-source.ts';
import { buyText, eventually, OFFRAMP, ONRAMP, parseRawAnswer, rawExchange, send } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;
const examples = await readExamples(service);

const CREDITS = '/sandbox/v1/bank-credits';
const DEPOSITS = '/sandbox/v1/deposits';
const live = { key: business.liveKey };
const buy = (changes: object, options = {}) =>
  service.post(ONRAMP, buyBody(business, { ...changes }), options);
const sell = (changes: object, options = {}) =>
  service.post(OFFRAMP, sellBody(business, { ...changes }), options);
const credit = (changes: object, options = {}) =>
  service.post(
    CREDITS,
    {
      vendor_number: '9900000011',
      amount: 15000,
      payer_account_number: '0123456785',
      payer_bank_name: 'GTBank',
      ...changes,
    },
    options,
  );
const deposit = (changes: object, options = {}) =>
  service.post(DEPOSITS, { transaction_id: sold, ...changes }, options);
const idOf = ({ body }: Answer): string => body.transaction.transaction_id;
const sold = idOf(await sell({ network: 'Polygon', wallet_address: WALLETS.Polygon!(3) }));
const bought = idOf(await buy({ network: undefined, wallet_address: undefined }));
const walleted = idOf(await buy({}));
const cancelled = idOf(await buy({ network: undefined, wallet_address: undefined }));
await service.post(`/transactions/v1/${cancelled}/cancel`, {});
const completed = idOf(await buy({ amount: 17_000 }, { headers: { 'svc-scenario': 'paid' } }));
const stateOf = async (id: string) => (await service.get(`/transactions/v1/${id}`)).body.transaction.state;
await eventually(async () => (await stateOf(completed)) === 'completed', 'the buy is completed');
const wallet = (changes: object, id = bought) =>
  service.put(`/transactions/v1/${id}/wallet`, {
    network: 'Polygon',
    wallet_address: WALLETS.Polygon!(5),
    ...changes,
  });
const ownAddress = (await service.get(`/transactions/v1/${sold}`)).body.transaction.deposit.address;
const NONE = `txn_${'0'.repeat(26)}`;
const raw = (to: string, text: string) =>
  send(service, 'POST', to, { headers: { 'content-type': 'application/json' }, body: Buffer.from(text) });

/** Creates a quote for 15,000 naira as the route does. A quote that is valid for a millisecond has already expired. */
async function quoteFor(name: string, validForMs = 600_000): Promise<string> {
  const side = name === 'initiateBuy' ? 'buy' : 'sell';
  const facts = { amountMinor: 1_500_000n, businessId: business.businessId, keyId: null, validForMs };
  const outcome = await service.foundation.quotes.add(newQuote({ side, ...facts }), WIDE);
  assert.ok(outcome.kind === 'created');
  if (validForMs === 1) await service.foundation.database.query({ text: 'select pg_sleep(0.005)' });
  return outcome.quote.id;
}

const forSubmissions = (name: string, submit: typeof buy): [string, Make][] => [
  [`${name} business_mismatch`, () => submit({ link_tag: 'other' })],
  [`${name} test_mode_only`, () => submit({}, { ...live, headers: { 'svc-scenario': 'paid' } })],
  [`${name} scenario_unknown`, () => submit({}, { headers: { 'svc-scenario': 'rain' } })],
  [`${name} required`, () => submit({ account_number: undefined })],
  [`${name} amount_not_a_number`, () => submit({ amount: '15000' })],
  [`${name} amount_below_minimum`, () => submit({ amount: 100 })],
  [`${name} amount_above_maximum`, () => submit({ amount: 1_000_000_001 })],
  [`${name} amount_too_precise`, () => submit({ amount: 15_000.005 })],
  [`${name} type_invalid`, () => submit({ type: 'buy' })],
  [`${name} account_number_invalid`, () => submit({ account_number: '123' })],
  [`${name} account_name_invalid`, () => submit({ account_name: '\u200b' })],
  [`${name} text_invalid`, () => submit({ bank_name: ' ' })],
  [`${name} too_long`, () => submit({ bank_name: 'x'.repeat(101) })],
  [`${name} network_unknown`, () => submit({ network: 'Mars', wallet_address: 'x' })],
  [
    `${name} network_not_enabled`,
    () => submit({ network: 'Polygon', wallet_address: WALLETS.Polygon!(5) }, live),
  ],
  [`${name} rail_not_enabled`, () => submit({}, live)],
  [`${name} wallet_incomplete`, () => submit({ network: undefined, wallet_address: WALLETS.Polygon!(5) })],
  [`${name} wallet_invalid`, () => submit({ network: 'Solana', wallet_address: 'x' })],
  [
    `${name} wallet_network_mismatch`,
    () => submit({ network: 'Polygon', wallet_address: WALLETS.Stellar!(5) }),
  ],
  [`${name} wallet_forbidden`, () => submit({ network: 'Polygon', wallet_address: ownAddress })],
  [`${name} reference_invalid`, () => submit({ reference: 'a b' })],
  [`${name} quote_unknown`, () => submit({ quote_id: 'quo_none' })],
  [`${name} quote_mismatch`, async () => submit({ quote_id: await quoteFor(name), amount: 16_000 })],
  [`${name} quote_expired`, async () => submit({ quote_id: await quoteFor(name, 1), amount: 15_000 })],
  [
    `${name} quote_used`,
    async () => {
      const quoted = { quote_id: await quoteFor(name), amount: 15_000 };
      await submit(quoted);
      return submit({ ...quoted, account_number: '0987654321' });
    },
  ],
];

const MISTAKES: readonly [string, Make][] = [
  ...forSubmissions('initiateBuy', buy),
  ...forSubmissions('initiateSell', sell),
  ['initiateBuy wrong_type', () => buy({ vendor_number: 9_900_000_011 })],
  ['initiateSell wrong_type', () => sell({ account_number: 123_456_785 })],
  ['initiateBuy amount_malformed', () => raw(ONRAMP, buyText(business, '1.5e4'))],
  [
    'initiateSell amount_malformed',
    () => raw(OFFRAMP, JSON.stringify(sellBody(business)).replace('25000', '2.5e4')),
  ],
  ['initiateBuy vendor_unknown', () => buy({ vendor_number: '0000000000' })],
  ['initiateSell bank_unknown', () => sell({ bank_name: 'Bank of Nowhere' })],
  ['initiateSell bank_not_payable', () => sell({ bank_name: 'CBN' })],
  [
    'initiateBuy reference_reused',
    () => buy({ reference: 'order-1001' }).then(() => buy({ reference: 'order-1001', amount: 20_000 })),
  ],
  [
    'initiateSell reference_reused',
    () => sell({ reference: 'cash-out-77' }).then(() => sell({ reference: 'cash-out-77', amount: 20_000 })),
  ],
  ['getTransaction transaction_not_found', () => service.get(`/transactions/v1/${NONE}`)],
  ['getTimeline transaction_not_found', () => service.get(`/transactions/v1/${NONE}/timeline`)],
  ['listTransactions filter_invalid', () => service.get('/transactions/v1?limit=0')],
  ['listTransactions cursor_invalid', () => service.get('/transactions/v1?cursor=x')],
  ['listTransactions reference_invalid', () => service.get('/transactions/v1?reference=a%20b')],
  ['listBanks filter_invalid', () => service.get('/banks/v1?name=Access')],
  ...bankAccountMistakes(service),
  ['setWallet required', () => wallet({ network: undefined })],
  ['setWallet wrong_type', () => wallet({ wallet_address: 5 })],
  ['setWallet transaction_not_found', () => wallet({}, NONE)],
  ['setWallet wallet_already_set', () => wallet({}, walleted)],
  ['setWallet state_conflict', () => wallet({}, cancelled)],
  ['setWallet network_unknown', () => wallet({ network: 'Mars' })],
  ['setWallet wallet_invalid', () => wallet({ network: 'Solana', wallet_address: 'x' })],
  ['setWallet wallet_network_mismatch', () => wallet({ wallet_address: WALLETS.Stellar!(5) })],
  ['setWallet wallet_forbidden', () => wallet({ wallet_address: ownAddress })],
  ['cancelTransaction transaction_not_found', () => service.post(`/transactions/v1/${NONE}/cancel`, {})],
  ['cancelTransaction invalid_json', () => raw(`/transactions/v1/${walleted}/cancel`, '{')],
  ['getUsdcRates rates_unavailable', () => service.get('/rates/v1/usdc-ngnc', live)],
  ['getOtcBuyRates rates_unavailable', () => service.get(`${service.otcBaseUrl}/otc/buy`, live)],
  ['getRateHistory filter_invalid', () => service.get('/rates/v1/history?product=otc&currency=USD')],
  ['sandboxBankCredit required', () => credit({ vendor_number: undefined })],
  ['sandboxBankCredit wrong_type', () => credit({ vendor_number: 9_900_000_011 })],
  ['sandboxBankCredit amount_not_a_number', () => credit({ amount: '15000' })],
  ['sandboxBankCredit test_mode_only', () => credit({}, live)],
  ['sandboxBankCredit amount_below_minimum', () => credit({ amount: 0 })],
  ['sandboxBankCredit vendor_unknown', () => credit({ vendor_number: '0000000000' })],
  ['sandboxReverseBankCredit test_mode_only', () => service.post(`${CREDITS}/crd_x/reverse`, {}, live)],
  ['sandboxReverseBankCredit credit_not_found', () => service.post(`${CREDITS}/crd_x/reverse`, {})],
  ['sandboxDeposit required', () => deposit({ transaction_id: undefined })],
  ['sandboxDeposit wrong_type', () => deposit({ transaction_id: 5 })],
  ['sandboxDeposit amount_not_a_number', () => deposit({ amount: '15000' })],
  ['sandboxDeposit test_mode_only', () => deposit({}, live)],
  ['sandboxDeposit transaction_not_found', () => deposit({ transaction_id: NONE })],
  ['sandboxDeposit state_conflict', () => deposit({ transaction_id: bought })],
  ['sandboxDeposit amount_below_minimum', () => deposit({ amount: 0 })],
  ['sandboxDeposit network_unknown', () => deposit({ network: 'Mars' })],
  ['sandboxBankCredit amount_above_maximum', () => credit({ amount: 1e15 })],
  ['sandboxBankCredit amount_too_precise', () => credit({ amount: 1.005 })],
  ['sandboxBankCredit account_number_invalid', () => credit({ payer_account_number: '123' })],
  ['sandboxBankCredit text_invalid', () => credit({ payer_bank_name: ' ' })],
  ['sandboxBankCredit too_long', () => credit({ payer_bank_name: 'x'.repeat(101) })],
  [
    'sandboxBankCredit amount_malformed',
    () =>
      raw(
        CREDITS,
        JSON.stringify({
          vendor_number: '9900000011',
          amount: 1,
          payer_account_number: '0123456785',
          payer_bank_name: 'GTBank',
        }).replace(':1,', ':1e2,'),
      ),
  ],
  ['sandboxDeposit amount_above_maximum', () => deposit({ amount: 1e15 })],
  ['sandboxDeposit amount_too_precise', () => deposit({ amount: 1.005 })],
  ['sandboxDeposit amount_malformed', () => raw(DEPOSITS, `{"transaction_id":"${sold}","amount":1e2}`)],
  ['cancelTransaction state_conflict', () => service.post(`/transactions/v1/${completed}/cancel`, {})],
  ['getRequest request_not_found', () => service.get('/requests/v1/req_none')],
];

testMistakes(examples, MISTAKES);

const COMMON: Readonly<Record<(typeof COMMON_CODES)[number], Make>> = {
  invalid_json: () => raw(ONRAMP, `{"note":"${'x'.repeat(349)}",}`),
  invalid_body: () => raw(ONRAMP, '[]'),
  body_too_large: () => raw(ONRAMP, ' '.repeat(65_537)),
  unsupported_media_type: () => send(service, 'POST', ONRAMP, { body: Buffer.from('{}') }),
  unauthorized: () => buy({}, { key: null }),
  key_scope: async () => {
    const reading = { name: '', scope: 'read' } as const;
    const key = (await issueKey(service.foundation, business.businessId, 'test', reading))!.secretKey;
    return buy({}, { key });
  },
  idempotency_key_invalid: () => buy({}, { headers: { 'idempotency-key': 'a b' } }),
  idempotency_key_reused: async () => {
    const headers = { 'idempotency-key': 'used' };
    await buy({ reference: 'first-of-key' }, { headers });
    return buy({ reference: 'second-of-key' }, { headers });
  },
  malformed_request: async () => {
    const text = 'GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n';
    return parseRawAnswer(await rawExchange(service.baseUrl, text)) as Answer;
  },
  rate_limited: async () => {
    const slow = await startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' });
    // The test sends many requests at once. A slow machine needs seconds for them, and each second allows one more.
    const asked = Array.from({ length: 60 }, () => slow.get('/transactions/v1/vendors'));
    return (await Promise.all(asked)).find(({ status }) => status === 429)!;
  },
  too_many_failures: async () => {
    const wrong = { key: `sk_test_${'A'.repeat(43)}` };
    const strict = await startTestService({ AUTH_FAILURES_PER_MINUTE: '1' });
    await strict.get('/transactions/v1/vendors', wrong);
    return strict.get('/transactions/v1/vendors', wrong);
  },
};

for (const [code, make] of Object.entries(COMMON)) {
  test(`the example of ${code} equals the response of the service`, async () => {
    const { body } = await make();
    const routes = [...examples].filter(([name]) => name.endsWith(` ${code}`) && !MADE.has(name));
    assert.ok(routes.length > 0);
    for (const [name, { value }] of routes) {
      assert.deepEqual([body.code, body.message, body.errors], [code, value.message, value.errors], name);
    }
  });
}

const MADE = new Set(MISTAKES.map(([name]) => name));

test('the examples that no request in this test causes have the text of the source', () => {
  assertInSource(examples, IN_SOURCE);
  for (const [name, { value }] of examples) {
    if (value.code !== 'unavailable' && value.code !== 'internal_error') continue;
    assert.ok(sourceOf('http/app.ts').includes(value.message), name);
  }
});

test('every example is covered, except those of events, webhooks and quotes, which have their own files', () => {
  const own = new Map(
    [...examples].filter(([, example]) => !isAboutEvents(example) && !isAboutQuotes(example)),
  );
  assertNoneLeft(own, [...MADE, ...IN_SOURCE.map(([name]) => name)]);
});
