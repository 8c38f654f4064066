// Tests sells with a quote. A sell must match its quote and has the quoted fee. The service refuses a sell that does not match
// before it stores anything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS, freshId, NOW } from '../../../test/http/store-fixtures.ts';
import { newQuote } from '../../../test/support/rates/quotes.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Acceptance } from '../../ports/store/acceptance.ts';
import type { Caller } from '../input/caller.ts';
import type { SubmissionDeps } from './submission.ts';
import { submitSell } from './submit-sell.ts';

const NETWORK = {
  ...{ name: 'Polygon', asset: { code: 'NGNC', decimals: 6 }, confirmations: 1 },
  depositTarget: () => ({ address: '0xours', memo: null, memoType: null }),
};

async function submit(quote: Partial<Quote> | null, amountText = '15000.50') {
  const stored: Acceptance[] = [];
  const given = newQuote({ side: 'sell', nairaMinor: 1_500_050n, feeMinor: 70n }) as unknown as Quote;
  const deps = {
    store: {
      accept: async (acceptance: Acceptance) => {
        stored.push(acceptance);
        return { kind: 'created' };
      },
      findRepeated: async () => undefined,
    },
    quotes: { find: async () => (quote === null ? undefined : { quote: { ...given, ...quote } }) },
    banks: loadBankDirectory(),
    networks: { enabled: () => [NETWORK], find: () => NETWORK, spell: (name: string) => name },
    rails: { test: true, live: true },
    clock: { now: () => NOW },
    entropy: { bytes: (length: number) => new Uint8Array(length) },
    ...{ bounds: { minMinor: 1n, maxMinor: 10n ** 12n }, expiryMs: 1_000, accepted: () => undefined },
  } as unknown as SubmissionDeps;
  const caller = { key: { id: 'key_1', business: { id: BUSINESS, linkTag: 'tag' }, mode: 'test' } };
  const answer = await submitSell(deps, {
    caller: caller as unknown as Caller,
    body: {
      ...{ business_id: BUSINESS, link_tag: 'tag', type: 'sell_ramp', quote_id: freshId('quo') },
      ...{ account_name: 'Ada Obi', account_number: '0123456785', bank_name: 'GTBank' },
    },
    ...{ amountText, idempotencyKey: null, scenario: null },
  });
  if (answer.ok) return stored[0]!.transaction.feeMinor;
  assert.equal(stored.length, 0);
  return answer.error.errors.map(({ field, code }) => `${field} ${code}`);
}

test('a sell is accepted with the fee of its quote', async () => {
  assert.equal(await submit({}), 70n);
});

test('a sell that does not match its quote is refused, with every field that differs', async () => {
  assert.deepEqual(await submit({}, '15000.51'), ['amount quote_mismatch']);
  assert.deepEqual(await submit({ side: 'buy' }), ['type quote_mismatch']);
  assert.deepEqual(await submit({ network: 'Stellar' }), ['network quote_mismatch']);
  assert.deepEqual(await submit({ side: 'buy', network: 'Stellar' }, '1.00'), [
    ...['type quote_mismatch', 'amount quote_mismatch', 'network quote_mismatch'],
  ]);
});
