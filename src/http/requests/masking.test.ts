// Tests for threat 66: a stored request contains no secret, wherever and however the client wrote it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskJson, maskKeysAndAccounts, maskUrl } from './masking.ts';

const SECRETS = ['sk_live_AbC123', 'sk_test_9fZ', 'whsec_aGVsbG8+/w==', 'whsk_aGVsbG8='];

test('threat 66: keys and secrets are masked anywhere in a text, and the prefix that shows their kind stays', () => {
  for (const secret of SECRETS) {
    const kind = /^(sk_live|sk_test|whsec|whsk)/.exec(secret)![0];
    assert.equal(maskKeysAndAccounts(secret), `${kind}_…`);
    assert.equal(maskKeysAndAccounts(`before ${secret}, after`), `before ${kind}_…, after`);
  }
  assert.equal(maskKeysAndAccounts('/x/sk%5Flive%5fAbC123'), '/x/sk_live_…');
  assert.equal(maskKeysAndAccounts('task_list and whsecx'), 'task_list and whsecx');
});

test('threat 66: a body keeps its structure; secrets in values, in names and in fields with a secret name are masked', () => {
  const body = {
    amount: 15000.5,
    account_number: '0123456785',
    reference: 'order-1001',
    deep: [{ note: 'my key is sk_live_AbC123' }],
    password: 'hunter2',
    client_secret: { inner: 'x' },
    access_token: ['y'],
    Authorization: 'Bearer z',
    api_key: 12,
    apiKey: 'w',
    'svc-sec-key': 'plain',
    key: null,
    monkey: 'stays',
    key_id: 'key_01',
  };
  assert.deepEqual(JSON.parse(maskJson(body)), {
    ...body,
    deep: [{ note: 'my key is sk_live_…' }],
    password: '[redacted]',
    client_secret: '[redacted]',
    access_token: '[redacted]',
    Authorization: '[redacted]',
    api_key: '[redacted]',
    apiKey: '[redacted]',
    'svc-sec-key': '[redacted]',
  });
  assert.equal(maskJson({ [SECRETS[0]!]: 1 }), '{"sk_live_…":1}');
});

test('a body without a possible secret is stored unchanged', () => {
  const body = { type: 'buy_ramp', amount: 15000, account_name: 'Adaeze Okafor', list: [1, null, true] };
  assert.equal(maskJson(body), JSON.stringify(body));
  assert.equal(maskJson('text'), '"text"');
});

test('threat 66: no body or query is stored with a secret', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(...SECRETS),
  );
  const text = fc
    .tuple(fc.string(), fc.constantFrom(...SECRETS), fc.string())
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(fc.object({ values: [leaf, text] }), text, (body, value) => {
      const kept = `${maskJson(body)} ${maskUrl(`/x?q=${encodeURIComponent(value)}&${encodeURIComponent(value)}=1`)}`;
      assert.doesNotMatch(kept, /sk_(live|test)_\w|whse?[ck]_[\w+/]/);
    }),
  );
});

test('a logged query stays readable and unambiguous', () => {
  for (const [url, expected] of [
    ['/transactions/v1', '/transactions/v1'],
    ['/transactions/v1?limit=0&state=paid', '/transactions/v1?limit=0&state=paid'],
    ['/t?created_from=2026-11-14T09:30:00Z', '/t?created_from=2026-11-14T09:30:00Z'],
    ['/t?q=a%26b%3Dc+d', '/t?q=a%26b%3Dc%20d'],
    ['/t?key=anything&api_key=other', '/t?key=[redacted]&api_key=[redacted]'],
    ['/t?svc-sec-key=sk_live_x', '/t?svc-sec-key=[redacted]'],
    ['/t?q=sk_live_x', '/t?q=sk_live_…'],
    ['/t?q=%73k_live_x', '/t?q=sk_live_…'],
    ['/t?sk_live_x', '/t?sk_live_…='],
    ['/t?q=%00%ff', '/t?q=%00\ufffd'],
  ] as const) {
    assert.equal(maskUrl(url), expected, url);
  }
});
