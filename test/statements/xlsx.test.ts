// Excel workbooks: rows are read exactly through the column profiles, and dangerous or broken workbooks are refused clearly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import type { ParsedRow, StatementItem } from '../../src/domain/statements/row.ts';
import { UnreadableStatement } from '../../src/ports/statements.ts';
import { makeWorkbook, sheetRow, zipParts } from '../support/statements/make-workbook.ts';

const readers = makeStatementReaders(null);

async function read(bytes: Buffer, profile: string | null = null) {
  const opened = await readers.open(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
    })(),
    profile,
  );
  const items: StatementItem[] = [];
  for await (const group of opened.items) items.push(...group);
  return {
    ...opened,
    rows: items.flatMap((item) => (item.kind === 'row' ? [item.row] : [])),
    problems: items.flatMap((item) => (item.kind === 'problem' ? [item.problem] : [])),
    accounts: items.flatMap((item) => (item.kind === 'account' ? [item.text] : [])),
  };
}

const HEADER = ['Date', 'Narration', 'Debit', 'Credit', 'Balance', 'Sender Name', 'Session ID'];
const shown = ({ day, amountMinor, balanceMinor, narration, payer }: ParsedRow) => [
  ...[day, amountMinor, balanceMinor, narration, payer?.name ?? null],
];

test('numbers, dates and texts of a workbook are read exactly; rows that cannot be are listed', async () => {
  const rows = [
    sheetRow(1, ['Account No: 9900113003']),
    sheetRow(3, HEADER),
    sheetRow(4, [
      'date:45962',
      'NIP ONE',
      '',
      '<c r="D4"><v>1234.5600000000001</v></c>',
      11_234.56,
      'ADA OBI',
    ]),
    sheetRow(5, ['date:45962.75', '<c r="B5" t="s"><v>1</v></c>', 1000, '', '10,234.56']),
    sheetRow(7, ['02/11/2025', 'NIP THREE', '', 0.005, 1]),
    sheetRow(8, ['date:45964', 'NIP FOUR', '', '<c r="D8"><f>D4*2</f><v>2469.12</v></c>']),
    sheetRow(9, ['date:45964', 'NIP FIVE', '', '<c r="D9" t="e"><v>#REF!</v></c>']),
  ].join('');
  const sharedStrings = '<sst><si><t>no</t></si><si><r><t>NIP </t></r><r><t>T&amp;WO</t></r></si></sst>';
  const hidden = sheetRow(1, HEADER) + sheetRow(2, ['date:45962', 'HIDDEN', '', 1]);
  const bytes = makeWorkbook(
    [
      { name: 'May', rows },
      { name: 'Notes', rows: sheetRow(1, ['some words']) },
      { name: 'Hidden', rows: hidden, state: 'hidden' },
    ],
    { 'xl/sharedStrings.xml': sharedStrings },
  );
  const found = await read(bytes);
  assert.deepEqual([found.format, found.profile, found.accounts], ['xlsx', 'generic', ['9900113003']]);
  assert.deepEqual(found.rows.map(shown), [
    ['2025-11-01', 123_456n, 1_123_456n, 'NIP ONE', 'ADA OBI'],
    ['2025-11-01', -100_000n, 1_023_456n, 'NIP T&WO', null],
  ]);
  assert.deepEqual(
    found.problems.map(({ line }) => line),
    [7, 8, 9],
  );
  assert.match(found.problems[0]!.reason, /more than two decimals/);
  assert.match(found.problems[1]!.reason, /formula/);
});

test('the system of 1904, and a second sheet without its header', async () => {
  const found = await read(
    makeWorkbook(
      [
        { name: 'A', rows: sheetRow(1, HEADER) + sheetRow(2, ['date:44500', 'NIP ONE', '', 5, 5]) },
        { name: 'B', rows: sheetRow(1, ['date:44501', 'NIP TWO', '', 6, 11]) },
      ],
      {},
      true,
    ),
  );
  assert.deepEqual(found.rows.map(shown), [['2025-11-01', 500n, 500n, 'NIP ONE', null]]);
  assert.match(found.problems[0]!.reason, /header/);
});

test('workbooks that are dangerous, broken or no statement are refused', async () => {
  const sheet = { name: 'A', rows: sheetRow(1, HEADER) };
  const whole = makeWorkbook([sheet]);
  const bomb = Buffer.alloc(40 * 1024 * 1024, ' ');
  const part = (name: string, text = 'x') => ({ name, bytes: Buffer.from(text) });
  const cases: readonly (readonly [string, Buffer, RegExp])[] = [
    ['macros', makeWorkbook([sheet], { 'xl/vbaProject.bin': 'x' }), /macros/],
    ['links', makeWorkbook([sheet], { 'xl/externalLinks/externalLink1.xml': 'x' }), /other workbooks/],
    ['binary', zipParts([part('xl/workbook.bin')]), /xlsb/],
    ['archive', zipParts([part('readme.txt')]), /not an Excel workbook/],
    ['cut off', whole.subarray(0, whole.length - 30), /damaged or cut off/],
    ['encrypted', zipParts([{ ...part('xl/workbook.xml'), flags: 1 }]), /encrypted/],
    ['twice', zipParts([part('xl/workbook.xml'), part('XL/workbook.xml')]), /twice/],
    ['bomb', zipParts([{ name: 'xl/workbook.xml', bytes: bomb }]), /unpacks to far more/],
    [
      'false size',
      zipParts([{ ...part('xl/workbook.xml', 'y'.repeat(1_000)), statedBytes: 10 }]),
      /unpacks to far more/,
    ],
    [
      'entities',
      makeWorkbook([sheet], { 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "b">]><workbook/>' }),
      /document type/,
    ],
    ['no header', makeWorkbook([{ name: 'A', rows: sheetRow(1, ['x']) }]), /No header/],
    ['old', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /password/],
  ];
  for (const [what, bytes, reason] of cases)
    await assert.rejects(
      () => read(bytes),
      (error) => error instanceof UnreadableStatement && reason.test(error.message),
      what,
    );
});
