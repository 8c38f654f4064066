// The error examples of the OpenAPI document are what the service really answers: each mistake is made, and the answer is
// compared with the example of its code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, buyBody, sellBody, startTestService } from '../support/service.ts';
import { buyText, OFFRAMP, ONRAMP, send } from './helpers.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
type Json = any;

const service = await startTestService();
const { business } = service;
const document: Json = (await service.get('/openapi.json', { key: null })).body;
const examples = new Map<string, Json>(
  Object.values<Json>(document.paths)
    .flatMap((methods) => Object.values<Json>(methods))
    .flatMap((operation) => Object.values<Json>(operation.responses))
    .flatMap((response) => Object.entries<Json>(response.content?.['application/json'].examples ?? {}))
    .map(([code, { value }]) => [code, value]),
);

const buy = (changes: Record<string, unknown>, options = {}) =>
  service.post(ONRAMP, buyBody(business, changes), options);
const sell = (changes: Record<string, unknown>) => service.post(OFFRAMP, sellBody(business, changes));
const text = (body: string) =>
  send(service, 'POST', ONRAMP, {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
  });

const MISTAKES: readonly [string, () => Promise<Answer>][] = [
  ['invalid_json', () => text(`{"note":"${'x'.repeat(349)}",}`)],
  ['invalid_body', () => text('[]')],
  ['body_too_large', () => text(' '.repeat(65_537))],
  ['unsupported_media_type', () => send(service, 'POST', ONRAMP, { body: Buffer.from('{}') })],
  ['unauthorized', () => buy({}, { key: null })],
  ['business_mismatch', () => buy({ link_tag: 'other' })],
  ['required', () => buy({ account_number: undefined })],
  ['wrong_type', () => buy({ vendor_number: 9_900_000_011 })],
  ['amount_not_a_number', () => buy({ amount: '15000' })],
  ['amount_malformed', () => text(buyText(business, '1.5e4'))],
  ['amount_below_minimum', () => buy({ amount: 100 })],
  ['amount_above_maximum', () => buy({ amount: 1_000_000_001 })],
  ['amount_too_precise', () => buy({ amount: 15_000.005 })],
  ['type_invalid', () => buy({ type: 'buy' })],
  ['text_invalid', () => buy({ bank_name: ' ' })],
  ['too_long', () => buy({ bank_name: 'x'.repeat(101) })],
  ['account_number_invalid', () => buy({ account_number: '123' })],
  ['account_name_invalid', () => buy({ account_name: '\u200b' })],
  ['bank_unknown', () => sell({ bank_name: 'Bank of Nowhere' })],
  ['bank_not_payable', () => sell({ bank_name: 'CBN' })],
  ['vendor_unknown', () => buy({ vendor_number: '0000000000' })],
  ['network_unknown', () => buy({ network: 'Mars' })],
  ['rail_not_enabled', () => buy({}, { key: business.liveKey })],
  ['wallet_incomplete', () => buy({ network: undefined })],
  ['reference_invalid', () => buy({ reference: 'a b' })],
  ['idempotency_key_invalid', () => buy({}, { headers: { 'idempotency-key': 'a b' } })],
  ['scenario_unknown', () => buy({}, { headers: { 'svc-scenario': 'rain' } })],
  ['filter_invalid', () => service.get('/transactions/v1?limit=0')],
  ['cursor_invalid', () => service.get('/transactions/v1?cursor=x')],
  ['transaction_not_found', () => service.get(`/transactions/v1/txn_${'0'.repeat(26)}`)],
  ['rates_unavailable', () => service.get('/rates/v1/usdc-ngnc', { key: business.liveKey })],
];

for (const [code, make] of MISTAKES) {
  test(`the example of ${code} is what the service answers`, async () => {
    const { body } = await make();
    const example = examples.get(code);
    assert.deepEqual([body.code, body.message, body.errors[0]], [code, example.message, example.errors[0]]);
  });
}

test('the example of a reused reference differs from the answer in its id alone', async () => {
  const reference = 'order-1001';
  const first = await buy({ reference, amount: 15_000 });
  const { body } = await buy({ reference, amount: 20_000 });
  const { transaction_id: id } = first.body.transaction;
  assert.equal(body.message.replace(id, 'ID'), examples.get(body.code).message.replace(/txn_\w+/, 'ID'));
});

test('the document names the header of the secret key as it is configured', async () => {
  const branded = await startTestService({ SECRET_KEY_HEADER: 'acme-key' });
  const { text: json } = await branded.get('/openapi.json', { key: null });
  assert.match(json, /Send your secret key in the header acme-key\. It is missing, wrong or revoked\./);
  assert.doesNotMatch(json, /svc-sec-key/);
});
