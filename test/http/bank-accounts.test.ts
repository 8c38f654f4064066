// Tests GET /banks/v1/{code}/accounts/{number}, which tells who owns an account. The service records and limits every lookup,
// and no input causes an internal error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startTestService } from '../support/service.ts';
import { assertRefused } from './helpers.ts';

const service = await startTestService({ ACCOUNT_QUESTIONS_PER_MINUTE: '600' });
const { business, foundation } = service;
const ask = (code: string, number: string, options = {}) =>
  service.get(`/banks/v1/${code}/accounts/${number}`, options);

interface Asked {
  readonly actor: string;
  readonly businessId: string | null;
  readonly detail: { readonly bank_code: string; readonly account_number: string; readonly mode: string };
}
const recorded = async (): Promise<Asked[]> =>
  (await foundation.audit.list({ action: 'account.asked', limit: 100 })).map(
    ({ actor, businessId, detail }) => ({ actor, businessId, detail: JSON.parse(detail) }),
  );

test('an account is found by any name of its bank, and the response is not cacheable', async () => {
  const beganAtMs = foundation.clock.now();
  for (const code of ['guaranty-trust-bank', 'gtbank', 'GTBank', '058']) {
    const answer = await ask(code, '0123456785');
    assert.equal(answer.status, 200, answer.text);
    const { checked_at, ...account } = answer.body.account;
    assert.deepEqual(account, {
      bank_code: 'guaranty-trust-bank',
      bank_name: 'Guaranty Trust Bank',
      account_number: '0123456785',
      account_name: 'SANDBOX ACCOUNT HOLDER',
    });
    const checkedAtMs = Date.parse(checked_at);
    assert.ok(checkedAtMs > beganAtMs - 2_000 && checkedAtMs < foundation.clock.now() + 2_000, checked_at);
    assert.deepEqual(Object.keys(answer.body), ['status', 'message', 'account']);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
});

test('a repeated enquiry is answered from memory, and the bank is queried once', async () => {
  const first = await ask('gtbank', '0222222222');
  const second = await ask('058', '0222222222');
  assert.equal(second.body.account.checked_at, first.body.account.checked_at);
});

test('every invalid input gets a clear 4xx, and the bank is not queried', async () => {
  const before = (await recorded()).length;
  assertRefused(await ask('nowhere', '0123456785'), 422, 'bank_unknown', ['code: bank_unknown']);
  assertRefused(await ask('nowhere', 'x'), 422, 'bank_unknown', [
    'code: bank_unknown',
    'number: account_number_invalid',
  ]);
  for (const number of ['123', '01234567855', '012345678x', '-123456785', "'", '0123456785.0'])
    assertRefused(await ask('gtbank', number), 422, 'account_number_invalid', [
      'number: account_number_invalid',
    ]);
  for (const number of ['%20', '%00123456785', '%D9%A0123456785', '%ff', '', '../../health', '%2e%2e'])
    assert.match(String((await ask('gtbank', number)).status), /^4\d\d$/, number);
  for (const code of ['%ff', '', '%00', '__proto__', 'constructor'])
    assert.match(String((await ask(code, '0123456785')).status), /^4\d\d$/, code);
  assert.match(String((await ask('x'.repeat(5_000), '0'.repeat(5_000))).status), /^4\d\d$/);
  assertRefused(await ask('gtbank', '0123456785', { key: null }), 401, 'unauthorized', []);
  assert.equal((await recorded()).length, before);
});

test('an unknown account gets 404; live mode without a rail reports that no rail is set up', async () => {
  assertRefused(await ask('gtbank', '0000000000'), 404, 'account_not_found', []);
  assertRefused(await ask('gtbank', '0123456785', { key: business.liveKey }), 422, 'rail_not_enabled', []);
});

test('the audit log records who requested which account, even if the result came from memory; logs contain only the last digits', async () => {
  await ask('gtbank', '0333333331');
  await ask('gtbank', '0333333331');
  const about = (await recorded()).filter(({ detail }) => detail.account_number === '0333333331');
  assert.equal(about.length, 2);
  assert.match(about[0]!.actor, /^key_/);
  assert.equal(about[0]!.businessId, business.businessId);
  assert.deepEqual([about[0]!.detail.bank_code, about[0]!.detail.mode], ['guaranty-trust-bank', 'test']);
  const refused = await ask('gtbank', '03333333315');
  const { body } = await service.get(`/requests/v1/${refused.headers.get('request-id')}`);
  assert.equal(body.request.path, '/banks/v1/gtbank/accounts/…3315');
  assert.doesNotMatch(service.logged(), /0333333331/);
});

test('account enquiries per minute are limited for each business, over all its keys and processes', async () => {
  const strict = { ACCOUNT_QUESTIONS_PER_MINUTE: '6' };
  const one = await startTestService(strict, service.databaseUrl, business);
  const two = await startTestService(strict, service.databaseUrl, business);
  const path = (number: string) => `/banks/v1/gtbank/accounts/${number}`;
  const askThrice = async (tries = 0): Promise<Answer> => {
    const { testKey: key } = await service.addBusiness(`curious-${tries}`);
    const beganAtMs = foundation.clock.now();
    assert.equal((await one.get(path('0123456785'), { key })).status, 200);
    assert.equal((await two.get(path('0123456785'), { key })).status, 200);
    const third = await one.get(path('0123456785'), { key });
    // If the machine was slow for ten seconds, the limit allows one more lookup.
    const isEarned = third.status === 200 && foundation.clock.now() - beganAtMs >= 10_000;
    return isEarned ? askThrice(tries + 1) : third;
  };
  const over = await askThrice();
  assertRefused(over, 429, 'rate_limited', []);
  const wait = Number(over.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 10, `${wait}`);
  const other = await service.addBusiness('guesser');
  assertRefused(await one.get(path('0000000000'), { key: other.testKey }), 404, 'account_not_found', []);
  const guessed = await two.get(path('0000000000'), { key: other.testKey });
  assertRefused(guessed, 429, 'rate_limited', []);
  assert.ok(Number(guessed.headers.get('retry-after')) > 30, 'a guess costs several turns');
});
