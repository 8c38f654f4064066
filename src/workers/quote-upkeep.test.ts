// Tests what the quote loops report and delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMetrics } from '../http/metrics.ts';
import { startForgettingQuotes, startQuoteWatch } from './quote-upkeep.ts';

const onError = (error: Error) => assert.fail(error);

test('the exposure is reported per mode, with the largest share of a limit that any business uses', async () => {
  const metrics = makeMetrics({});
  const exposure = async () => [
    { businessId: 'biz_1', mode: 'test' as const, openMinor: 25_000_050n, openQuotes: 1 },
    { businessId: 'biz_2', mode: 'test' as const, openMinor: 1_000_000n, openQuotes: 9 },
  ];
  const quotes = { exposure, purge: async () => 0 };
  const limits = { maxOpenMinor: 100_000_000n, maxOpenQuotes: 10 };
  await startQuoteWatch({ quotes, onError }, metrics, limits).stop();
  const text = await metrics.registry.metrics();
  assert.match(text, /sliproad_quote_exposure_naira\{mode="test"\} 260000\n/);
  assert.match(text, /sliproad_quote_exposure_naira\{mode="live"\} 0\n/);
  assert.match(text, /sliproad_quote_exposure_share_max\{mode="test"\} 0.9\n/);
  assert.doesNotMatch(text, /biz_/);
});

test('quotes are deleted thirty days after they expired', async () => {
  const asked: number[] = [];
  const purge = async (beforeMs: number) => asked.push(beforeMs);
  const quotes = { purge, exposure: async () => [] };
  const nowMs = Date.parse('2026-11-16T00:00:00Z');
  await startForgettingQuotes({ quotes, clock: { now: () => nowMs }, onError }).stop();
  assert.deepEqual(asked, [Date.parse('2026-10-17T00:00:00Z')]);
});
