// Tests the direction of money in every layout that a bank may use, with the expected result of its import. Each file has one
// debit, a refund that names an order. If the importer read the debit as a credit, it would pay for that order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Expected, importLayout, type Layout, openImports } from './layouts.ts';
import { camtLayouts, mt940Layouts, ofxLayouts } from './layouts-of-formats.ts';
import { tableLayouts } from './layouts-of-tables.ts';

const imports = await openImports();
after(imports.close);

const all: readonly Layout[] = [...tableLayouts, ...ofxLayouts, ...camtLayouts, ...mt940Layouts];

for (const [index, layout] of all.entries())
  test(`threat 95: ${layout.name}: ${layout.expected.kind}`, async () => {
    const found = await importLayout(imports, `gtbank:99002${String(index).padStart(5, '0')}`, layout.text);
    compare(found, layout.expected);
  });

function compare(found: Awaited<ReturnType<typeof importLayout>>, expected: Expected): void {
  if (expected.kind === 'refused') {
    assert.match(found.refusal ?? 'it was imported', expected.why);
    assert.match(found.refusal!, /Nothing was imported\.$/);
    assert.deepEqual([found.stored, found.files], [[], ['failed']], 'nothing of the file is stored');
    return;
  }
  assert.equal(found.refusal, null);
  if (expected.kind === 'held') {
    assert.match(found.reasons.join('\n'), expected.why);
    assert.deepEqual(found.released, expected.released ?? [], 'nothing of the day is released');
    return;
  }
  assert.deepEqual(found.released, expected.released);
  assert.deepEqual([...new Set(found.by)].sort(), [...expected.by].sort());
}

test('a day is on hold even if the file contains only the row that contradicts itself', async () => {
  const account = 'gtbank:9900300003';
  const head = 'Date,Details,Amount,Type\n';
  const wrong = await importLayout(imports, account, `${head}2026-05-04,TRF REFUND,-25000.00,Credit\n`);
  assert.deepEqual([wrong.days, wrong.stored], [['2026-05-04 gap'], []]);
  const rest = await importLayout(imports, account, `${head}2026-05-04,NIP/KUDA/ADA OBI,2000.00,Credit\n`);
  assert.deepEqual([rest.stored, rest.released], [['200000'], []]);
});

test('for a day on hold without rows, the first rows that arrive set the CSV profile', async () => {
  const account = 'gtbank:9900300004';
  const ofx = '<OFX><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260504<TRNAMT>25000.00<MEMO>REFUND</STMTTRN></OFX>';
  assert.deepEqual((await importLayout(imports, account, ofx)).days, ['2026-05-04 gap']);
  const row = (name: string) => `2026-05-04,NIP/KUDA/${name},2000.00,Credit\n`;
  await importLayout(imports, account, `Date,Details,Amount,Type\n${row('ONE')}`);
  const second = await importLayout(imports, account, `Date,Details,Amount,Type\n${row('ONE')}${row('TWO')}`);
  assert.deepEqual([second.stored, second.released, second.reasons], [['200000', '200000'], [], []]);
});

test('a file that begins where the previous one ends is accepted, because the stored balance confirms its first row', async () => {
  const account = 'gtbank:9900300001';
  const head = 'Date,Details,Amount,Balance\n';
  const first = `Opening Balance,,,"100,000.00"\n${head}2026-05-04,TRF REFUND ORDER-7731A,25000.00,75000.00\n`;
  assert.deepEqual((await importLayout(imports, account, first)).released, ['-2500000']);
  const debit = await importLayout(imports, account, `${head}2026-05-05,TRF TO RENT,5000.00,70000.00\n`);
  assert.deepEqual(debit.released, ['-2500000', '-500000']);
  const credit = await importLayout(
    imports,
    account,
    `${head}2026-05-06,NIP/KUDA/ADA OBI,1000.00,71000.00\n`,
  );
  assert.deepEqual(credit.released, ['-2500000', '-500000', '100000']);
  const other = await importLayout(imports, account, `${head}2026-05-07,TRF TO RENT,2000.00,60000.00\n`);
  assert.match(other.refusal ?? '', /Nothing before this row shows/);
});

test('a day with a contradiction in a file is on hold until another file shows the whole day without the contradiction', async () => {
  const account = 'gtbank:9900300002';
  const head = 'Date,Details,Amount,Type\n';
  const [before, paid, later] = [
    '2026-05-03,NIP/KUDA/ADA OBI/ONE,1000.00,Credit\n',
    '2026-05-04,NIP/KUDA/ADA OBI/TWO,2000.00,Credit\n',
    '2026-05-05,NIP/KUDA/ADA OBI/THREE,3000.00,Credit\n',
  ];
  const refund = (amount: string) => `2026-05-04,TRF REFUND ORDER-7731A,${amount},`;
  const wrong = await importLayout(
    imports,
    account,
    `${head}${before}${paid}${refund('-25000.00')}Credit\n${later}`,
  );
  assert.deepEqual(wrong.released, ['100000', '300000'], 'the other days are not held');
  assert.deepEqual(wrong.days, ['2026-05-03 unchecked', '2026-05-04 gap', '2026-05-05 unchecked']);
  const part = await importLayout(
    imports,
    account,
    `${head}${paid}2026-05-04,NIP/KUDA/ADA OBI/NEW,5.00,Credit\n`,
  );
  assert.deepEqual(part.released, ['100000', '300000'], 'a part of the day does not end it');
  const right = await importLayout(
    imports,
    account,
    `${head}${before}${paid}2026-05-04,NIP/KUDA/ADA OBI/NEW,5.00,Credit\n${refund('-25000.00')}Debit\n${later}`,
  );
  assert.deepEqual(right.released, ['-2500000', '100000', '200000', '300000', '500']);
});
