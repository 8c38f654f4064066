// Tests the history of a rate. Each point includes the spread of its time, and the service refuses invalid queries with a hint
// on how to fix them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionOf } from '../support/rates/prices.ts';
import { startTestService } from '../support/service.ts';
import { assertRefused } from './helpers.ts';

const service = await startTestService();
const { rateStore, deskWrites, clock } = service.foundation;
const HOUR = 3_600_000;
const thisHour = Math.floor(clock.now() / HOUR) * HOUR;
const live = { key: service.business.liveKey };
const ask = (query: string, options = live) =>
  service.get(`/rates/v1/history?product=otc_buy&currency=USD${query}`, options);

/** Stores an accepted live rate from some hours ago. The test must call this in chronological order. */
async function accept(hoursAgo: number, minute: number, valueE4: bigint): Promise<void> {
  const atMs = thisHour - hoursAgo * HOUR + minute * 60_000;
  await rateStore.decide('live', 'otc_buy', () => decisionOf(atMs, valueE4, { validUntilMs: atMs + 1 }));
}

async function spread(hoursAgo: number, spreadBps: number, tier: string | null = null): Promise<void> {
  const rule = { mode: 'live', product: 'otc_buy', currency: null, tier, spreadBps } as const;
  const fromMs = thisHour - hoursAgo * HOUR;
  await deskWrites.addSpread({ ...rule, fromMs, setBy: 'per_one' }, { actor: 'per_one', atMs: fromMs });
}

test('points include the spread of their time for the tier of the business; hours without a rate have no point', async () => {
  await accept(30, 0, 10_000_000n); // before the first spread was set: this rate was never quoted
  await accept(20, 10, 10_000_000n);
  await accept(20, 20, 10_400_000n);
  await accept(20, 30, 10_200_000n);
  await accept(3, 0, 10_300_000n);
  await spread(25, 100);
  await spread(10, 0);
  await spread(10, 4_000, 'gold');
  const { status, body } = await ask('');
  assert.equal(status, 200);
  const at = (hoursAgo: number) => new Date(thisHour - hoursAgo * HOUR).toISOString();
  assert.deepEqual(body, {
    status: 'success',
    message: 'Rates found.',
    product: 'otc_buy',
    currency: 'USD',
    interval: '1h',
    points: [
      { at: at(20), rate: 1030.2, low: 1010, high: 1050.4 },
      { at: at(3), rate: 1030, low: 1030, high: 1030 },
    ],
  });
  const minutes = await ask(`&interval=1m&from=${at(20)}&to=${at(19)}`);
  assert.deepEqual(
    minutes.body.points.map(({ rate }: { rate: number }) => rate),
    [1010, 1050.4, 1030.2],
  );
  const days = await ask('&interval=1d');
  assert.ok(days.body.points.length >= 1 && days.body.points.length <= 2);
  assert.equal((await ask(`&from=${at(19)}&to=${at(4)}`)).body.message, 'No rates in this period.');
});

test('each mode has its own history, and the history of test mode begins with the sample rate', async () => {
  const { body } = await ask('&interval=1m', { key: service.business.testKey });
  assert.equal(body.points.at(-1).rate, 1375.115);
});

test('an invalid query is refused, and the error names the field and the fix', async () => {
  const refused = async (query: string, fields: string[], message: RegExp) => {
    const answer = await service.get(`/rates/v1/history?${query}`, live);
    assertRefused(
      answer,
      422,
      'filter_invalid',
      fields.map((field) => `${field}: filter_invalid`),
    );
    assert.match(answer.body.message, message);
  };
  const good = 'product=otc_buy&currency=USD';
  await refused('', ['product', 'currency'], /^product must be one of otc_buy, usdc_ngnc\.$/);
  await refused('product=otc_buy&currency=NGN', ['currency'], /must be one of USD, GBP/);
  await refused(`${good}&interval=5m`, ['interval'], /must be one of 1m, 1h, 1d/);
  await refused(`${good}&from=yesterday`, ['from'], /must be a time such as/);
  await refused(`${good}&from=2026-11-14T10:00:00Z&to=2026-11-14T09:00:00Z`, ['from'], /before to/);
  await refused(`${good}&interval=1m&from=2026-11-01&to=2026-11-03`, ['from'], /or interval=1h\.$/);
  await refused(`${good}&interval=1d&from=1990-01-01`, ['from'], /Use a shorter period\.$/);
  await refused(`${good}&form=2026-11-01`, ['form'], /Did you mean from\?/);
  await refused(`${good}&currency=GBP`, ['currency'], /more than once/);
});
