// The layouts of CSV files and tables with their expected imports.
import { byBalance, bySide, held, type Layout, refused } from './layouts.ts';

const OUT = '2026-05-04,TRF REFUND ORDER-7731A';
const IN = '2026-05-04,NIP/KUDA/ADA OBI/ORDER-7731B';

/** `columns`: the columns after the date and the details. `out` and `into`: the cells of the debit and of the credit. */
const table = (columns: string, out: string, into: string, above = '') =>
  `${above}Date,Details,${columns}\n${OUT},${out}\n${IN},${into}\n`;

const OPENING = 'Opening Balance,"100,000.00"\n';
const NO_COLUMN = /\(line 2.*no column says whether the amount is a debit or a credit/s;

const html = (columns: readonly string[], out: readonly string[], into: readonly string[]) => {
  const row = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const rows = [
    ['Date', 'Details', ...columns],
    [...OUT.split(','), ...out],
    [...IN.split(','), ...into],
  ];
  return `<html><body><table>${rows.map(row).join('\n')}</table></body></html>`;
};

const sides: readonly Layout[] = (
  [
    ['Type', 'Debit', 'Credit'],
    ['Type', 'DR', 'CR'],
    ['Transaction Type', 'Withdrawal', 'Deposit'],
    ['Direction', 'OUT', 'IN'],
    ['Dr/Cr Flag', 'D', 'C'],
    ['DR/CR', 'Dr.', 'Cr.'],
    ['Debit/Credit Indicator', 'DBIT', 'CRDT'],
    ['Money In/Out', 'Money Out', 'Money In'],
    ['Entry Type', 'Outward', 'Lodgement'],
  ] as const
).map(([column, out, into]) => ({
  name: `one amount, ${column}: ${out} and ${into}`,
  text: table(`Amount,${column}`, `25000.00,${out}`, `40000.00,${into}`),
  expected: bySide(),
}));

const withoutSide: readonly Layout[] = [
  {
    name: 'an amount without sign, side or balance',
    text: table('Amount', '25000.00', '40000.00'),
    expected: refused(NO_COLUMN),
  },
  {
    name: 'one row with an amount without sign, side or balance',
    text: `Date,Details,Amount\n${OUT},25000.00\n`,
    expected: refused(/\(line 2\): no column says whether the amount is a debit or a credit/),
  },
  {
    name: 'an amount with a sign, and no side or balance',
    text: table('Amount', '-25000.00', '40000.00'),
    expected: refused(NO_COLUMN),
  },
  {
    name: 'Moniepoint: the amount of the transaction, and types that are no sides',
    text: table('Transaction Type,Transaction Amount (NGN)', 'TRANSFER,25000.00', 'TRANSFER,40000.00'),
    expected: refused(/\(line 2 and 1 more\): column 3 says neither debit nor credit/),
  },
  {
    name: 'Moniepoint: balances that move by the amount and a charge',
    text: table(
      'Transaction Amount (NGN),Balance After',
      '25000.00,"74,980.00"',
      '40000.00,"114,960.00"',
      OPENING,
    ),
    expected: refused(/no column says.*and the balances do not prove it/s),
  },
  {
    name: 'a side in every row but one',
    text: table('Amount,Type', '25000.00,', '40000.00,Credit'),
    expected: refused(/\(line 2\): column 4 says neither debit nor credit/),
  },
  {
    name: 'HTML: an amount without sign, side or balance',
    text: html(['Amount'], ['25000.00'], ['40000.00']),
    expected: refused(/no column says/),
  },
];

const balances: readonly Layout[] = [
  {
    name: 'unsigned amounts that an opening balance and the running balance prove',
    text: table('Amount,Balance', '25000.00,75000.00', '40000.00,115000.00', OPENING),
    expected: byBalance(),
  },
  {
    name: 'unsigned amounts, the newest row first',
    text: `${OPENING}Date,Details,Amount,Balance\n2026-05-05,NIP/KUDA/ADA OBI,40000.00,115000.00\n${OUT},25000.00,75000.00\n`,
    expected: byBalance(),
  },
  {
    name: 'unsigned amounts without an opening balance: the oldest row is left out',
    text: table('Amount,Balance', '25000.00,75000.00', '40000.00,115000.00'),
    expected: byBalance(['4000000']),
  },
  {
    name: 'one unsigned row with a balance',
    text: `Date,Details,Amount,Balance\n${OUT},25000.00,75000.00\n`,
    expected: refused(/^Nothing before this row shows/),
  },
  {
    name: 'equal unsigned amounts of one day, which both orders of rows explain',
    text: table('Amount,Balance', '25000.00,75000.00', '25000.00,100000.00'),
    expected: refused(/the balances do not prove it/),
  },
  {
    name: 'an unsigned row behind one that cannot be read',
    text: `${OPENING}Date,Details,Amount,Balance\n2026-05-04,A,5e4,150000.00\n${OUT},25000.00,125000.00\n`,
    expected: refused(/not certain|Nothing before this row/),
  },
  {
    name: 'signed amounts that the running balance proves',
    text: table('Amount,Balance', '-25000.00,75000.00', '40000.00,115000.00', OPENING),
    expected: byBalance(),
  },
  {
    name: 'signed amounts: a minus that the balance proves is believed for the oldest row',
    text: `Date,Details,Amount,Balance\n${IN},40000.00,140000.00\n${OUT},-25000.00,115000.00\n`,
    expected: { kind: 'accepted', released: ['-2500000', '4000000'], by: ['balance', 'signs'] },
  },
  {
    name: 'signed amounts, and a debit without a minus',
    text: `${table('Amount,Balance', '25000.00,75000.00', '40000.00,115000.00', OPENING)}2026-05-04,NIP CHARGE,-10.00,114990.00\n`,
    expected: held(/the balance moves in the opposite direction to the row/),
  },
  {
    name: 'an amount with a minus, and a balance that rises',
    text: `${OPENING}Date,Details,Amount,Balance\n${OUT},-25000.00,125000.00\n`,
    expected: refused(/the balances do not prove it/),
  },
  {
    name: 'types that are no sides, beside a balance that proves each row',
    text: table('Type,Amount,Balance', 'TRANSFER,25000.00,75000.00', 'TRANSFER,40000.00,115000.00', OPENING),
    expected: byBalance(),
  },
  {
    name: 'a side that says credit, and an opening balance that falls',
    text: `${OPENING}Date,Details,Amount,Type,Balance\n${OUT},25000.00,Credit,75000.00\n`,
    expected: held(/the balance moves in the opposite direction/),
  },
  {
    name: 'an amount as credit, and an opening balance that falls',
    text: `${OPENING}Date,Details,Debit,Credit,Balance\n${OUT},,25000.00,75000.00\n`,
    expected: held(/the balance moves in the opposite direction/),
  },
];

const columns: readonly Layout[] = [
  {
    name: 'two columns',
    text: table('Debit,Credit', '25000.00,', ',40000.00'),
    expected: bySide(),
  },
  {
    name: 'two columns, debits with a minus',
    text: table('Withdrawals,Deposits', '-25000.00,', ',40000.00'),
    expected: bySide(),
  },
  {
    name: 'two columns beside an amount of the transaction',
    text: table('Transaction Amount,Debit,Credit', '25000.00,25010.00,', '40000.00,,40000.00'),
    expected: bySide(['-2501000', '4000000']),
  },
  {
    name: 'two columns, both filled',
    text: table('Debit,Credit', '25000.00,25000.00', ',40000.00'),
    expected: held(/has an amount as debit and as credit: its day has the state "gap"/),
  },
  {
    name: 'two columns, a negative credit',
    text: table('Debit,Credit', ',-25000.00', ',40000.00'),
    expected: held(/in the credit column but negative/),
  },
  {
    name: 'two columns, a credit that says DR',
    text: table('Debit,Credit', ',25000.00 DR', ',40000.00'),
    expected: held(/in the credit column but negative/),
  },
  {
    name: 'two columns, a debit that says CR',
    text: table('Debit,Credit', '25000.00 CR,', ',40000.00'),
    expected: held(/in the debit column but marked as a credit/),
  },
  {
    name: 'two columns, and a type that says otherwise',
    text: table('Debit,Credit,Type', ',25000.00,Debit', ',40000.00,Credit'),
    expected: held(/marked as credit, but another column contradicts it/),
  },
  {
    name: 'CR and DR behind the amount',
    text: table('Amount', '"25,000.00 DR"', '"40,000.00 CR"'),
    expected: bySide(),
  },
  {
    name: 'CR behind the amount, and a type that says debit',
    text: table('Amount,Type', '25000.00 CR,Debit', '40000.00 CR,Credit'),
    expected: held(/is a debit and that it is a credit/),
  },
  {
    name: 'two columns of sides that contradict each other',
    text: table('Amount,Type,DR/CR', '25000.00,Debit,CR', '40000.00,Credit,CR'),
    expected: held(/is a debit and that it is a credit/),
  },
  {
    name: 'a negative amount that is called a credit',
    text: table('Amount,Type', '-25000.00,Credit', '40000.00,Credit'),
    expected: held(/negative, and the row says that it is a credit/),
  },
  {
    name: 'a negative amount that is called a debit',
    text: table('Amount,Type', '-25000.00,Debit', '40000.00,Credit'),
    expected: bySide(),
  },
  {
    name: 'HTML: Type: Debit',
    text: html(['Amount', 'Type'], ['25000.00', 'Debit'], ['40000.00', 'Credit']),
    expected: bySide(),
  },
];

export const tableLayouts: readonly Layout[] = [...sides, ...withoutSide, ...balances, ...columns];
