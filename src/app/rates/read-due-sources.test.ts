// Tests rate sources that respond, fail, hang or return wrong values. The service stores their numbers, and does not read a
// failing source for a while.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { MORNING } from '../../../test/support/rates/prices.ts';
import { makeRateStore } from '../../adapters/postgres/rates/rate-store.ts';
import type { ReportedRate } from '../../domain/rates/reading.ts';
import { type RateSource, SourceFailure } from '../../ports/rates.ts';
import { readDueSources } from './read-due-sources.ts';

const rateStore = makeRateStore(openTestDatabase(await freshDatabase()));
const RATE: ReportedRate = { currency: 'USD', valueE4: 13_615_000n, asOfMs: MORNING };

let nowMs = MORNING;
const failed: string[] = [];
const sourceOf = (name: string, read: RateSource['read']): RateSource => ({
  ...{ name, kind: 'test', everyMs: 10_000, timeoutMs: 50, ageLimitMs: 60_000, read },
});
async function readAll(...sources: RateSource[]): Promise<number> {
  const { leased, finished } = await readDueSources({
    ...{ rateStore, sources, clock: { now: () => nowMs }, deadline: (ms) => AbortSignal.timeout(ms) },
    onFailure: (name, { code, message }, failures) => failed.push(`${name} ${failures} ${code} ${message}`),
  });
  await finished;
  return leased;
}
const stateOf = async (name: string) => (await rateStore.listSources()).find((each) => each.name === name)!;

test('a source is read when it is due, and a failing source does not stop the reading of others', async () => {
  const good = sourceOf('good', async () => [RATE]);
  const bad = sourceOf('bad', async () => {
    throw new SourceFailure('refused', 'The answer was 500.');
  });
  assert.equal(await readAll(good, bad), 2);
  assert.deepEqual((await stateOf('good')).rates, [RATE]);
  assert.deepEqual(failed.splice(0), ['bad 1 refused The answer was 500.']);
  assert.equal(await readAll(good, bad), 0);
  nowMs += 10_000;
  assert.equal(await readAll(good, bad), 2);
  assert.deepEqual(failed.splice(0), ['bad 2 refused The answer was 500.']);
});

test('a source that hangs is aborted in time, even if it ignores the signal', async () => {
  const deaf = sourceOf('deaf', () => new Promise(() => undefined));
  await readAll(deaf);
  const { lastFailure } = await stateOf('deaf');
  assert.deepEqual(lastFailure, { code: 'unreachable', message: 'There was no answer within 0.05 s.' });
  assert.equal(failed.splice(0).length, 1);
});

test('threat 61: a response with an unknown structure is a failure whose error does not contain its text, and so is an invalid time', async () => {
  const broken = sourceOf('broken', async () => JSON.parse('{"key": "sk_live_secret'));
  const timeless = sourceOf('timeless', async () => [{ ...RATE, asOfMs: Number.NaN }]);
  const beyond = sourceOf('beyond', async () => [{ ...RATE, asOfMs: 8.64e15 }]);
  await readAll(broken, timeless, beyond);
  assert.deepEqual(failed.splice(0).sort(), [
    'beyond 1 unreadable The time of the rate of USD is not valid.',
    'broken 1 unreadable The answer could not be read (SyntaxError).',
    'timeless 1 unreadable The time of the rate of USD is not valid.',
  ]);
});

test('the time of a rate must be in the years 2000 to 2199, from their first moment to their last', async () => {
  const ends = { first: Date.UTC(2000, 0), last: Date.UTC(2200, 0) - 1 };
  await readAll(
    sourceOf('before', async () => [{ ...RATE, asOfMs: ends.first - 1 }]),
    sourceOf('first', async () => [{ ...RATE, asOfMs: ends.first }]),
    sourceOf('last', async () => [{ ...RATE, asOfMs: ends.last }]),
    sourceOf('after', async () => [{ ...RATE, asOfMs: ends.last + 1 }]),
  );
  assert.deepEqual(failed.splice(0).sort(), [
    'after 1 unreadable The time of the rate of USD is not valid.',
    'before 1 unreadable The time of the rate of USD is not valid.',
  ]);
  assert.equal((await stateOf('first')).rates[0]!.asOfMs, ends.first);
  assert.equal((await stateOf('last')).rates[0]!.asOfMs, ends.last);
});

test('threat 61: absurd numbers are stored unchanged, and the decision judges them', async () => {
  const lying = sourceOf('lying', async () => [{ ...RATE, valueE4: -(10n ** 40n) }]);
  await readAll(lying);
  assert.equal((await stateOf('lying')).rates[0]!.valueE4, -(10n ** 40n));
});

test('after three failures the circuit is open for a minute, and then the next attempt decides', async () => {
  let answers = false;
  const shaky = sourceOf('shaky', async () => {
    if (answers) return [RATE];
    throw new SourceFailure('unreachable', 'connection refused');
  });
  const openFor = async () => {
    const { openUntilMs } = await stateOf('shaky');
    return openUntilMs === null ? null : openUntilMs - nowMs;
  };
  for (const expected of [null, null, 60_000]) {
    assert.equal(await readAll(shaky), 1);
    assert.equal(await openFor(), expected);
    if (expected === null) nowMs += 10_000;
  }
  nowMs += 59_999;
  assert.equal(await readAll(shaky), 0);
  nowMs += 1;
  assert.equal(await readAll(shaky), 1);
  assert.equal(await openFor(), 120_000);
  nowMs += 120_000;
  answers = true;
  assert.equal(await readAll(shaky), 1);
  const { failures, openUntilMs, nextReadAtMs, lastFailure } = await stateOf('shaky');
  assert.deepEqual([failures, openUntilMs, nextReadAtMs], [0, null, nowMs + 10_000]);
  assert.equal(lastFailure?.code, 'unreachable');
});
