// Tests what a business sees of its money through a session: figures, the search, the spreadsheet export, and the details of
// one transaction, without any operator data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilReadable } from '../../support/horizon.ts';
import { until } from '../../support/patience.ts';
import { buyBody, sellBody, startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { businessId } = service.business;
const AT = `/console/v1/businesses/${businessId}`;
const owner = await addConsolePerson(service, { business: businessId, role: 'owner' });
const browser = await signedIn(service, owner);

async function bought(fields: object = {}): Promise<string> {
  const answer = await service.post('/transactions/v1/onramp', { ...buyBody(service.business), ...fields });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transaction.transaction_id;
}

async function completed(id: string): Promise<void> {
  const paid = await browser.send('POST', `${AT}/transactions/test/${id}/pay`, { body: {} });
  assert.equal(paid.status, 200, paid.text);
  await until('it happened', async () => {
    const { body } = await browser.send('GET', `${AT}/transactions/test/${id}`);
    return body.transaction.state === 'completed';
  });
}

test('threat 79: the export has every transaction that matches the filters, and no cell that a spreadsheet would execute', async () => {
  const names = ['=HYPERLINK("http://evil")', '+1', '-1+2', '@SUM(A1)', 'Ada, "the" Okafor'];
  for (const account_name of names) await bought({ account_name });
  for (let more = 0; more < 110; more++) await bought();
  const answer = await browser.send('GET', `${AT}/transactions/test/export?type=Buy`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(
    answer.headers.get('content-disposition')!,
    /^attachment; filename="transactions-test-[-0-9]+\.csv"$/,
  );
  const lines = answer.text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
  assert.equal(lines.length, 1 + names.length + 110);
  assert.match(lines[0]!, /^transaction_id,type,reference,amount,/);
  for (const name of names.slice(0, 4))
    assert.ok(answer.text.includes(`'${name.replaceAll('"', '""')}`), name);
  assert.ok(answer.text.includes('"Ada, ""the"" Okafor"'));
  for (const cell of lines.flatMap((line) => line.split(','))) assert.doesNotMatch(cell, /^"?[=+@\t\r-]/);
  const none = await browser.send('GET', `${AT}/transactions/test/export?type=Sell`);
  assert.equal(none.text.trimEnd().split('\r\n').length, 1);
  const refused = await browser.send('GET', `${AT}/transactions/test/export?state=done`);
  assert.deepEqual([refused.status, refused.body.code], [422, 'filter_invalid']);
  assert.equal((await browser.send('GET', `${AT}/transactions/test/export?limit=1`)).status, 422);
});

test('a search finds transactions by account number and amount, and filters narrow it', async () => {
  const id = await bought({ account_number: '0690000031', amount: 23_456.78 });
  for (const query of ['search=0690000031', 'search=23456.78', 'amount=23456.78', `search=${id}`]) {
    const { body } = await browser.send('GET', `${AT}/transactions/test?${query}`);
    assert.deepEqual(
      body.transactions.map((each: { transaction_id: string }) => each.transaction_id),
      [id],
      query,
    );
  }
  const live = await browser.send('GET', `${AT}/transactions/live?search=${id}`);
  assert.deepEqual(live.body.transactions, []);
});

test('the money of a transaction adds up, and no data of the operator is shown', async () => {
  const id = await bought({ amount: 20_000 });
  await completed(id);
  const { body, status, text } = await browser.send('GET', `${AT}/transactions/test/${id}/money`);
  assert.equal(status, 200, text);
  assert.deepEqual(
    [body.money.amount, body.money.received_amount, body.money.missing_amount],
    ['20000.00', '20000.00', '0.00'],
  );
  const events = body.entries.map((each: { event: string }) => each.event);
  for (const event of ['credit_received', 'credit_matched', 'tokens_confirmed'])
    assert.ok(events.includes(event), event);
  for (const hidden of ['network_fee_paid', 'tokens_reserved']) assert.ok(!events.includes(hidden), hidden);
  assert.doesNotMatch(text, /capital|network_costs|balance|per_|bank_in/);
  const arrived = body.entries.find((each: { event: string }) => each.event === 'tokens_confirmed');
  const tokens = arrived.postings.find((each: { asset: string }) => each.asset !== 'NGN');
  assert.match(tokens.amount, /^\d+\.\d{6,}$/);
  assert.equal(tokens.network, 'Polygon');
});

test('bank charges for a payout are shown as paid by the operator, and are not part of the fee', async () => {
  const made = await service.post('/transactions/v1/offramp', sellBody(service.business));
  assert.equal(made.status, 200, made.text);
  const id: string = made.body.transaction.transaction_id;
  const sent = await service.post('/sandbox/v1/deposits', { transaction_id: id, network: 'Polygon' });
  assert.equal(sent.status, 200, sent.text);
  await until('it was paid out', async () => {
    const { body } = await browser.send('GET', `${AT}/transactions/test/${id}`);
    return body.transaction.state === 'completed';
  });
  const { body, text } = await browser.send('GET', `${AT}/transactions/test/${id}/money`);
  const { amount, fee, net_amount: net, bank_charges: charges } = body.money;
  assert.ok(Number(charges) > 0, text);
  assert.equal(Number(net), Number(amount) - Number(fee));
  const entry = body.entries.find((each: { event: string }) => each.event === 'bank_charged');
  assert.match(entry.message, /The operator paid it/);
});

test('the events of a transaction are the same as in the API, newest first; its deliveries are those to the business’s own endpoints', async () => {
  const made = await service.post('/webhooks/v1/endpoints', { url: 'https://hooks.example.com/sliproad' });
  const id = await bought();
  await untilReadable(service.foundation.database);
  const answer = await browser.send('GET', `${AT}/transactions/test/${id}/events`);
  const api = await service.get(`/events/v1?transaction_id=${id}&order=desc`);
  assert.deepEqual(answer.body.events, api.body.events);
  assert.equal(made.status, 200, made.text);
  await until('it happened', async () => {
    const { body } = await browser.send('GET', `${AT}/transactions/test/${id}/deliveries`);
    return body.deliveries.length > 0 && body.deliveries[0].url === 'https://hooks.example.com/sliproad';
  });
});

test('the overview counts the transactions created today (Lagos time) and those that wait', async () => {
  const before = (await browser.send('GET', `${AT}/overview/test`)).body;
  await completed(await bought({ amount: 30_000 }));
  await bought({ network: undefined, wallet_address: undefined });
  const { body, status, text } = await browser.send('GET', `${AT}/overview/test`);
  assert.equal(status, 200, text);
  assert.deepEqual([body.days.length, body.durations.length], [30, 30]);
  assert.deepEqual(body.days.at(-1), body.today);
  assert.equal(body.today.buys, before.today.buys + 2);
  assert.equal(body.today.completed, before.today.completed + 1);
  assert.equal(kobo(body.today.buy_volume), kobo(before.today.buy_volume) + 3_000_000n);
  assert.equal(body.waiting.awaiting_wallet, before.waiting.awaiting_wallet + 1);
  assert.ok(body.today_median_seconds >= 0);
  assert.equal((await browser.send('GET', `${AT}/overview/live`)).body.today.buys, 0);
  assert.equal((await browser.send('GET', `${AT}/overview/both`)).status, 404);
});

function kobo(naira: string): bigint {
  assert.match(naira, /^\d+\.\d\d$/);
  return BigInt(naira.replace('.', ''));
}

test('the first-buy page uses a vendor of the mode, and has examples only in test mode', async () => {
  const { body } = await browser.send('GET', `${AT}/first-buy/test`);
  const api = await service.get('/transactions/v1/vendors');
  assert.equal(body.vendors[0].vendor_number, api.body.VendorList[0].vendorNumber);
  const { wallets, network, ...account } = body.example;
  const made = await bought({ ...account, network, wallet_address: wallets[network] });
  assert.match(made, /^txn_/);
  const live = await browser.send('GET', `${AT}/first-buy/live`);
  assert.deepEqual([live.status, live.body.example], [200, null]);
});
