// Tests quotes in the model and in PostgreSQL. The same requests in the same order get the same results, except for their
// times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresQuotes } from '../../../src/adapters/postgres/quotes/quote-store.ts';
import type { NewQuote, QuoteOutcome } from '../../../src/ports/quotes.ts';
import { databaseWithKeys, KEY, LIVE_KEY, SCOPE } from '../../http/store-fixtures.ts';
import { newQuote } from '../../support/rates/quotes.ts';
import { makeRandom } from './histories/random.ts';
import { makeModel } from './model.ts';

const { database } = await databaseWithKeys();
const real = makePostgresQuotes(database);
const model = makeModel({
  keys: [
    { id: KEY, ...SCOPE },
    { id: LIVE_KEY, ...SCOPE, mode: 'live' },
  ],
});

function withoutTimes(outcome: QuoteOutcome | string) {
  if (typeof outcome === 'string' || !('quote' in outcome)) return outcome;
  const { createdAtMs: _at, expiresAtMs: _until, ...quote } = outcome.quote;
  return { ...outcome, quote };
}

async function answerOf(store: typeof real | typeof model.quotes, quote: NewQuote) {
  try {
    return withoutTimes(await store.add(quote, { maxOpenMinor: 40_000n, maxOpenQuotes: 15 }));
  } catch (error) {
    return (error as { constraint: string }).constraint;
  }
}

test('300 requests with few keys and a low limit get the same results from the model and from PostgreSQL', async () => {
  const random = makeRandom(7);
  const met = new Set<string>();
  const offered: NewQuote[] = [];
  for (let step = 0; step < 300; step++) {
    const again = offered.length > 0 && random.chance(0.1) ? random.pick(offered) : undefined;
    const amountMinor = BigInt(1 + random.below(6_000));
    const given =
      again ??
      newQuote({
        amountMinor,
        ...(random.chance(0.2) && { mode: 'live' }),
        ...(random.chance(0.1) && { nairaMinor: amountMinor + 1n }),
        feeMinor: random.pick([0n, 0n, 1n]),
        keyId: random.pick([KEY, KEY, LIVE_KEY, null, null, 'key_none']),
        idempotency: random.chance(0.3)
          ? { key: `key ${random.below(6)}`, requestHash: random.pick(['a', 'b']) }
          : null,
      });
    offered.push(given);
    const answered = await answerOf(real, given);
    met.add(typeof answered === 'string' ? answered : answered.kind);
    assert.deepEqual(await answerOf(model.quotes, given), answered);
    if (random.chance(0.04)) {
      await database.query({
        text: `update quotes set transaction_id = 'txn_' || id where transaction_id is null`,
      });
      for (const quote of model.tables.quotes.values())
        if (quote.transactionId === null) model.core.putQuote({ ...quote, transactionId: `txn_${quote.id}` });
    }
    const open = (each: Awaited<ReturnType<typeof real.exposure>>) =>
      each.toSorted((a, b) => (a.mode < b.mode ? -1 : 1));
    assert.deepEqual(open(await model.quotes.exposure()), open(await real.exposure()));
  }
  const kinds = [
    'created',
    'exposure_exceeded',
    'idempotency_key_reused',
    'key_revoked',
    'quotes_sound',
    'repeated',
  ];
  assert.deepEqual([...met].sort(), kinds);
});
