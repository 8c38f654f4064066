// Tests what the operator holds besides the ledger: treasuries, vendor accounts and rates. The test compares each figure with
// separate SQL in this file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBackOffice } from '../../../src/adapters/postgres/back-office/back-office.ts';
import { settled } from '../../e2e/settled.ts';
import { buyBody, startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { database } = service.foundation;
const AT = '/console/v1/operator';
const reviewer = await addConsolePerson(service, { operator: 'reviewer' });
const browser = await signedIn(service, reviewer);
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

async function one<Row>(text: string): Promise<Row> {
  return (await database.query({ text })).rows[0] as Row;
}

test('the treasury page shows the balances of the ledger and the last sends with their hashes', async () => {
  const scenario = { headers: { 'svc-scenario': 'paid' } };
  const bought = await service.post('/transactions/v1/onramp', buyBody(service.business), scenario);
  const { transaction_id: id } = bought.body.transaction;
  const done = await settled(service, id, { states: ['completed'] });
  const { body, text } = await browser.send('GET', `${AT}/treasury/test`);
  assert.deepEqual(
    body.treasuries.map((each: { network: string; decimals: number }) => [each.network, each.decimals]),
    [
      ['Stellar', 7],
      ['Polygon', 6],
      ['Solana', 2],
      ['Avalanche', 6],
    ],
    text,
  );
  const polygon = body.treasuries[1];
  const books = await one<{ free: string; booked: string }>(
    `select max(balance) filter (where name = 'treasury')::text as free, sum(balance)::text as booked
      from accounts where mode = 'test' and asset = 'NGNC@Polygon' and name in ('treasury', 'reserved', 'sent')`,
  );
  assert.deepEqual(
    [polygon.free, polygon.booked].map((each: string) => each.replace('.', '')),
    [books.free, books.booked],
  );
  assert.deepEqual([polygon.chain, polygon.caps, polygon.problem, polygon.halted], [null, null, null, null]);
  const [send] = polygon.sends;
  assert.deepEqual(
    [send.kind, send.state, send.amount, send.asset, send.transaction_id, send.address, send.tx_hash],
    ['send', 'done', '15000.000000', 'NGNC', id, WALLET, done.tx_hash],
  );
  assert.deepEqual(body.treasuries[0].sends, []);
  assert.equal((await browser.send('GET', `${AT}/treasury/both`)).status, 404);
});

test('a withdrawal that two people approved is listed among the last withdrawals', async () => {
  const asked = { mode: 'test', network: 'Polygon', address: WALLET, amount: '250.50' };
  const proposed = await browser.send('POST', `${AT}/proposals/withdrawals`, { body: asked });
  assert.equal(proposed.status, 200, proposed.text);
  const before = await browser.send('GET', `${AT}/treasury/test`);
  assert.deepEqual(before.body.withdrawals, []);
  const atMs = service.foundation.clock.now();
  await service.foundation.store.commit([
    {
      atMs,
      newMovements: [
        {
          ...{ id: proposed.body.proposal.request.subject_id, kind: 'withdrawal', mode: 'test' },
          ...{ network: 'Polygon', asset: 'NGNC@Polygon', amountMinor: 250_500_000n, nairaMinor: 25_050n },
          ...{
            transactionId: null,
            creditId: null,
            depositId: null,
            bankAccount: null,
            destination: { address: WALLET },
          },
          ...{ state: 'failed', reason: 'called_off', version: 1, attempts: 0, dueAtMs: null, tries: 0 },
          ...{ createdAtMs: atMs, updatedAtMs: atMs },
        },
      ],
    },
  ]);
  const { body } = await browser.send('GET', `${AT}/treasury/test`);
  const [withdrawal] = body.withdrawals;
  assert.deepEqual(
    [withdrawal.kind, withdrawal.amount, withdrawal.address, withdrawal.state, withdrawal.tx_hash],
    ['withdrawal', '250.500000', WALLET, 'failed', null],
  );
});

test('a vendor shows the amount that buyers are expected to pay, and the proposals about the vendor', async () => {
  await service.post('/transactions/v1/onramp', buyBody(service.business, { amount: 20_000.5 }));
  const { body } = await browser.send('GET', `${AT}/vendors/test`);
  const vendor = body.vendors.find(({ number }: { number: string }) => number === '9900000011');
  const open = await one<{ buys: number; sum: string }>(
    `select count(*)::int as buys, sum(amount_minor)::text as sum from open_claims
      where vendor_number = '9900000011' and mode = 'test'`,
  );
  assert.deepEqual(
    [vendor.awaited.buys, vendor.awaited.amount.replace('.', ''), vendor.awaited.is_more, vendor.enabled],
    [open.buys, open.sum, false, true],
  );
  assert.deepEqual([body.needs_two, body.additions], [false, []]);
  const live = { mode: 'live', name: 'Live Vendor', number: '9900000099', bank: 'Providus Bank' };
  const added = await browser.send('POST', `${AT}/settings/vendors`, { body: live });
  assert.equal(added.body.done, false, added.text);
  const { body: after } = await browser.send('GET', `${AT}/vendors/live`);
  const [addition] = after.additions;
  assert.deepEqual(
    [after.needs_two, addition.proposal_id, addition.name, addition.number, addition.bank],
    [true, added.body.proposal.id, live.name, live.number, live.bank],
  );
});

test('a vendor shows its credit source; in test mode one person can change it, and in live mode the change waits for a second person', async () => {
  interface Shown {
    readonly vendor_id: string;
    readonly source: string | null;
    readonly proposals: readonly { readonly setting: string; readonly source: string | null }[];
  }
  const read = async (mode: string, id: string) => {
    const { body } = await browser.send('GET', `${AT}/vendors/${mode}`);
    const found: Shown = body.vendors.find((each: Shown) => each.vendor_id === id);
    return { sources: body.sources as readonly string[], ...found };
  };
  const put = (id: string, source: string) =>
    browser.send('PUT', `${AT}/settings/vendors/${id}/source`, { body: { source } });
  const doing = { actor: 'test', atMs: Date.now() };
  const account = { name: 'Acme', number: '9900000098', bank: 'Providus Bank', bankCode: 'providus-bank' };
  const [ours, theirs] = ['vnd_0000000000000000000000000T', 'vnd_0000000000000000000000000V'] as const;
  const backOffice = makeBackOffice(database);
  await backOffice.addVendor({ ...account, id: ours, mode: 'test', active: true }, doing);
  await backOffice.addVendor({ ...account, id: theirs, mode: 'live', active: true }, doing);
  const before = await read('test', ours);
  const { rails } = await one<{ rails: string[] }>(
    `select array_agg(rail order by rail) as rails from rail_health where mode = 'test'`,
  );
  assert.deepEqual([before.source, [...before.sources].sort()], [null, [...rails, 'statements'].sort()]);
  assert.equal((await put(ours, 'statements')).body.done, true);
  assert.deepEqual(
    [(await read('test', ours)).source, (await put(ours, 'statements')).status],
    ['statements', 409],
  );
  assert.equal((await put(ours, 'no such rail')).status, 422);
  assert.equal((await put(theirs, 'statements')).body.done, false);
  const live = await read('live', theirs);
  assert.equal(live.source, null);
  assert.deepEqual(
    live.proposals.map(({ setting, source }) => [setting, source]),
    [['vendor_source_set', 'statements']],
  );
});

test('one person can set a desk price, but a distant price waits for a second person; one person can end either price', async () => {
  const path = `${AT}/rates/live/otc_buy`;
  const hours = { valid_for_hours: 24 };
  const put = (prices: object, more: object = {}) =>
    browser.send('PUT', path, { body: { prices, ...hours, ...more } });
  const priceOf = (currency: string) =>
    one<{ value: string; by: string; override: boolean; ended: boolean }>(
      `select value_e4::text as value, set_by as by, override, valid_until = as_of as ended from desk_prices
        where mode = 'live' and product = 'otc_buy' and currency = '${currency}' order by id desc limit 1`,
    );
  const set = await put({ USD: '1361.5', EUR: '1576.3' }, { override: true });
  assert.deepEqual([set.status, set.body.done, set.body.proposal], [200, true, null], set.text);
  assert.deepEqual(await priceOf('USD'), {
    value: '13615000',
    by: reviewer.id,
    override: true,
    ended: false,
  });
  const far = await put({ USD: '1500' });
  assert.deepEqual(
    [far.status, far.body.done, far.body.proposal.request.prices],
    [200, false, [{ currency: 'USD', price: '1500' }]],
  );
  assert.match(far.body.proposal.why, /^USD: 1500 is 10\.1\d % from 1361\.5, /);
  assert.equal((await priceOf('USD')).value, '13615000');
  const wild = await put({ USD: '99999999999' });
  assert.deepEqual([wild.status, wild.body.code], [422, 'invalid'], wild.text);
  assert.equal((await put({ ZZZ: '1' })).status, 422);
  assert.equal((await put({ USD: '1361.5' }, { valid_for_hours: 0 })).status, 400);
  const body = { prices: { USD: '1361.5' }, ...hours };
  assert.equal((await browser.send('PUT', `${AT}/rates/live/none`, { body })).status, 404);
  const ended = await browser.send('POST', `${path}/withdraw`, { body: { currencies: ['USD'] } });
  assert.deepEqual([ended.status, ended.body.done], [200, true], ended.text);
  assert.deepEqual([(await priceOf('USD')).ended, (await priceOf('EUR')).ended], [true, false]);
  const again = await browser.send('POST', `${path}/withdraw`, { body: { currencies: ['USD'] } });
  assert.equal(again.body.code, 'not_possible', again.text);
});

test('changes to a live spread and to a tier wait for a second person', async () => {
  const spread = { mode: 'live', product: 'usdc_ngnc', currency: 'USD', tier: 'gold', spread_bps: 25 };
  const live = await browser.send('PUT', `${AT}/spreads`, { body: spread });
  assert.deepEqual([live.status, live.body.done, live.body.proposal.why], [200, false, null], live.text);
  const test = await browser.send('PUT', `${AT}/spreads`, { body: { ...spread, mode: 'test' } });
  assert.deepEqual([test.status, test.body.done], [200, true], test.text);
  const stored = await database.query({
    text: `select mode, spread_bps, set_by from spreads where currency = 'USD' and tier = 'gold'`,
  });
  assert.deepEqual(stored.rows, [{ mode: 'test', spread_bps: 25, set_by: reviewer.id }]);
  assert.equal(
    (await browser.send('PUT', `${AT}/spreads`, { body: { ...spread, spread_bps: 5_001 } })).status,
    400,
  );
  const path = `${AT}/businesses/${service.business.businessId}/tier`;
  const tier = await browser.send('PUT', path, { body: { tier: 'gold' } });
  assert.deepEqual([tier.status, tier.body.done], [200, false], tier.text);
  assert.equal((await browser.send('PUT', path, { body: { tier: 'Gold' } })).status, 422);
  const unknown = await browser.send('PUT', `${AT}/businesses/biz_none/tier`, { body: { tier: 'gold' } });
  assert.equal(unknown.status, 404, unknown.text);
});
