// Tests the rate book rule by rule, with the situations that each rule is for: wrong sources, cross rates, devaluations and
// overrides.
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
import { findLastAccepted } from './rate-decision.ts';

const last = { USD: accepted('1361.5') };
const usd = (decision: ReturnType<typeof decide>) => valueIn(decision).valueE4;

test('the value is the median; between two middle numbers it is their mean, rounded half up', () => {
  assert.equal(usd(decide(2, dollars('1361.5', '1362', '1370'))), e4('1362'));
  assert.equal(usd(decide(2, dollars('1361.5', '1361.5001'))), e4('1361.5001'));
});

test('a number exactly 2 % from the median is used; one ten-thousandth more is an outlier', () => {
  const exactly = decide(2, dollars('1000', '1000', '1020'));
  assert.deepEqual(verdicts(exactly), { a: 'used', b: 'used', c: 'used' });
  const over = decide(2, dollars('1000', '1000', '1020.0001'));
  assert.deepEqual(verdicts(over), { a: 'used', b: 'used', c: 'outlier' });
  assert.match(valueIn(over).candidates[2]!.why, /2\.01 % from 1000, the median/);
});

test('one source may move the value by exactly 5 % from the last accepted value; one ten-thousandth more is refused', () => {
  const given = { last: { USD: accepted('1000') } };
  assert.equal(usd(decide(1, dollars('1050'), given)), e4('1050'));
  assert.equal(usd(decide(1, dollars('950'), given)), e4('950'));
  for (const value of ['1050.0001', '949.9999']) {
    const refused = decide(1, dollars(value), given);
    assert.equal(valueIn(refused).gap, 'jump_unconfirmed');
    assert.deepEqual(verdicts(refused), { a: 'jump' });
  }
});

test('threat 61: one wrong source among three does not change the value, and no correct source is excluded with it', () => {
  for (const lie of [13_615_000_000n, 136_150_000n, 0n, -1n, 14_500_000n]) {
    const decision = decide(2, dollars('1361.5', '1395', lie), { last });
    assert.equal(usd(decision), e4('1378.25'), String(lie));
    assert.deepEqual({ a: verdicts(decision).a, b: verdicts(decision).b }, { a: 'used', b: 'used' });
  }
});

test('threat 61: the reason says when a number is ten or a hundred times too large or too small', () => {
  const whyOf = (value: string | bigint) => valueIn(decide(1, dollars(value), { last })).candidates[0]!.why;
  assert.match(whyOf('13615'), /about 10 times that: the decimal point may be misplaced/);
  assert.match(whyOf('136150'), /about 100 times that/);
  assert.match(whyOf('136.15'), /about 1\/10 of that/);
  assert.match(whyOf(0n), /above zero/);
});

test('two sources that differ by more than 4 % give no value, whatever the minimum is', () => {
  for (const minimum of [1, 2]) {
    const decision = decide(minimum, dollars('1361.5', '1420'), { last });
    assert.equal(valueIn(decision).gap, 'too_few_sources');
    assert.deepEqual(verdicts(decision), { a: 'outlier', b: 'outlier' });
  }
});

test('two groups of equal size give no value, even if one group is nearer to the median', () => {
  const decision = decide(2, dollars('1361.5', '1362', '1770', '1770'), { last });
  assert.equal(valueIn(decision).gap, 'too_few_sources');
});

test('threat 61: two wrong sources that agree on ten times the value are refused, but on 1.3 times the value they are accepted', () => {
  const high = { USD: accepted('700') };
  const slip = decide(2, dollars('700', '7000', '7000'), { last: high });
  assert.deepEqual(verdicts(slip), { a: 'used', b: 'out_of_bounds', c: 'out_of_bounds' });
  assert.equal(usd(decide(2, dollars('700', '910', '910'), { last: high })), e4('910'));
});

test('a devaluation of 30 % that sources report one after another is served once two of them report it', () => {
  const steps = [
    ['1770', '1361.5', '1361.5', '1361.5'],
    ['1770', '1770', '1361.5', '1770'],
    ['1770', '1770', '1771', '1770'],
  ] as const;
  let lastAccepted = findLastAccepted(decide(2, dollars('1361.5', '1361.5', '1361.5')));
  for (const [a, b, c, expected] of steps) {
    const decision = decide(2, dollars(a, b, c), { last: lastAccepted });
    assert.equal(usd(decision), e4(expected));
    lastAccepted = findLastAccepted(decision);
  }
});

test('after a long outage, a large move by one source needs confirmation, and the same move by two sources is served', () => {
  const given = { last, nowMs: NOW + 300 * 24 * HOUR };
  const late = (name: string) => reading(name, rate('USD', '1800', { asOfMs: given.nowMs }));
  assert.equal(valueIn(decide(1, [late('a')], given)).gap, 'jump_unconfirmed');
  assert.equal(usd(decide(1, [late('a'), late('b')], given)), e4('1800'));
});

test('a desk price that two people confirmed counts as two sources: for the minimum, for a large move and against a lagging source', () => {
  const desk = reading('desk', rate('USD', '1770', { confirmed: true, validUntilMs: NOW + HOUR }));
  const decision = decide(2, [...dollars('1361.5'), desk], { last });
  assert.equal(usd(decision), e4('1770'));
  assert.deepEqual(verdicts(decision), { a: 'outlier', desk: 'used' });
  const alone = reading('desk', rate('USD', '1770', { validUntilMs: NOW + HOUR }));
  assert.equal(valueIn(decide(2, [alone], { last })).gap, 'too_few_sources');
});

test('threat 60: an override is used alone until it expires, and not afterwards', () => {
  const override = rate('USD', '1380', { override: true, validUntilMs: NOW + HOUR });
  const readings = (asOfMs: number) => [
    ...['a', 'b'].map((name) => reading(name, rate('USD', '1361.5', { asOfMs }))),
    reading('desk', override),
  ];
  const during = decide(2, readings(NOW), { last });
  assert.equal(usd(during), e4('1380'));
  assert.equal(valueIn(during).validUntilMs, NOW + HOUR);
  assert.deepEqual(verdicts(during), { a: 'overridden', b: 'overridden', desk: 'used' });
  const after = decide(2, readings(NOW + HOUR), { last: findLastAccepted(during), nowMs: NOW + HOUR });
  assert.equal(usd(after), e4('1361.5'));
  assert.deepEqual(verdicts(after), { a: 'used', b: 'used', desk: 'stale' });
});

test('if an override is too far from the last value, the other sources decide the price', () => {
  const desk = reading('desk', rate('USD', '1770', { override: true, validUntilMs: NOW + HOUR }));
  const decision = decide(2, [...dollars('1361.5', '1362'), desk], { last });
  assert.equal(usd(decision), e4('1361.75'));
  assert.equal(verdicts(decision).desk, 'jump');
});

test('threat 60: a value expires when fewer than the minimum of its sources are fresh', () => {
  const aged = (name: string, minutes: number) =>
    reading(name, rate('USD', '1361.5', { asOfMs: NOW - minutes * 60_000 }));
  const readings = [aged('a', 0), aged('b', 20), aged('c', 40)];
  const endsIn = (minimum: number) => (valueIn(decide(minimum, readings)).validUntilMs! - NOW) / 60_000;
  assert.deepEqual([endsIn(1), endsIn(2), endsIn(3)], [60, 40, 20]);
});

test('a sample rate of test mode never expires', () => {
  assert.equal(valueIn(decide(1, [reading('desk', rate('USD', '1361.5'))])).validUntilMs, null);
});

test('the first number of a single source is compared with the reference values', () => {
  assert.equal(usd(decide(1, dollars('2000'))), e4('2000'));
  assert.equal(valueIn(decide(1, dollars('2800'))).gap, 'jump_unconfirmed');
  assert.equal(usd(decide(1, dollars('2800', '2800'))), e4('2800'));
});

test('when a desk price expires, a single source may return to its earlier value', () => {
  const desk = reading(
    'desk',
    rate('USD', '1600', { override: true, confirmed: true, validUntilMs: NOW + HOUR }),
  );
  const at = (nowMs: number) => reading('a', rate('USD', '1370', { asOfMs: nowMs }));
  const during = decide(1, [at(NOW), desk], { last });
  assert.equal(usd(during), e4('1600'));
  const later = NOW + HOUR;
  const after = decide(1, [at(later), desk], { last: findLastAccepted(during), nowMs: later });
  assert.equal(usd(after), e4('1370'));
  assert.equal(usd(decide(1, [at(later)], { last: findLastAccepted(after), nowMs: later })), e4('1370'));
});

test('threat 61: when a desk price expires, a single source cannot move the value by another 5 %', () => {
  const first = { USD: accepted('1000') };
  const lied = decide(1, dollars('1045'), { last: first });
  assert.equal(usd(lied), e4('1045'));
  const corrected = reading('desk', rate('USD', '1001', { override: true, validUntilMs: NOW + HOUR }));
  const during = decide(1, [corrected], { last: findLastAccepted(lied) });
  assert.equal(usd(during), e4('1001'));
  const later = NOW + HOUR;
  const alone = (value: string) =>
    decide(1, [reading('a', rate('USD', value, { asOfMs: later }))], {
      last: findLastAccepted(during),
      nowMs: later,
    });
  assert.equal(usd(alone('1050')), e4('1050'));
  // 1090 is less than 5 % from the number that the source reported before the desk set the price.
  assert.equal(valueIn(alone('1090')).gap, 'jump_unconfirmed');
});

test('threat 61: one source may correct a number that was wrong by nearly 5 %, but never moves the value more than 5 % from the start of the day', () => {
  const first = { USD: accepted('1000') };
  const low = decide(1, dollars('951'), { last: first });
  assert.equal(usd(low), e4('951'));
  const afterLow = { last: findLastAccepted(low) };
  // 1004 is 5.6 % above the wrong number, and 0.4 % from the correct value that was accepted earlier.
  assert.equal(usd(decide(1, dollars('1004'), afterLow)), e4('1004'));
  assert.equal(usd(decide(1, dollars('1050'), afterLow)), e4('1050'));
  for (const value of ['1050.0001', '949.9999'])
    assert.equal(valueIn(decide(1, dollars(value), afterLow)).gap, 'jump_unconfirmed', value);
});
