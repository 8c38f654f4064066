// Tests the code examples that use a quote.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type QuoteSnippetFacts, quoteLines } from './quote.ts';

const answer: QuoteSnippetFacts['answer'] = {
  vendors: [{ vendor_name: 'Vendor', vendor_number: '9900000011', vendor_bank: 'Providus Bank' }],
  example: {
    ...{ bank_name: 'GTBank', account_number: '0123456789', account_name: 'Ada', network: 'Polygon' },
    wallets: { Polygon: '0xabc', Stellar: 'GABC' },
  },
};
const setting = { baseUrl: 'https://x.test', businessId: 'biz_1', linkTag: 'shop', answer };
const quote = { quote_id: 'quo_1', side: 'buy', naira_amount: '136150.50', network: 'Stellar' } as const;

function bodyIn(lines: string): Record<string, unknown> {
  return JSON.parse(/-d '([^']*)'/.exec(lines)![1]!);
}

test('the code for a buy contains the quote, its naira amount as a number, and the wallet for its network', () => {
  const lines = quoteLines(quote, setting);
  assert.match(lines, /onramp/);
  assert.ok(!lines.includes('sk_'));
  const body = bodyIn(lines);
  assert.deepEqual(
    [body.quote_id, body.amount, body.network, body.wallet_address, body.vendor_number],
    ['quo_1', 136_150.5, 'Stellar', 'GABC', '9900000011'],
  );
});

test('the code for a sell contains no vendor; in live mode the customer data are placeholders', () => {
  const live = { ...setting, answer: { vendors: [], example: null } };
  const lines = quoteLines({ ...quote, side: 'sell', network: null }, live);
  assert.match(lines, /offramp/);
  const body = bodyIn(lines);
  assert.deepEqual(
    [body.type, body.vendor_number, body.account_number, body.network],
    ['sell_ramp', undefined, 'ACCOUNT NUMBER', 'NETWORK'],
  );
});
