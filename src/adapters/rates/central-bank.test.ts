// Tests the central bank's list. The newest row of each currency counts, in any order of rows, and no rate is guessed from a
// broken row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SourceFailure } from '../../ports/rates.ts';
import { centralBank } from './central-bank.ts';

const NOON = Date.parse('2026-11-13T12:00:00+01:00');
const parse = (rows: unknown, askedAtMs = NOON) =>
  centralBank.parse({ text: JSON.stringify(rows), askedAtMs, datedMs: null, cachedForMs: 0 });
const row = (currency: string, ratedate: string, centralrate: unknown, id?: number) => ({
  ...(id === undefined ? {} : { id }),
  ...{ currency, ratedate, buyingrate: '1.0000', centralrate, sellingrate: '9999.0000' },
});
const shown = (rows: unknown, askedAtMs?: number) =>
  Object.fromEntries(parse(rows, askedAtMs).map(({ currency, valueE4 }) => [currency, valueE4]));
const isUnreadable = (error: unknown) => error instanceof SourceFailure && error.code === 'unreadable';

test('the newest central rate of each currency is reported, dated at the start of its day in Lagos', () => {
  const rates = parse([
    row('US DOLLAR', '2026-11-12', '1361.5000', 3),
    row('US DOLLAR', '2026-11-11', '1360.0000', 1),
    row('POUNDS STERLING', '2026-11-11', '1826.5000', 2),
    row('YEN', '2026-11-12', '9.1000', 4),
  ]);
  const lagosMidnight = (day: string) => Date.parse(`${day}T00:00:00+01:00`);
  assert.deepEqual(rates, [
    { currency: 'USD', valueE4: 13_615_000n, asOfMs: lagosMidnight('2026-11-12') },
    { currency: 'GBP', valueE4: 18_265_000n, asOfMs: lagosMidnight('2026-11-11') },
  ]);
});

test('every currency name that the bank uses is known, with any spacing, and other names are ignored', () => {
  const names = ['US DOLLAR ', 'pounds  sterling', 'EURO', 'YUAN/RENMINBI', 'SWISS FRANC'];
  const extra = [
    'CANADIAN DOLLAR',
    'UAE DIRHAM',
    'CFA',
    'SDR',
    'RIYAL',
    'WAUA',
    'DOLLAR',
    'AUSTRALIAN DOLLAR',
    '__proto__',
  ];
  const rates = shown([...names, ...extra].map((name, at) => row(name, '2026-11-12', `${at + 1}`, at)));
  assert.deepEqual(Object.keys(rates), ['USD', 'GBP', 'EUR', 'CNY', 'CHF', 'CAD', 'AED']);
  assert.deepEqual(shown([row('POUND STERLING', '2026-11-12', '5')]), { GBP: 50_000n });
});

test('the order of the history does not matter', () => {
  const history = [
    row('US DOLLAR', '2026-11-12', '1361.5', 70),
    row('US DOLLAR', '2026-11-12', '1362.5', 71),
    row('US DOLLAR', '2026-11-11', '1360', 72),
    row('US DOLLAR', '2009-12-01', '148.9', 1),
    row('EURO', '2026-11-10', '1576.3', 60),
    row('EURO', '2026-11-10', '1576.3', 61),
    row('EURO', '2026-10-31', '9', 99),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(history, { minLength: history.length }), (rows) => {
      assert.deepEqual({ ...shown(rows) }, { USD: 13_625_000n, EUR: 15_763_000n });
    }),
  );
});

test('if there are two rows for one day, the higher id counts; if the ids do not decide, the currency is left out', () => {
  const other = row('EURO', '2026-11-12', '1576.3');
  const twice = [row('US DOLLAR', '2026-11-12', '1361.5'), row('US DOLLAR', '2026-11-12', '1488.8')];
  assert.deepEqual(shown([...twice, other]), { EUR: 15_763_000n });
  assert.deepEqual(shown([...twice, other, row('US DOLLAR', '2026-11-12', '1361.5')]), { EUR: 15_763_000n });
  assert.deepEqual(shown([...twice, row('US DOLLAR', '2026-11-11', '1360')].concat(other)), {
    EUR: 15_763_000n,
  });
  assert.deepEqual(shown([...twice, row('US DOLLAR', '2026-11-12', '1400', 5), other]).USD, 14_000_000n);
  assert.deepEqual(shown([twice[0]!, twice[0]!]).USD, 13_615_000n);
  const ids = ['9', '10'].map((id, at) => ({ ...twice[at]!, id }));
  assert.deepEqual(shown(ids).USD, 14_888_000n);
  // A row without a rate is ignored.
  assert.deepEqual(shown([twice[0]!, row('US DOLLAR', '2026-11-12', '')]).USD, 13_615_000n);
});

test('a row without a rate or a date is skipped, and the row of the previous day is used', () => {
  for (const broken of [
    ...['', '-', 'N/A', '1,361.50', 'NaN', null, 1361.5, ['1361.5']].map((rate) =>
      row('US DOLLAR', '2026-11-12', rate),
    ),
    ...[
      '',
      '12/11/2026',
      '2026-13-01',
      '2026-02-30',
      'November-12-2026',
      null,
      20261112,
      '2026-11-12T09:00:00',
    ].map((day) => ({ ...row('US DOLLAR', '', '9'), ratedate: day })),
    ...[null, 'US DOLLAR', 7, [], {}, { currency: 'US DOLLAR' }],
  ])
    assert.deepEqual(
      shown([broken, row('US DOLLAR', '2026-11-11', '1360')]),
      { USD: 13_600_000n },
      JSON.stringify(broken),
    );
  const february = [row('US DOLLAR', '2026-02-30', '9'), row('US DOLLAR', '2026-02-27', '1360')];
  assert.deepEqual(shown(february), { USD: 13_600_000n });
  const timed = row('US DOLLAR', '2026-11-12T00:00:00', '1361.5');
  assert.deepEqual(shown([timed, row('US DOLLAR', '2026-11-11', '1360')]), { USD: 13_615_000n });
});

test('threat 61: zero, a negative rate and a rate of another magnitude are reported unchanged, so that operators see them in the book', () => {
  for (const [rate, valueE4] of [
    ['0.0000', 0n],
    ['-1361.5', -13_615_000n],
    ['136150', 1_361_500_000n],
  ] as const)
    assert.deepEqual(shown([row('US DOLLAR', '2026-11-12', rate), row('US DOLLAR', '2026-11-11', '1360')]), {
      USD: valueE4,
    });
});

test('a row of a future day in Lagos is skipped, so that a mistyped year does not hide the other rows', () => {
  const rows = [
    row('US DOLLAR', '2062-11-12', '1', 9),
    row('US DOLLAR', '2026-11-14', '2', 8),
    row('US DOLLAR', '2026-11-13', '3', 7),
    row('US DOLLAR', '2026-11-12', '4', 6),
  ];
  assert.deepEqual(shown(rows), { USD: 30_000n });
  assert.deepEqual(shown(rows, Date.parse('2026-11-13T23:30:00Z')), { USD: 20_000n });
  assert.deepEqual(shown(rows, Date.parse('2026-11-12T22:30:00Z')), { USD: 40_000n });
});

test('a response that is not a list or has no usable row is unreadable', () => {
  for (const answer of [
    {},
    null,
    'x',
    7,
    [],
    [row('YEN', '2026-11-12', '9')],
    [row('EURO', '2027-01-01', '9')],
    { rows: [] },
  ])
    assert.throws(() => parse(answer), isUnreadable);
});

test('the whole history of the bank is parsed in less than two seconds of CPU time', () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => {
    const day = new Date(Date.UTC(2009, 0, 1) + Math.floor(at / 12) * 86_400_000).toISOString().slice(0, 10);
    return row(['US DOLLAR', 'EURO', 'YEN'][at % 3]!, day, `${1_000 + at}.5000`, at);
  });
  const text = JSON.stringify(rows);
  const { user: beforeUs } = process.cpuUsage();
  const read = centralBank.parse({ text, askedAtMs: NOON, datedMs: null, cachedForMs: 0 });
  const tookMs = (process.cpuUsage().user - beforeUs) / 1_000;
  assert.equal(read.length, 2);
  assert.ok(tookMs < 2_000, `${tookMs} ms of the processor`);
});
