// Tests cross rates through the dollar: what they add, and that an error of one source never counts as two sources.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accepted,
  decide,
  dollars,
  e4,
  HOUR,
  NOW,
  rate,
  reading,
  valueIn,
  verdicts,
} from '../../../test/support/rates/rate-readings.ts';
import { decideBook } from './decide-book.ts';
import { findLastAccepted } from './rate-decision.ts';
import { directNumbers } from './source-numbers.ts';

const last = { USD: accepted('1360'), TRY: accepted('29.5', '1360') };
const bank = (dollar: string) => reading('bank', rate('USD', dollar));
const table = (dollar: string, lira: string) => reading('table', rate('USD', dollar), rate('TRY', lira));

test('for a source without the currency, the number is computed through its dollar rate and counts as a source', () => {
  const decision = decide(2, [bank('1366.8'), table('1360', '29.5')], { last });
  assert.equal(valueIn(decision, 'TRY').valueE4, e4('29.5738'));
  const crossed = valueIn(decision, 'TRY').candidates.find(({ source }) => source === 'bank')!;
  assert.deepEqual([crossed.valueE4, crossed.crossed], [e4('29.6475'), true]);
});

test('a number that is computed through the dollar has the age of its oldest part, and expires with the first part that expires', () => {
  const old = { asOfMs: NOW - HOUR / 2 };
  const decision = decide(2, [bank('1360'), reading('table', rate('USD', '1360', old), rate('TRY', '29.5'))]);
  const crossed = valueIn(decision, 'TRY').candidates.find(({ source }) => source === 'bank')!;
  assert.equal(crossed.asOfMs, NOW - HOUR / 2);
  assert.equal(valueIn(decision, 'TRY').validUntilMs, NOW + HOUR / 2);
});

test('threat 61: an error of the source whose ratio others use does not count as two sources', () => {
  for (const lie of ['32', '295', '2.95', '31']) {
    const decision = decide(2, [bank('1360'), table('1360', lie)], { last });
    assert.equal(valueIn(decision, 'TRY').valueE4, null, lie);
    assert.equal(valueIn(decision).valueE4, e4('1360'));
  }
});

test('threat 61: a source with a wrong or outdated dollar rate is not used for other currencies', () => {
  const third = reading('third', rate('USD', '1361'));
  for (const dollar of ['1500', '1046']) {
    const decision = decide(1, [bank('1360'), third, table(dollar, '29.5')], { last });
    assert.deepEqual(verdicts(decision, 'TRY'), { table: 'outlier' });
    assert.equal(valueIn(decision, 'TRY').gap, 'too_few_sources');
  }
});

test('a source that reports a devaluation late is used again for its currencies once it has caught up', () => {
  const third = reading('third', rate('USD', '1771'));
  const behind = decide(1, [bank('1770'), third, table('1360', '29.5')], { last });
  assert.equal(valueIn(behind, 'TRY').valueE4, null);
  const caughtUp = decide(1, [bank('1770'), third, table('1770', '38.39')], {
    last: findLastAccepted(behind),
  });
  assert.equal(valueIn(caughtUp, 'TRY').gap, null);
});

test('threat 61: several numbers computed with the ratio of one source do not outvote another source', () => {
  const other = reading('other', rate('TRY', '29.5'));
  const more = reading('more', rate('USD', '1360'));
  const decision = decide(2, [bank('1360'), more, table('1360', '30.9'), other], { last });
  assert.deepEqual(verdicts(decision, 'TRY'), { table: 'outlier', other: 'outlier' });
});

test('a devaluation that two sources confirm for the dollar also applies to a currency that one source lists at the same ratio', () => {
  const decision = decide(2, [bank('1770'), table('1768', '38.35')], { last });
  assert.equal(valueIn(decision).valueE4, e4('1769'));
  assert.equal(valueIn(decision, 'TRY').gap, null);
  // Later only one source has a dollar rate, but the lira rate stays valid.
  const later = decide(1, [table('1768', '38.35')], { last: findLastAccepted(decision) });
  assert.equal(valueIn(later, 'TRY').valueE4, e4('38.35'));
});

test('after a devaluation, one source may set a price between the old value and the old value moved with the dollar', () => {
  const dollars = decide(2, [bank('1770'), reading('table', rate('USD', '1770'))], { last });
  const afterwards = { last: findLastAccepted(dollars) };
  // The lira was at 29.5, and moved with the dollar it is at 38.35. Up to 5 % from each of the two values is allowed, and so is
  // every value between them.
  const gapAt = (price: string) =>
    valueIn(decide(2, [bank('1770'), table('1770', price)], afterwards), 'TRY').gap;
  for (const price of ['28.1', '29.5', '33', '36', '40.2']) assert.equal(gapAt(price), null, price);
  for (const price of ['27.9', '40.4']) assert.equal(gapAt(price), 'jump_unconfirmed', price);
  // The accepted value is the new base. The same number stays valid, and one source can move the price by 5 % at most.
  const between = decide(2, [bank('1770'), table('1770', '33')], afterwards);
  const next = { last: findLastAccepted(between) };
  const gapAfter = (price: string) =>
    valueIn(decide(2, [bank('1770'), table('1770', price)], next), 'TRY').gap;
  for (const price of ['33', '34.6', '31.4']) assert.equal(gapAfter(price), null, price);
  for (const price of ['34.7', '31.3', '38.35', '29.5'])
    assert.equal(gapAfter(price), 'jump_unconfirmed', price);
});

test('threat 61: when the sources follow a price of the dollar that the desk set first, a currency that one source lists follows too, and no further than from before that price', () => {
  const ahead = rate('USD', '1451', { override: true, confirmed: true, validUntilMs: NOW + HOUR });
  const behind = [bank('1360'), table('1360', '29.5'), reading('exchange', rate('USD', '1360'))];
  const lagging = decide(2, [...behind, reading('desk', ahead)], { last });
  // The lira did not move: its source still has the old price of the dollar.
  assert.equal(valueIn(lagging).valueE4, e4('1451'));
  assert.equal(valueIn(lagging, 'TRY').valueE4, e4('29.5'));
  const following = (dollar: string, lira: string) =>
    valueIn(decide(2, [bank(dollar), table(dollar, lira)], { last: findLastAccepted(lagging) }), 'TRY').gap;
  // 31.47 and 32.91 are 29.5, moved with the dollar from 1360. Moved from 1451, the lira would only be 30.84.
  assert.equal(following('1451', '31.47'), null);
  for (const lira of ['28.1', '29.5', '32.91', '34.5']) assert.equal(following('1517', lira), null, lira);
  for (const lira of ['28', '34.6']) assert.equal(following('1517', lira), 'jump_unconfirmed', lira);
  // A price of the lira beside the first one of the day has the same limits.
  const beside = decide(2, [bank('1517'), table('1517', '29.5001')], { last: findLastAccepted(lagging) });
  const gapAfter = (lira: string) =>
    valueIn(decide(2, [bank('1517'), table('1517', lira)], { last: findLastAccepted(beside) }), 'TRY').gap;
  assert.deepEqual(['28.1', '34.5', '28', '34.6'].map(gapAfter), [
    null,
    null,
    'jump_unconfirmed',
    'jump_unconfirmed',
  ]);
});

test('a currency that was first accepted while the dollar had no value follows a devaluation on the same day', () => {
  const first = { TRY: accepted('29.5') };
  const known = decide(2, [bank('1360'), table('1360', '29.5')], { last: first });
  const devalued = decide(2, [bank('1770'), table('1770', '38.39')], { last: findLastAccepted(known) });
  assert.equal(valueIn(devalued, 'TRY').gap, null);
});

test('a currency that had no source during a devaluation is served again afterwards', () => {
  const without = decide(2, [bank('1770'), reading('table', rate('USD', '1770'))], { last });
  assert.equal(valueIn(without, 'TRY').gap, 'no_source');
  const back = decide(2, [bank('1770'), table('1770', '38.39')], { last: findLastAccepted(without) });
  assert.equal(valueIn(back, 'TRY').valueE4, e4('38.39'));
});

test('a source that is listed or read twice counts as one number', () => {
  const twice = [table('1360', '29.5'), table('1360', '29.5')];
  const decision = decideBook({
    plan: { product: 'otc_buy', sources: ['table', 'table'], minimum: 2 },
    readings: twice,
    lastAccepted: {},
    nowMs: NOW,
  });
  assert.equal(valueIn(decision).gap, 'too_few_sources');
});

test('if a source has several numbers for one currency, the newest counts, and of equally new numbers the last', () => {
  const old = rate('USD', '1300', { asOfMs: NOW - HOUR / 2 });
  const [fresh, later] = [rate('USD', '1360'), rate('USD', '1361')];
  const valuesOf = (...rates: readonly ReturnType<typeof rate>[]) =>
    directNumbers('USD', ['bank'], [reading('bank', rate('TRY', '29.5'), ...rates)]).map(
      ({ valueE4 }) => valueE4,
    );
  assert.deepEqual(valuesOf(old, fresh), [e4('1360')]);
  assert.deepEqual(valuesOf(fresh, old), [e4('1360')]);
  assert.deepEqual(valuesOf(fresh, old, later), [e4('1361')]);
});

test('a source that is not listed for the product is ignored, but an override of the desk always counts', () => {
  const desk = (override: boolean) =>
    reading('desk', rate('USD', '1365', { override, validUntilMs: NOW + HOUR }));
  const readings = (override: boolean) => [
    bank('1360'),
    reading('stranger', rate('USD', '1362')),
    desk(override),
  ];
  const decided = (override: boolean) =>
    decideBook({
      plan: { product: 'otc_buy', sources: ['bank'], minimum: 1 },
      readings: readings(override),
      lastAccepted: last,
      nowMs: NOW,
    });
  assert.deepEqual(verdicts(decided(false)), { bank: 'used' });
  assert.deepEqual(verdicts(decided(true)), { bank: 'overridden', desk: 'used' });
});

test('a desk price that was set while the dollar had no value does not prevent a later devaluation of its currency', () => {
  const price = rate('TRY', '29.5', { override: true, validUntilMs: NOW + HOUR });
  const alone = decide(1, [reading('desk', price)], { last });
  assert.equal(valueIn(alone, 'TRY').valueE4, e4('29.5'));
  const later = { last: findLastAccepted(alone), nowMs: NOW };
  const carried = decide(2, [bank('1770'), table('1770', '38.39')], later);
  assert.equal(valueIn(carried, 'TRY').valueE4, e4('38.39'));
});

test('for sources with only a dollar rate, the ratio comes from a source outside the product, whose own price is not used', () => {
  const sources = [...dollars('1390', '1394'), table('1360', '29.5')];
  const decided = (crosses: readonly string[]) =>
    decideBook({
      plan: { product: 'usdc_ngnc', sources: ['a', 'b'], minimum: 2, crosses },
      readings: sources,
      lastAccepted: {},
      nowMs: NOW,
    });
  assert.equal(valueIn(decided([]), 'TRY').gap, 'no_source');
  const decision = decided(['table']);
  assert.deepEqual(verdicts(decision), { a: 'used', b: 'used' });
  assert.equal(valueIn(decision).valueE4, e4('1392'));
  assert.equal(valueIn(decision, 'TRY').valueE4, e4('30.1941'));
  assert.deepEqual(verdicts(decision, 'TRY'), { a: 'used', b: 'used' });
});

test('threat 61: a wrong ratio from a source outside the product never moves a price by more than 5 %', () => {
  const plan = { product: 'usdc_ngnc', sources: ['a', 'b'], minimum: 2, crosses: ['table'] } as const;
  const decided = (lira: string) =>
    decideBook({
      plan,
      readings: [...dollars('1361', '1362'), table('1361', lira)],
      lastAccepted: last,
      nowMs: NOW,
    });
  assert.equal(valueIn(decided('29.5'), 'TRY').gap, null);
  assert.equal(valueIn(decided('59'), 'TRY').gap, 'jump_unconfirmed');
});

test('while the dollar has no value, a source far from the last dollar rate does not set other currencies', () => {
  const fallen = { USD: accepted('1680'), TRY: accepted('29.5', '1360') };
  // After a devaluation, one source reports an old rate, another source reports the new rate, and a third source is
  // unreachable.
  const disputed = decide(1, [table('1360', '29.5'), bank('1680')], { last: fallen });
  assert.equal(valueIn(disputed).gap, 'too_few_sources');
  assert.equal(valueIn(disputed, 'TRY').valueE4, null);
  assert.match(valueIn(disputed, 'TRY').candidates[0]!.why, /^Its price of the dollar, 1360, is/);
  const back = decide(2, [table('1680', '36.44'), bank('1682')], { last: findLastAccepted(disputed) });
  assert.equal(valueIn(back, 'TRY').gap, null);
});
