// The central bank's server must behave as the README next to it says: the table, its irregular rows, the blocking of clients,
// and content faults.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CentralBankRow, FULL_HISTORY_DAYS, startCentralBank } from './central-bank.ts';
import type { FaultKind } from './faults.ts';

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const now = () => Date.parse('2026-06-13T09:00:00Z'); // a Saturday
const TABLE = '/api/GetAllExchangeRates?format=json';

async function read(url: string): Promise<CentralBankRow[]> {
  const response = await fetch(url, { headers: BROWSER });
  return (await response.json()) as CentralBankRow[];
}

describe('central bank', () => {
  test('a row has the fields and types of the public table, and the newest weekday is first', async () => {
    await using bank = await startCentralBank({ now });
    const rows = await read(bank.url + TABLE);
    assert.equal(rows.length, 60 * 13 + 1);
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      'id',
      'currency',
      'ratedate',
      'buyingrate',
      'centralrate',
      'sellingrate',
    ]);
    const dollar = rows.find(({ currency }) => currency === 'US DOLLAR');
    assert.deepEqual(
      { ...dollar, id: typeof dollar?.id },
      {
        id: 'number',
        currency: 'US DOLLAR',
        ratedate: '2026-06-12',
        buyingrate: '1361.0099',
        centralrate: '1361.5000',
        sellingrate: '1361.9901',
      },
    );
    assert.equal(rows.at(-1)?.ratedate, '2026-03-23');
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    assert.ok(!rows.some(({ ratedate }) => [0, 6].includes(new Date(ratedate).getUTCDay())));
    for (const absent of ['TURKISH', 'CANADIAN', 'KENYA'])
      assert.ok(!rows.some(({ currency }) => currency.includes(absent)));
  });

  test('the history contains the irregular rows, and can be generated without them', async () => {
    await using bank = await startCentralBank({ now });
    const rows = await read(bank.url + TABLE);
    assert.equal(rows.filter(({ currency }) => currency === 'US DOLLAR ').length, 1);
    assert.equal(rows.filter(({ currency }) => currency === 'SWISS FRANC\t').length, 1);
    assert.equal(rows.filter(({ centralrate }) => centralrate === '').length, 1);
    assert.equal(rows.filter(({ centralrate }) => Number(centralrate) === 0 && centralrate !== '').length, 1);
    const twice = rows.filter(
      ({ currency, ratedate }) => currency === 'US DOLLAR' && ratedate === '2026-06-05',
    );
    assert.equal(twice.length, 2);
    assert.ok(Number(twice[1]?.centralrate) > Number(twice[0]?.centralrate) * 1.03);
    assert.ok((twice[0]?.id ?? 0) > (twice[1]?.id ?? 0));
    bank.set({ irregular: false });
    const clean = await read(bank.url + TABLE);
    assert.ok(clean.every(({ currency }) => currency.trim() === currency));
    assert.equal(clean.length, 60 * 13);
  });

  test('a test can set prices, date, currencies, names, order and single rows', async () => {
    await using bank = await startCentralBank({ now, historyDays: 2 });
    bank.set({
      prices: { 'US DOLLAR': '1500.25' },
      date: '2026-06-11',
      currencies: ['EURO', 'US DOLLAR'],
      labels: { EURO: 'EURO ' },
      order: 'oldest_first',
      rowsBefore: [{ currency: 'POESO' }],
    });
    const rows = await read(bank.url + TABLE);
    assert.deepEqual(
      rows.map(({ currency, ratedate }) => `${currency}|${ratedate}`),
      [
        'POESO|undefined',
        'US DOLLAR|2026-06-10',
        'EURO|2026-06-10',
        'US DOLLAR|2026-06-11',
        'EURO |2026-06-11',
      ],
    );
    assert.equal(rows[3]?.centralrate, '1500.2500');
    bank.set({ order: 'mixed', rowsBefore: [], rowsAfter: [], historyDays: 40 });
    const mixed = await read(bank.url + TABLE);
    const dollars = mixed.filter(({ currency }) => currency === 'US DOLLAR').map(({ ratedate }) => ratedate);
    assert.notEqual(dollars[0], '2026-06-11');
    assert.notEqual(dollars.at(-1), dollars.toSorted()[0]);
  });

  test('the whole history is about 8 MB', async () => {
    await using bank = await startCentralBank({ now, historyDays: FULL_HISTORY_DAYS });
    const response = await fetch(bank.url + TABLE, { headers: BROWSER });
    const text = await response.text();
    assert.ok(text.length > 7_800_000 && text.length < 8_800_000, `${text.length} bytes`);
    assert.match(text, /"POUND STERLING"/);
  });

  test('a client that does not look like a browser gets a block page', async () => {
    await using bank = await startCentralBank({ now });
    const response = await fetch(bank.url + TABLE, { headers: { 'user-agent': 'reader/1.0' } });
    assert.equal(response.status, 403);
    assert.equal(response.headers.get('server'), 'cloudflare');
    assert.match(await response.text(), /Attention Required! \| Cloudflare/);
    await using open = await startCentralBank({ now, browsersOnly: false });
    assert.equal((await fetch(open.url + TABLE, { headers: { 'user-agent': 'reader/1.0' } })).status, 200);
    assert.equal((await fetch(`${open.url}/api/Other`)).status, 404);
  });

  test('content faults apply only to the newest day', async () => {
    await using bank = await startCentralBank({ now, historyDays: 3, irregular: false });
    const dollars = async (kind: FaultKind, detail = {}) => {
      bank.fail(kind, detail);
      const rows = await read(bank.url + TABLE);
      return rows.filter(({ currency }) => currency === 'US DOLLAR');
    };
    assert.equal((await dollars('times_ten'))[0]?.centralrate, '13615.0000');
    assert.equal((await dollars('times_hundred'))[1]?.centralrate.split('.')[0], '1363');
    assert.equal((await dollars('times_ten', { currencies: ['EURO'] }))[0]?.centralrate, '1361.5000');
    assert.equal((await dollars('swapped'))[0]?.centralrate, '0.0007');
    assert.equal((await dollars('zero'))[0]?.centralrate, '0.0000');
    assert.equal((await dollars('negative'))[0]?.centralrate, '-1361.5000');
    assert.equal((await dollars('stale'))[0]?.ratedate, '2026-05-29');
    assert.equal((await dollars('future'))[0]?.ratedate, '2026-06-16');
    assert.ok(!('centralrate' in ((await dollars('missing'))[0] ?? {})));
    assert.ok(!('ratedate' in ((await dollars('missing', { field: 'ratedate' }))[0] ?? {})));
    assert.equal((await dollars('null', { field: 'currency' })).length, 2);
    assert.equal(typeof (await dollars('string_as_number'))[0]?.centralrate, 'number');
    assert.equal(typeof (await dollars('number_as_string'))[0]?.id, 'string');
  });
});
