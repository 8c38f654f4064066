// Tests every row of this release's bank charges, and the days and amounts at which one rule ends and the next begins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferCharges } from '../../domain/catalogue/bank-charges.ts';
import { parseBankCharges, readBankCharges } from './bank-charges.ts';

const TABLE = readBankCharges(null);
const N = (naira: number) => BigInt(naira) * 100n;
const at = (text: string) => Date.parse(text);
const asked = (amountMinor: bigint, time: string, table = TABLE) => {
  const { feeMinor, vatMinor, stampDutyMinor } = transferCharges(table, amountMinor, at(time));
  return [feeMinor, vatMinor, stampDutyMinor];
};

const ROWS: readonly (readonly [amountMinor: bigint, fee: bigint, vat: bigint, duty: bigint])[] = [
  [1n, N(10), 75n, 0n],
  [N(5_000), N(10), 75n, 0n],
  [N(5_000) + 1n, N(25), 188n, 0n],
  [N(10_000) - 1n, N(25), 188n, 0n],
  [N(10_000), N(25), 188n, N(50)],
  [N(50_000), N(25), 188n, N(50)],
  [N(50_000) + 1n, N(50), 375n, N(50)],
  [N(100_000), N(50), 375n, N(50)],
  [N(1_000_000_000), N(50), 375n, N(50)],
];

for (const [amountMinor, ...expected] of ROWS)
  test(`a transfer of ${amountMinor} kobo in November 2026 costs ${expected.join(' + ')}`, () => {
    assert.deepEqual(asked(amountMinor, '2026-11-16T12:00:00Z'), expected);
  });

test('the sender pays stamp duty from midnight in Lagos on 1 January 2026; before that the receiver pays it', () => {
  assert.deepEqual(asked(N(100_000), '2025-12-31T22:59:59.999Z'), [N(50), 375n, 0n]);
  assert.deepEqual(asked(N(100_000), '2025-12-31T23:00:00Z'), [N(50), 375n, N(50)]);
});

test('a transfer before the date of the first rule is charged nothing', () => {
  assert.deepEqual(asked(N(100_000), '2019-12-31T22:59:59Z'), [0n, 0n, 0n]);
  assert.deepEqual(asked(N(100_000), '2019-12-31T23:00:00Z'), [N(50), 375n, 0n]);
});

const RULE = {
  from: '2026-01-01',
  transfer_fee: [
    { up_to: '5000', fee: '10' },
    { up_to: null, fee: '26.88' },
  ],
  vat_bps: 750,
  stamp_duty: { from_amount: '10000', duty: '50', paid_by: 'sender' },
};
const parsed = (...rules: readonly object[]) => parseBankCharges(JSON.stringify({ rules }));

test('in the operator’s own file, a new price applies from its start day', () => {
  const table = parsed(RULE, { ...RULE, from: '2027-03-01', vat_bps: 1_000 });
  assert.deepEqual(asked(N(6_000), '2027-02-28T22:59:59Z', table), [2_688n, 202n, 0n]);
  assert.deepEqual(asked(N(6_000), '2027-02-28T23:00:00Z', table), [2_688n, 269n, 0n]);
});

test('a file with a mistake is refused with a message that names the rule and the field', () => {
  const [first, last] = RULE.transfer_fee;
  for (const [rules, message] of [
    [[], /: rules must be a list of rules/],
    [[{ ...RULE, from: '2026-02-30' }], /rules\[0\]\.from must be a day/],
    [[{ ...RULE, from: '2026-01-01T00:00:00Z' }], /rules\[0\]\.from must be a day/],
    [[RULE, RULE], /rules\[1\]\.from must be later than/],
    [[{ ...RULE, vat_bps: 7.5 }], /rules\[0\]\.vat_bps must be a whole number/],
    [[{ ...RULE, vat: 750 }], /rules\[0\]\.vat is not a known field/],
    [[{ ...RULE, transfer_fee: [] }], /rules\[0\]\.transfer_fee must be a list/],
    [[{ ...RULE, transfer_fee: [first] }], /transfer_fee\[0\]\.up_to must be null in the last/],
    [[{ ...RULE, transfer_fee: [last, last] }], /transfer_fee\[0\]\.up_to must be null in the last/],
    [[{ ...RULE, transfer_fee: [first, first, last] }], /transfer_fee\[1\]\.up_to must be higher than/],
    [[{ ...RULE, transfer_fee: [{ up_to: null, fee: 10 }] }], /transfer_fee\[0\]\.fee must be naira as text/],
    [
      [{ ...RULE, stamp_duty: { ...RULE.stamp_duty, paid_by: 'both' } }],
      /rules\[0\]\.stamp_duty\.paid_by must be/,
    ],
    [
      [{ ...RULE, stamp_duty: { ...RULE.stamp_duty, duty: '-1' } }],
      /rules\[0\]\.stamp_duty\.duty must be naira/,
    ],
  ] as const)
    assert.throws(() => parsed(...rules), message);
  assert.throws(() => readBankCharges('/nowhere/charges.json'), /\/nowhere\/charges.json: It cannot be read/);
});
