import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyLines, payLines, sdkLines, shellQuoted } from './snippets.ts';

const FIRST = {
  baseUrl: 'http://127.0.0.1:4000',
  businessId: 'biz_1',
  linkTag: 'shop',
  vendor: {
    vendor_name: `O'Neil "Vendor" $(touch x)`,
    vendor_number: '9900000011',
    vendor_bank: 'Providus Bank',
  },
  payer: { bank_name: 'GTBank', account_number: '0123456785', account_name: 'Adaeze Okafor' },
  network: 'Polygon',
  walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  amount: 15_000,
};

/** The value that a shell reads from a text in single quotes. */
function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(`'\\''`, "'");
}

test('threat 78: a hostile vendor name stays plain text in a line that is pasted into a shell', () => {
  const lines = buyLines(FIRST);
  const body = lines.slice(lines.indexOf('-d ') + 3);
  assert.equal(JSON.parse(unquoted(body)).vendor_name, FIRST.vendor.vendor_name);
  assert.doesNotMatch(body.replaceAll(`'\\''`, '').slice(1, -1), /'/);
  assert.equal(unquoted(shellQuoted(`a'b`)), `a'b`);
});

test('the lines contain the values of the business and no secret key', () => {
  const bought = JSON.parse(unquoted(buyLines(FIRST).split('-d ')[1]!));
  assert.deepEqual([bought.business_id, bought.link_tag, bought.amount], ['biz_1', 'shop', 15_000]);
  const paid = JSON.parse(unquoted(payLines(FIRST).split('-d ')[1]!));
  assert.deepEqual([paid.vendor_number, paid.payer_account_number], ['9900000011', '0123456785']);
  for (const lines of [buyLines(FIRST), payLines(FIRST), sdkLines(FIRST)]) {
    assert.match(lines, /SLIPROAD_KEY/);
    assert.doesNotMatch(lines, /sk_(test|live)_/);
  }
});
