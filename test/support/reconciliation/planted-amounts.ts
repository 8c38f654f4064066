// Planted charges and amounts: what is planted, what the page says, and what it proposes.
import { makeRow } from './planted-days.ts';
import {
  chargeRow,
  chargeRows,
  credit,
  FRIDAY,
  MONDAY,
  PAID,
  type Planted,
  paidRow,
  payout,
  REFERENCE,
  SECOND,
  SESSION,
} from './planted-parts.ts';

export const PLANTED_AMOUNTS: readonly Planted[] = [
  {
    planted: 'the fee is ₦50 instead of ₦25, with the same reference',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY),
        rows: [paidRow(FRIDAY), ...chargeRows(FRIDAY, { 'NIP CHARGE': -50_00n })],
      },
    ],
    says: [
      [
        'charge_differs',
        'The bank charged ₦50.00; the books have ₦25.00 for this charge.',
        /^Book ₦25\.00 of transfer fee: `naira charge --what transfer_fee --amount 25\.00 --day 2026-11-13 --reference "mov-01k9z+a"`\.$/,
      ],
    ],
    books: ['₦25.00', 'bank_charged'],
  },
  {
    planted: 'the fee is ₦50 instead of ₦25, and the duty of the day is one row without a reference',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY),
        rows: [
          paidRow(FRIDAY),
          chargeRow(FRIDAY, -50_00n, 'NIP CHARGE'),
          chargeRow(FRIDAY, -1_88n, 'VAT ON NIP CHARGE'),
          chargeRow(FRIDAY, -50_00n, 'STAMP DUTY', null),
        ],
      },
    ],
    says: [
      [
        'charge_differs',
        'The bank charged ₦50.00; the books have ₦25.00 for this charge.',
        /^Book ₦25\.00 of/,
      ],
    ],
    books: ['₦25.00', 'bank_charged'],
  },
  {
    planted: 'the fee with its tax is one row and has doubled',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY),
        rows: [
          paidRow(FRIDAY),
          chargeRow(FRIDAY, -53_76n, 'NIP CHARGE + VAT'),
          chargeRow(FRIDAY, -50_00n, 'STAMP DUTY'),
        ],
      },
    ],
    says: [
      [
        'charge_differs',
        'The bank charged ₦53.76; the books have ₦26.88 for this charge.',
        /^Book ₦26\.88 of transfer fee/,
      ],
    ],
    books: ['₦26.88', 'bank_charged'],
  },
  {
    planted: 'the fee is lower than the books have it',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY),
        rows: [paidRow(FRIDAY), ...chargeRows(FRIDAY, { 'NIP CHARGE': -10_00n })],
      },
    ],
    says: [
      [
        'charge_differs',
        'The bank charged ₦10.00; the books have ₦25.00 for this charge.',
        /^Book ₦15\.00 of returned transfer fee: `naira charge --what transfer_fee --returned --amount 15\.00/,
      ],
    ],
    books: ['₦15.00', 'charge_returned'],
  },
  {
    planted: 'the fee is ₦50 instead of ₦25, and no row has a reference',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY),
        rows: [paidRow(FRIDAY), ...chargeRows(FRIDAY, { 'NIP CHARGE': -50_00n }, null)],
      },
      { day: MONDAY },
    ],
    says: [
      [
        'only_in_books',
        'In the books, but on no statement: -₦25.00 (bank_charged) of mov mov-01k9zzzzzzzzzzzzzzzzzzzzza.',
        /^Ask the bank/,
      ],
      [
        'charge_unclear',
        'A charge of ₦50.00 on the statement of 2026-11-13 fits no booked charge, but the books have charges that no row shows.',
        /^Compare it with the charges that are only in the books\. Book only what they lack/,
      ],
    ],
  },
  ...[true, false].map(
    (isNamed): Planted => ({
      planted: `a payout is ₦50 too high, and its charges are rows ${isNamed ? 'with' : 'without'} a reference`,
      days: [
        {
          day: FRIDAY,
          items: payout(FRIDAY),
          rows: [paidRow(FRIDAY, PAID - 50_00n), ...chargeRows(FRIDAY, {}, isNamed ? REFERENCE : null)],
        },
      ],
      says: [
        [
          'amount_differs',
          'The books have ₦100,000.00, the statement ₦100,050.00 for the same transfer: the bank paid ₦50.00 more.',
          /^Ask the bank to return ₦50\.00\. Book nothing: it is not a charge/,
        ],
      ],
    }),
  ),
  {
    planted: 'a payout is ₦50 too high, and the duty of another payout is in the books',
    days: [
      {
        day: FRIDAY,
        items: [...payout(FRIDAY), ...payout(FRIDAY, SECOND)],
        rows: [
          paidRow(FRIDAY, PAID - 50_00n),
          paidRow(FRIDAY, PAID, { narration: `NIP TRF/${SECOND}` }),
          ...chargeRows(FRIDAY, {}, null),
          ...chargeRows(FRIDAY, {}, null),
        ],
      },
    ],
    says: [
      [
        'amount_differs',
        'The books have ₦100,000.00, the statement ₦100,050.00 for the same transfer: the bank paid ₦50.00 more.',
        /^Ask the bank to return ₦50\.00/,
      ],
    ],
  },
  {
    planted: 'a payout is ₦1,000 too low',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY),
        rows: [paidRow(FRIDAY, PAID + 1_000_00n), ...chargeRows(FRIDAY)],
      },
    ],
    says: [
      [
        'amount_differs',
        'The books have ₦100,000.00, the statement ₦99,000.00 for the same transfer: the bank paid ₦1,000.00 less.',
        /^Ask the bank where the ₦1,000\.00 are/,
      ],
    ],
  },
  {
    planted: 'a credit is ₦50 lower than the feed reported',
    days: [
      {
        day: FRIDAY,
        items: [credit(FRIDAY, [SESSION])],
        rows: [makeRow(FRIDAY, 14_950_00n, { sessionId: SESSION })],
      },
    ],
    says: [
      [
        'amount_differs',
        'The books have ₦15,000.00, the statement ₦14,950.00 for the same transfer: the bank credited ₦50.00 less.',
        /^Ask the bank why the amounts differ by ₦50\.00/,
      ],
    ],
  },
  {
    planted: 'a bank charge without a payout',
    days: [{ day: FRIDAY, rows: [chargeRow(FRIDAY, -52_50n, 'SMS ALERT CHARGES OCT', null)] }],
    says: [
      [
        'only_on_statement',
        'A charge of ₦52.50 on the statement of 2026-11-13 is not in the books.',
        /^Book ₦52\.50 of transfer fee: `naira charge --what transfer_fee --amount 52\.50 --day 2026-11-13 --reference "SMS ALERT CHARGES OCT"`\.$/,
      ],
    ],
    books: ['₦52.50', 'bank_charged'],
  },
  {
    planted: 'a stamp duty that the books lack',
    days: [{ day: FRIDAY, rows: [chargeRow(FRIDAY, -50_00n, 'STAMP DUTY/11223344', null)] }],
    says: [
      [
        'only_on_statement',
        'A charge of ₦50.00 on the statement of 2026-11-13 is not in the books.',
        /^Book ₦50\.00 of stamp duty/,
      ],
    ],
    books: ['₦50.00', 'stamp_duty_charged'],
  },
  {
    planted: 'VAT and levy of two payouts are one row each',
    days: [
      {
        day: FRIDAY,
        items: [...payout(FRIDAY), ...payout(FRIDAY, SECOND)],
        rows: [
          paidRow(FRIDAY),
          paidRow(FRIDAY, PAID, { narration: `NIP TRF/${SECOND}` }),
          chargeRow(FRIDAY, -25_00n, 'NIP CHARGE'),
          chargeRow(FRIDAY, -25_00n, 'NIP CHARGE', SECOND),
          chargeRow(FRIDAY, -3_76n, 'VAT FOR 13/11', null),
          chargeRow(FRIDAY, -100_00n, 'STAMP DUTY FOR 13/11', null),
        ],
      },
    ],
    says: [],
  },
  {
    planted: 'the levy row of the day has one levy too many',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY),
        rows: [paidRow(FRIDAY), ...chargeRows(FRIDAY, { 'STAMP DUTY': -100_00n })],
      },
    ],
    says: [
      [
        'charge_differs',
        'The bank charged ₦100.00; the books have ₦50.00 for this charge.',
        /^Book ₦50\.00 of stamp duty/,
      ],
    ],
    books: ['₦50.00', 'stamp_duty_charged'],
  },
  {
    planted: 'the bank returned a payout, and the rail did not report it',
    days: [
      {
        day: FRIDAY,
        items: payout(FRIDAY, REFERENCE, false),
        rows: [paidRow(FRIDAY), makeRow(FRIDAY, -PAID, { kind: 'reversal', narration: `RVSL ${REFERENCE}` })],
      },
    ],
    says: [
      [
        'only_on_statement',
        'A reversal of ₦100,000.00 on the statement of 2026-11-13 is not in the books.',
        /^Find the transfer that the bank reversed/,
      ],
    ],
  },
];
