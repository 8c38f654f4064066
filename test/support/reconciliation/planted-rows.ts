// Planted rows and days: rows shown twice, rows of strangers, missing and late days.
import { makeWorkingDays } from '../../../src/domain/reconciliation/working-days.ts';
import { makeItem, makeRow } from './planted-days.ts';
import {
  credit,
  creditRow,
  FRIDAY,
  MONDAY,
  OTHER_SESSION,
  type Planted,
  paidRow,
  payout,
  REFERENCE,
  SECOND,
  SESSION,
  THURSDAY,
  TUESDAY,
  WEDNESDAY,
} from './planted-parts.ts';
export const PLANTED_ROWS: readonly Planted[] = [
  {
    planted: 'the statement shows a debit twice',
    days: [
      { day: FRIDAY, items: payout(FRIDAY, REFERENCE, false), rows: [paidRow(FRIDAY), paidRow(FRIDAY)] },
    ],
    says: [
      [
        'shown_twice',
        'The statement shows a debit of ₦100,000.00 twice: on 2026-11-13 and on 2026-11-13, with the same reference. The books have it once.',
        /^Ask the bank to return ₦100,000\.00\. Book nothing/,
      ],
    ],
  },
  {
    planted:
      'the statement shows a debit twice, the second time on the next day, beside another payout of the same amount',
    days: [
      { day: MONDAY, items: payout(MONDAY, REFERENCE, false), rows: [paidRow(MONDAY)] },
      { day: TUESDAY, items: payout(TUESDAY, SECOND, false), rows: [paidRow(TUESDAY)] },
    ],
    says: [
      [
        'shown_twice',
        'The statement shows a debit of ₦100,000.00 twice: on 2026-11-16 and on 2026-11-17, with the same reference. The books have it once.',
        /^Ask the bank to return/,
      ],
    ],
  },
  {
    planted: 'the statement shows a credit twice',
    days: [
      { day: MONDAY, items: [credit(MONDAY, [SESSION])], rows: [creditRow(MONDAY, { sessionId: SESSION })] },
      { day: TUESDAY, rows: [creditRow(TUESDAY, { narration: `NIP/${SESSION}/ADA` })] },
    ],
    says: [
      [
        'shown_twice',
        'The statement shows a credit of ₦15,000.00 twice: on 2026-11-16 and on 2026-11-17, with the same reference. The books have it once.',
        /^Ask the bank which of the two is right\. Do not count it a second time/,
      ],
    ],
  },
  {
    planted: 'the statement of a day is missing, and later days have one',
    days: [
      {
        day: THURSDAY,
        items: [credit(THURSDAY, [SESSION])],
        rows: [creditRow(THURSDAY, { sessionId: SESSION })],
      },
      { day: FRIDAY, items: [credit(FRIDAY, [OTHER_SESSION])], rows: null, unseenMinor: 15_000_00n },
      { day: MONDAY, rows: [] },
      { day: TUESDAY, rows: [] },
    ],
    says: [
      [
        'days_missing',
        'No statement shows what happened from 2026-11-13 to 2026-11-15: the balance changed by ₦15,000.00 meanwhile.',
        /^Import the statement of these days \(from 2026-11-13 to 2026-11-15\)\.$/,
      ],
    ],
  },
  {
    planted: 'a day is empty in a file whose balances say that something happened',
    days: [
      { day: MONDAY, items: [credit(MONDAY, [SESSION])], rows: [creditRow(MONDAY, { sessionId: SESSION })] },
      { day: TUESDAY, items: [credit(TUESDAY, [OTHER_SESSION])], rows: null, unseenMinor: 15_000_00n },
      { day: WEDNESDAY, rows: [] },
      { day: '2026-11-30', rows: [] },
    ],
    says: [
      [
        'days_missing',
        'No statement shows what happened on 2026-11-17: the balance changed by ₦15,000.00 meanwhile.',
        /^Import the statement of these days \(on 2026-11-17\)\.$/,
      ],
    ],
  },
  {
    planted: 'a row appears a day late',
    days: [
      { day: MONDAY, items: [credit(MONDAY, [SESSION])] },
      { day: TUESDAY, rows: [creditRow(TUESDAY, { sessionId: SESSION })] },
    ],
    says: [],
  },
  {
    planted: 'the reversal of another transfer has the amount of an unknown debit',
    days: [
      {
        day: FRIDAY,
        rows: [
          makeRow(FRIDAY, -900_00n, { narration: 'TRF TO OWN' }),
          makeRow(FRIDAY, 900_00n, { narration: `RVSL ${SECOND}`, kind: 'reversal' }),
        ],
      },
    ],
    says: [
      [
        'only_on_statement',
        'A debit of ₦900.00 on the statement of 2026-11-13 is not in the books.',
        /stop payouts and ask the bank/,
      ],
      [
        'only_on_statement',
        'A reversal of ₦900.00 on the statement of 2026-11-13 is not in the books.',
        /^Find the transfer that the bank reversed/,
      ],
    ],
  },
  {
    planted: 'another payer pays the same amount with another session id, which only the narration has',
    days: [
      {
        day: FRIDAY,
        items: [credit(FRIDAY, [SESSION])],
        rows: [creditRow(FRIDAY, { narration: `NIP/BELLO/${OTHER_SESSION}` })],
      },
      { day: MONDAY },
    ],
    says: [
      [
        'only_in_books',
        'In the books, but on no statement: ₦15,000.00 (credit_received) of',
        /^Ask the bank/,
      ],
      [
        'only_on_statement',
        'A credit of ₦15,000.00 on the statement of 2026-11-13 is not in the books.',
        /^Identify the payer/,
      ],
    ],
  },
  {
    planted: 'another payer pays the same amount, and the account numbers differ',
    days: [
      {
        day: FRIDAY,
        items: [credit(FRIDAY, [], { parties: ['0123456785', 'adaobi'] })],
        rows: [creditRow(FRIDAY, { payerAccount: '9173724912' })],
      },
      { day: MONDAY },
    ],
    says: [
      [
        'only_in_books',
        'In the books, but on no statement: ₦15,000.00 (credit_received) of',
        /^Ask the bank/,
      ],
      [
        'only_on_statement',
        'A credit of ₦15,000.00 on the statement of 2026-11-13 is not in the books.',
        /^Identify the payer/,
      ],
    ],
  },
  {
    planted: 'the report about a credit of the same round amount waits for people',
    days: [
      {
        day: FRIDAY,
        items: [credit(FRIDAY, [])],
        rows: [creditRow(FRIDAY, { id: 'left/1', narration: 'NIP/BELLO' })],
      },
      { day: MONDAY },
    ],
    given: { unmatchedRows: new Map([['left/1', 'case']]) },
    says: [
      [
        'only_in_books',
        'In the books, but on no statement: ₦15,000.00 (credit_received) of',
        /^Ask the bank/,
      ],
      [
        'report_without_credit',
        'A credit of ₦15,000.00 on the statement of 2026-11-13 matches no booked credit: the payer, the session id or the time differ, although an amount may be equal.',
        /^Decide the case about its report/,
      ],
    ],
  },
  {
    planted: 'an unnamed debit and an unnamed credit of the same amount',
    days: [{ day: FRIDAY, rows: [makeRow(FRIDAY, -900_00n), makeRow(FRIDAY, 900_00n)] }],
    says: [
      [
        'only_on_statement',
        'A debit of ₦900.00 on the statement of 2026-11-13 is not in the books.',
        /stop payouts/,
      ],
      [
        'only_on_statement',
        'A credit of ₦900.00 on the statement of 2026-11-13 is not in the books.',
        /^Identify the payer/,
      ],
    ],
  },
  {
    planted: 'a debit and a reversal of the same amount with different session ids',
    days: [
      {
        day: FRIDAY,
        rows: [
          makeRow(FRIDAY, -900_00n, { sessionId: SESSION }),
          makeRow(FRIDAY, 900_00n, { sessionId: OTHER_SESSION, kind: 'reversal', narration: 'RVSL TRF' }),
        ],
      },
    ],
    says: [
      [
        'only_on_statement',
        'A debit of ₦900.00 on the statement of 2026-11-13 is not in the books.',
        /stop payouts/,
      ],
      [
        'only_on_statement',
        'A reversal of ₦900.00 on the statement of 2026-11-13 is not in the books.',
        /^Find the transfer/,
      ],
    ],
  },
  {
    planted: 'a row with the amount of a payout, twelve working days later',
    days: [
      {
        day: '2026-11-02',
        items: [makeItem('2026-11-02', -700_00n, { event: 'payout_paid', subjectId: 'mov_9' })],
      },
      { day: '2026-11-03' },
      { day: WEDNESDAY, rows: [makeRow(WEDNESDAY, -700_00n)] },
    ],
    says: [
      [
        'only_in_books',
        'In the books, but on no statement: -₦700.00 (payout_paid) of mov_9.',
        /^Ask the bank/,
      ],
      [
        'only_on_statement',
        'A debit of ₦700.00 on the statement of 2026-11-18 is not in the books.',
        /stop payouts/,
      ],
    ],
  },
  {
    planted:
      'cut-off at midnight: booked at 23:59, on the statement of the next day, and the other way round',
    days: [
      {
        day: MONDAY,
        items: [credit(MONDAY, [SESSION])],
        rows: [makeRow(MONDAY, -700_00n, { sessionId: OTHER_SESSION })],
      },
      {
        day: TUESDAY,
        items: [makeItem(TUESDAY, -700_00n, { event: 'payout_paid', sessions: [OTHER_SESSION] })],
        rows: [creditRow(TUESDAY, { sessionId: SESSION })],
      },
    ],
    says: [],
  },
  {
    planted: 'a transfer of Friday evening is on the statement of Monday',
    days: [
      { day: FRIDAY, items: [credit(FRIDAY, [])] },
      { day: '2026-11-14' },
      { day: MONDAY, rows: [creditRow(MONDAY, {})] },
    ],
    says: [],
  },
  {
    planted: 'a transfer before Christmas is on the statement after two public holidays and a weekend',
    days: [
      { day: '2026-12-24', items: [credit('2026-12-24', [])] },
      ...['25', '26', '27', '28'].map((day) => ({ day: `2026-12-${day}` })),
      { day: '2026-12-29', rows: [creditRow('2026-12-29', {})] },
    ],
    given: { workingDays: makeWorkingDays(new Set(['2026-12-25', '2026-12-28'])) },
    says: [],
  },
];
