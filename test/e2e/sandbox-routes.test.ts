// Tests the sandbox routes and the scenario header: which requests they refuse, and for whom.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, ONRAMP } from '../http/helpers.ts';
import { until } from '../support/patience.ts';
import { buyBody, startTestService } from '../support/service.ts';
import { buy, CREDITS, creditBody, DEPOSITS, FAST, newCustomer, pay, rows, sell, WALLET } from './calls.ts';
import { settled } from './settled.ts';

const service = await startTestService(FAST);
const other = await service.addBusiness('stranger');
const live = { key: service.business.liveKey };
const claim = {
  ...newCustomer(),
  link_account_number: '9900000011',
  bank_name: 'GTBank',
  account_name: 'Adaeze Okafor',
};
const credit = (changes: Record<string, unknown> = {}) => creditBody(claim, changes);

const countOf = async (table: string) =>
  (await rows<{ n: number }>(service, `select count(*)::int as n from ${table}`))[0]!.n;

test('a payment that violates a rule is refused with the common error body and does not arrive', async () => {
  const before = await countOf('simulated_statement');
  for (const [changes, status, code, field] of [
    [{ amount: 0 }, 422, 'amount_below_minimum', 'amount'],
    [{ amount: 0.001 }, 422, 'amount_below_minimum', 'amount'],
    [{ amount: 100.001 }, 422, 'amount_too_precise', 'amount'],
    [{ amount: 1e16 }, 422, 'amount_above_maximum', 'amount'],
    [{ amount: '15000' }, 400, 'amount_not_a_number', 'amount'],
    [{ amount: undefined }, 400, 'required', 'amount'],
    [{ vendor_number: '9900009999' }, 422, 'vendor_unknown', 'vendor_number'],
    [{ vendor_number: 9_900_000_011 }, 400, 'wrong_type', 'vendor_number'],
    [{ payer_account_number: '012345678' }, 422, 'account_number_invalid', 'payer_account_number'],
    [{ payer_account_number: '01234567890' }, 422, 'account_number_invalid', 'payer_account_number'],
    [{ payer_account_number: '01234-6785' }, 422, 'account_number_invalid', 'payer_account_number'],
    [{ payer_bank_name: '' }, 422, 'text_invalid', 'payer_bank_name'],
    [{ payer_name: 'x'.repeat(141) }, 422, 'too_long', 'payer_name'],
    [{ narration: 'a\u0000b' }, 422, 'text_invalid', 'narration'],
    [{ session_id: 's'.repeat(65) }, 422, 'too_long', 'session_id'],
  ] as const) {
    assertRefused(await service.post(CREDITS, credit(changes)), status, code, [`${field}: ${code}`]);
  }
  assertRefused(await service.post(CREDITS, '{"amount":'), 400, 'invalid_json');
  assertRefused(await service.post(CREDITS, '[]'), 400, 'invalid_body');
  assertRefused(await service.get(CREDITS), 405, 'method_not_allowed');
  assertRefused(await service.post(CREDITS, credit(), { key: null }), 401, 'unauthorized');
  assertRefused(
    await service.post(CREDITS, credit(), { headers: { 'content-type': 'text/plain' } }),
    415,
    'unsupported_media_type',
  );
  assertRefused(
    await service.post(CREDITS, credit(), { headers: { 'idempotency-key': 'a b' } }),
    422,
    'idempotency_key_invalid',
  );
  assert.equal(await countOf('simulated_statement'), before);
});

test('threat 26: a live key cannot use the sandbox or scenarios', async () => {
  const { transaction_id: id } = await sell(service);
  assertRefused(await service.post(CREDITS, credit(), live), 403, 'test_mode_only');
  assertRefused(await service.post(`${CREDITS}/crd_x/reverse`, {}, live), 403, 'test_mode_only');
  assertRefused(await service.post(DEPOSITS, { transaction_id: id }, live), 403, 'test_mode_only');
  const withScenario = { ...live, headers: { 'svc-scenario': 'paid' } };
  assertRefused(await service.post(ONRAMP, buyBody(service.business), withScenario), 403, 'test_mode_only');
});

test('an unknown scenario is refused, and nothing is stored', async () => {
  const before = await countOf('transactions');
  for (const scenario of ['unheard_of', 'PAID', 'paid,late', '__proto__']) {
    const options = { headers: { 'svc-scenario': scenario } };
    assertRefused(await service.post(ONRAMP, buyBody(service.business), options), 422, 'scenario_unknown');
  }
  assert.equal(await countOf('transactions'), before);
});

test('Idempotency-Key: a repeated request is the same payment, another body is a conflict, and a key of another business is independent', async () => {
  const headers = { 'idempotency-key': 'pay-1' };
  const body = credit(newCustomer());
  const first = await service.post(CREDITS, body, { headers });
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [200, null]);
  const again = await service.post(CREDITS, body, { headers });
  assert.deepEqual(
    [again.body.bank_credit, again.headers.get('idempotent-replayed')],
    [first.body.bank_credit, 'true'],
  );
  assertRefused(
    await service.post(CREDITS, { ...body, amount: 1 }, { headers }),
    409,
    'idempotency_key_reused',
  );
  assertRefused(
    await service.post(CREDITS, { ...body, narration: 'else' }, { headers }),
    409,
    'idempotency_key_reused',
  );
  const theirs = await service.post(CREDITS, body, { headers, key: other.testKey });
  assert.notEqual(theirs.body.bank_credit.id, first.body.bank_credit.id);
  const reported = await rows(
    service,
    `select from simulated_statement where source_id like $1`,
    `%${first.body.bank_credit.id}`,
  );
  assert.equal(reported.length, 1);
});

test('a repeated request with its fields in another order is the same payment', async () => {
  const headers = { 'idempotency-key': 'pay-4' };
  const body = credit(newCustomer());
  const first = await service.post(CREDITS, body, { headers });
  const turned = Object.fromEntries([...Object.entries(body).reverse(), ['extra', 1]]);
  const again = await service.post(CREDITS, turned, { headers });
  assert.deepEqual(again.body.bank_credit, first.body.bank_credit);
});

test('threat 27: twenty simultaneous requests with one key create one payment', async () => {
  const headers = { 'idempotency-key': 'pay-2' };
  const body = credit(newCustomer());
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.post(CREDITS, body, { headers })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(answers.map((answer) => answer.body.bank_credit.id)).size, 1);
});

test('a refused payment does not use up the key', async () => {
  const headers = { 'idempotency-key': 'pay-3' };
  assertRefused(await service.post(CREDITS, credit({ amount: 0 }), { headers }), 422, 'amount_below_minimum');
  assert.equal((await service.post(CREDITS, credit(newCustomer()), { headers })).status, 200);
});

test('threat 68: a payment of another business cannot be reversed; a malformed id gets 404', async () => {
  const order = await buy(service, newCustomer());
  const id = await pay(service, order);
  assertRefused(
    await service.post(`${CREDITS}/${id}/reverse`, {}, { key: other.testKey }),
    404,
    'credit_not_found',
  );
  for (const wrong of ['crd_00000000000000000000000000', 'nonsense', `${id}x`]) {
    assertRefused(await service.post(`${CREDITS}/${wrong}/reverse`, {}), 404, 'credit_not_found');
  }
  assertRefused(await service.post(`${CREDITS}/..%2f../reverse`, {}), 404, 'not_found');
  await settled(service, order.transaction_id, { states: ['completed'] });
  for (let i = 0; i < 2; i++) {
    const { status, body } = await service.post(`${CREDITS}/${id}/reverse`, {});
    assert.deepEqual([status, body.bank_credit], [200, { id }], 'twice is once');
  }
  await settled(service, order.transaction_id, {
    states: ['completed'],
    until: ({ exception }) => exception === 'credit_reversed',
  });
  assert.equal(
    (await rows(service, 'select from cases where transaction_id = $1', order.transaction_id)).length,
    1,
  );
});

test('tokens for anything other than a sell of this business are refused with the common error body', async () => {
  const order = await sell(service);
  const bought = await buy(service, newCustomer());
  const stored = await countOf('simulated_arrivals');
  for (const [body, status, code] of [
    [{ transaction_id: bought.transaction_id }, 409, 'state_conflict'],
    [{ transaction_id: 'txn_00000000000000000000000000' }, 404, 'transaction_not_found'],
    [{ transaction_id: 'nonsense' }, 404, 'transaction_not_found'],
    [{ transaction_id: order.transaction_id, amount: 0 }, 422, 'amount_below_minimum'],
    [{ transaction_id: order.transaction_id, amount: 1.234 }, 422, 'amount_too_precise'],
    [{ transaction_id: order.transaction_id, amount: '5' }, 400, 'amount_not_a_number'],
    [{ transaction_id: order.transaction_id, network: 'Bitcoin' }, 422, 'network_unknown'],
    [{ transaction_id: order.transaction_id, network: 5 }, 400, 'wrong_type'],
    [{}, 400, 'required'],
  ] as const) {
    assertRefused(await service.post(DEPOSITS, body), status, code);
  }
  const theirs = await service.post(
    DEPOSITS,
    { transaction_id: order.transaction_id },
    { key: other.testKey },
  );
  assertRefused(theirs, 404, 'transaction_not_found');
  assert.equal(await countOf('simulated_arrivals'), stored);
});

test('Idempotency-Key: a repeated request sends the tokens once, another request is a conflict, and without a key more tokens are sent', async () => {
  const headers = { 'idempotency-key': 'tokens-1' };
  const { transaction_id } = await sell(service);
  const body = { transaction_id, amount: 100 };
  const first = await service.post(DEPOSITS, body, { headers });
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [200, null]);
  const again = await service.post(
    DEPOSITS,
    '{"amount":100.00,"transaction_id":"TXN"}'.replace('TXN', transaction_id),
    { headers },
  );
  assert.deepEqual(
    [again.body.deposit, again.headers.get('idempotent-replayed')],
    [first.body.deposit, 'true'],
  );
  for (const other of [{ transaction_id }, { ...body, amount: 99 }, { ...body, network: 'Solana' }])
    assertRefused(await service.post(DEPOSITS, other, { headers }), 409, 'idempotency_key_reused');
  assertRefused(await service.post(CREDITS, credit(), { headers }), 409, 'idempotency_key_reused');
  const invalid = { headers: { 'idempotency-key': 'a b' } };
  assertRefused(await service.post(DEPOSITS, body, invalid), 422, 'idempotency_key_invalid');
  const arrived = () =>
    rows(service, 'select from simulated_arrivals where id like $1', `${transaction_id}/%`);
  assert.equal((await arrived()).length, 1);
  const unlike = await service.post(DEPOSITS, body);
  assert.notEqual(unlike.body.deposit.tx_hash, first.body.deposit.tx_hash);
  assert.equal((await arrived()).length, 2);
});

test('threat 27: twenty simultaneous requests with one key send the tokens once', async () => {
  const headers = { 'idempotency-key': 'tokens-2' };
  const { transaction_id } = await sell(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.post(DEPOSITS, { transaction_id }, { headers })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(answers.map((answer) => answer.body.deposit.tx_hash)).size, 1);
});

test('a repeated token request is still the same request after the sell gets a wallet on another network', async () => {
  const headers = { 'idempotency-key': 'tokens-3' };
  const { transaction_id } = await sell(service, { network: undefined, wallet_address: undefined });
  const text = 'update transaction_states set network = $2, wallet_address = $3 where transaction_id = $1';
  const first = await service.post(DEPOSITS, { transaction_id }, { headers });
  const other = first.body.deposit.network === 'Polygon' ? 'Avalanche' : 'Polygon';
  await service.foundation.database.query({ text, values: [transaction_id, other, WALLET.wallet_address] });
  const again = await service.post(DEPOSITS, { transaction_id }, { headers });
  assert.deepEqual([again.status, again.body.deposit], [200, first.body.deposit]);
});

test('the Idempotency-Key of a payment reversal is validated, stored, and valid only for that reversal', async () => {
  const headers = { 'idempotency-key': 'back-1' };
  const ids = [await pay(service, claim), await pay(service, claim)] as const;
  const reverse = (id: string, key: string) =>
    service.post(`${CREDITS}/${id}/reverse`, {}, { headers: { 'idempotency-key': key } });
  assertRefused(await reverse(ids[0], 'a b'), 422, 'idempotency_key_invalid');
  assertRefused(await reverse('crd_00000000000000000000000000', 'back-1'), 404, 'credit_not_found');
  const first = await reverse(ids[0], 'back-1');
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [200, null]);
  const again = await reverse(ids[0], 'back-1');
  assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [first.body, 'true']);
  assertRefused(await reverse(ids[1], 'back-1'), 409, 'idempotency_key_reused');
  assertRefused(await service.post(CREDITS, credit(), { headers }), 409, 'idempotency_key_reused');
  const noticesAbout = (id: string) =>
    rows(
      service,
      `select from simulated_statement where kind <> 'credit' and line->>'about' like $1`,
      `%${id}`,
    );
  const times = await Promise.all(ids.map(async (id) => (await noticesAbout(id)).length));
  assert.deepEqual(times, [1, 0], 'a refused request takes nothing back');
});

test('threat 54: tokens on a network that the sell does not expect are held in suspense, and the sell continues to wait', async () => {
  const order = await sell(service, WALLET);
  const { body } = await service.post(DEPOSITS, {
    transaction_id: order.transaction_id,
    network: 'avalanche',
    amount: 100,
  });
  assert.deepEqual([body.deposit.network, body.deposit.amount], ['Avalanche', 100]);
  const kept = () =>
    rows(service, 'select state, exception from deposits where tx_hash = $1', body.deposit.tx_hash);
  await until('the deposit is kept', async () => (await kept())[0]?.state === 'suspense');
  assert.deepEqual(await kept(), [{ state: 'suspense', exception: 'unattributed' }]);
  assert.equal(
    (await service.get(`/transactions/v1/${order.transaction_id}`)).body.transaction.state,
    'awaiting_deposit',
  );
});
