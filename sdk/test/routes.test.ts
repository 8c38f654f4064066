// Tests that the SDK and the OpenAPI document agree: the SDK repeats a POST only if its route documents the idempotency key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOpenApiDocument } from '../../src/http/openapi.ts';
import { BUY, clientOf, json, startPlaying } from './support/playing-server.ts';

const server = await startPlaying();
const sliproad = clientOf(server);
const { paths } = (await makeOpenApiDocument({
  baseUrl: server.baseUrl,
  otcBaseUrl: server.baseUrl,
  secretKeyHeader: 'svc-sec-key',
  version: '0.0.0',
})) as { readonly paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>> };

test('every POST has an idempotency key, and its route documents the header', async () => {
  server.play(
    json(200, {
      transaction: {},
      quote: {},
      bank_credit: {},
      deposit: {},
      endpoint: {},
      delivery: {},
      next_cursor: null,
    }),
  );
  const account = { account_name: 'A', account_number: '0123456785', bank_name: 'GTBank' };
  await sliproad.buy(BUY);
  await sliproad.sell({ amount: 1, ...account });
  await sliproad.quotes.create({ side: 'buy', amount: 1 });
  await sliproad.transactions.cancel('txn_1');
  await sliproad.sandbox.bankCredit({
    vendor_number: '1',
    amount: 1,
    payer_account_number: '1',
    payer_bank_name: 'b',
  });
  await sliproad.sandbox.reverse('crd_1');
  await sliproad.sandbox.deposit({ transaction_id: 'txn_1' });
  const { endpoints, deliveries } = sliproad.webhooks;
  await endpoints.create({ url: 'https://shop.example/webhooks' });
  await endpoints.rotate('whe_1');
  await endpoints.test('whe_1');
  await endpoints.redeliver('whe_1', { from: '2026-11-16T00:00:00Z', to: '2026-11-17T00:00:00Z' });
  await endpoints.recover('whe_1', { since: '2026-11-16T00:00:00Z' });
  await deliveries.redeliver('whd_1');
  const called = server.seen.map(({ method, url, headers }) => {
    assert.equal(method, 'POST');
    assert.ok(headers['idempotency-key'], url);
    return url
      .replace('txn_1', '{transaction_id}')
      .replace('crd_1', '{bank_credit_id}')
      .replace('whe_1', '{endpoint_id}')
      .replace('whd_1', '{delivery_id}');
  });
  const documented = Object.entries(paths).filter(([, { post }]) =>
    post?.parameters?.some((each) => each.in === 'header' && each.name === 'idempotency-key'),
  );
  assert.deepEqual(called.toSorted(), documented.map(([route]) => route).toSorted());
});
