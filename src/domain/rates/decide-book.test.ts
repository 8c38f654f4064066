// The book, rule by rule, with the stories that a rule is there for: liars, crossings, devaluations, overrides.
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

test('the value is the median, and the mean of the middle two rounded half up', () => {
  assert.equal(usd(decide(2, dollars('1361.5', '1362', '1370'))), e4('1362'));
  assert.equal(usd(decide(2, dollars('1361.5', '1361.5001'))), e4('1361.5001'));
});

test('2 % from the median is used, one ten-thousandth more is not', () => {
  const exactly = decide(2, dollars('1000', '1000', '1020'));
  assert.deepEqual(verdicts(exactly), { a: 'used', b: 'used', c: 'used' });
  const over = decide(2, dollars('1000', '1000', '1020.0001'));
  assert.deepEqual(verdicts(over), { a: 'used', b: 'used', c: 'outlier' });
  assert.match(valueIn(over).candidates[2]!.why, /2\.01 % from 1000, the median/);
});

test('5 % from the last accepted value is taken from one source, one ten-thousandth more is not', () => {
  const given = { last: { USD: accepted('1000') } };
  assert.equal(usd(decide(1, dollars('1050'), given)), e4('1050'));
  assert.equal(usd(decide(1, dollars('950'), given)), e4('950'));
  for (const value of ['1050.0001', '949.9999']) {
    const refused = decide(1, dollars(value), given);
    assert.equal(valueIn(refused).gap, 'jump_unconfirmed');
    assert.deepEqual(verdicts(refused), { a: 'jump' });
  }
});

test('threat 61: a liar among three changes nothing, and does not take an honest source with it', () => {
  for (const lie of [13_615_000_000n, 136_150_000n, 0n, -1n, 14_500_000n]) {
    const decision = decide(2, dollars('1361.5', '1395', lie), { last });
    assert.equal(usd(decision), e4('1378.25'), String(lie));
    assert.deepEqual({ a: verdicts(decision).a, b: verdicts(decision).b }, { a: 'used', b: 'used' });
  }
});

test('threat 61: ten and a hundred times a value are named in words', () => {
  const whyOf = (value: string | bigint) => valueIn(decide(1, dollars(value), { last })).candidates[0]!.why;
  assert.match(whyOf('13615'), /about 10 times that: the decimal point may be misplaced/);
  assert.match(whyOf('136150'), /about 100 times that/);
  assert.match(whyOf('136.15'), /about 1\/10 of that/);
  assert.match(whyOf(0n), /above zero/);
});

test('two sources that differ by more than 4 % are a disagreement, whatever the minimum', () => {
  for (const minimum of [1, 2]) {
    const decision = decide(minimum, dollars('1361.5', '1420'), { last });
    assert.equal(valueIn(decision).gap, 'too_few_sources');
    assert.deepEqual(verdicts(decision), { a: 'outlier', b: 'outlier' });
  }
});

test('two camps of one size are a disagreement, even when one lies nearer to the median', () => {
  const decision = decide(2, dollars('1361.5', '1362', '1770', '1770'), { last });
  assert.equal(valueIn(decision).gap, 'too_few_sources');
});

test('threat 61: two liars that agree on ten times the value are refused, on 1.3 times they are believed', () => {
  const high = { USD: accepted('700') };
  const slip = decide(2, dollars('700', '7000', '7000'), { last: high });
  assert.deepEqual(verdicts(slip), { a: 'used', b: 'out_of_bounds', c: 'out_of_bounds' });
  assert.equal(usd(decide(2, dollars('700', '910', '910'), { last: high })), e4('910'));
});

test('a devaluation of 30 % that sources report one after another is served as soon as two of them do', () => {
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

test('after a long outage one source needs a second one, and two are served', () => {
  const given = { last, nowMs: NOW + 300 * 24 * HOUR };
  const late = (name: string) => reading(name, rate('USD', '1800', { asOfMs: given.nowMs }));
  assert.equal(valueIn(decide(1, [late('a')], given)).gap, 'jump_unconfirmed');
  assert.equal(usd(decide(1, [late('a'), late('b')], given)), e4('1800'));
});

test('a price that two people confirmed is a second source: for the minimum, for a jump and against one that is behind', () => {
  const desk = reading('desk', rate('USD', '1770', { confirmed: true, validUntilMs: NOW + HOUR }));
  const decision = decide(2, [...dollars('1361.5'), desk], { last });
  assert.equal(usd(decision), e4('1770'));
  assert.deepEqual(verdicts(decision), { a: 'outlier', desk: 'used' });
  const alone = reading('desk', rate('USD', '1770', { validUntilMs: NOW + HOUR }));
  assert.equal(valueIn(decide(2, [alone], { last })).gap, 'too_few_sources');
});

test('threat 60: an override is used alone while it is valid, and not a moment longer', () => {
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

test('an override that is not allowed leaves the price to the other sources', () => {
  const desk = reading('desk', rate('USD', '1770', { override: true, validUntilMs: NOW + HOUR }));
  const decision = decide(2, [...dollars('1361.5', '1362'), desk], { last });
  assert.equal(usd(decision), e4('1361.75'));
  assert.equal(verdicts(decision).desk, 'jump');
});

test('threat 60: a value ends when its fresh sources become fewer than the minimum', () => {
  const aged = (name: string, minutes: number) =>
    reading(name, rate('USD', '1361.5', { asOfMs: NOW - minutes * 60_000 }));
  const readings = [aged('a', 0), aged('b', 20), aged('c', 40)];
  const endsIn = (minimum: number) => (valueIn(decide(minimum, readings)).validUntilMs! - NOW) / 60_000;
  assert.deepEqual([endsIn(1), endsIn(2), endsIn(3)], [60, 40, 20]);
});

test('a sample of test mode has no end', () => {
  assert.equal(valueIn(decide(1, [reading('desk', rate('USD', '1361.5'))])).validUntilMs, null);
});

test('a first number of one source is compared with the reference values', () => {
  assert.equal(usd(decide(1, dollars('2000'))), e4('2000'));
  assert.equal(valueIn(decide(1, dollars('2800'))).gap, 'jump_unconfirmed');
  assert.equal(usd(decide(1, dollars('2800', '2800'))), e4('2800'));
});

test('when a price of the desk ends, one source may return to where it was before', () => {
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

test('threat 61: a price of the desk that ends gives one source no second 5 %', () => {
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
  // Less than 5 % from what it said before the desk set the price.
  assert.equal(valueIn(alone('1090')).gap, 'jump_unconfirmed');
});

test('threat 61: one source comes back from a number that was wrong by nearly 5 %, and never further than 5 % from where the day began', () => {
  const first = { USD: accepted('1000') };
  const low = decide(1, dollars('951'), { last: first });
  assert.equal(usd(low), e4('951'));
  const afterLow = { last: findLastAccepted(low) };
  // 1004 is 5.6 % above the number that was wrong, and 0.4 % from the truth before it.
  assert.equal(usd(decide(1, dollars('1004'), afterLow)), e4('1004'));
  assert.equal(usd(decide(1, dollars('1050'), afterLow)), e4('1050'));
  for (const value of ['1050.0001', '949.9999'])
    assert.equal(valueIn(decide(1, dollars(value), afterLow)).gap, 'jump_unconfirmed', value);
});
