// Tests malicious and broken files: memory stays bounded, the message names the problem clearly, and nothing crashes. Also
// tests the operator's column profiles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsError } from '../../src/adapters/settings-problems.ts';
import { parseColumnProfiles } from '../../src/adapters/statements/csv/column-profile.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { parseStatementAmount } from '../../src/domain/statements/amount.ts';
import { parseStatementDay } from '../../src/domain/statements/days.ts';
import { findNarratedPayer } from '../../src/domain/statements/narrated-payer.ts';
import { findSessionId } from '../../src/domain/statements/narration.ts';
import type { ParsedRow, RowProblem } from '../../src/domain/statements/row.ts';
import { UnreadableStatement } from '../../src/ports/statements.ts';

const readers = makeStatementReaders(null);

async function* pieces(content: string | Uint8Array, size = 7_001): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Uint8Array | AsyncIterable<Uint8Array>, size?: number) {
  const bytes =
    typeof content === 'string' || content instanceof Uint8Array ? pieces(content, size) : content;
  const { items, format } = await readers.open(bytes, null);
  const rows: ParsedRow[] = [];
  const problems: RowProblem[] = [];
  for await (const group of items)
    for (const item of group) {
      if (item.kind === 'row') rows.push(item.row);
      if (item.kind === 'problem') problems.push(item.problem);
    }
  return { format, rows, problems };
}

const HEAD = 'Date,Description,Amount,Balance\n';
const GOOD = '2026-05-04,NIP/KUDA/ADA OBI/RENT,100.00,1100.00\n';

test('if a line or a quoted cell never ends, only its own rows are lost, not the whole file', async () => {
  const long = await read(`${HEAD}${GOOD}${'x'.repeat(300_000)}\n${GOOD}`);
  assert.deepEqual([long.rows.length, long.problems.map(({ line }) => line)], [2, [3]]);
  const quote = await read(`${HEAD}2026-05-04,"open,1.00,1.00\n${GOOD.repeat(40)}`);
  assert.deepEqual([quote.rows.length, quote.problems[0]!.line], [40, 2]);
  const columns = await read(`${HEAD}${','.repeat(60_000)}\n${GOOD}`);
  assert.deepEqual([columns.rows.length, columns.problems.length], [1, 1]);
});

test('a million columns in one endless line are skipped', async () => {
  async function* endless() {
    yield Buffer.from(`${HEAD}${GOOD}`);
    for (let piece = 0; piece < 64; piece++) yield Buffer.alloc(16_384, ',');
    yield Buffer.from(`\n${GOOD}`);
  }
  const { rows, problems } = await read(endless());
  assert.deepEqual([rows.length, problems[0]!.reason], [2, 'the line is longer than 65536 characters']);
});

test('a line with NUL is reported, other encodings are read, and splitting the bytes at any position gives the same rows', async () => {
  const nul = await read(`${HEAD}2026-05-04,A\u0000B,1.00,1.00\n${GOOD}`);
  assert.deepEqual([nul.rows.length, nul.problems[0]!.reason], [1, 'the line has a NUL character']);
  const old = Buffer.concat([Buffer.from(HEAD), Buffer.from('2026-05-04,CAF\u00c9,1.00,1.00\n', 'latin1')]);
  const text = `${HEAD}${GOOD}2026-05-05,NGỌZI ₦,2.00,1102.00\r\n2026-05-06,B,1.00,1103.00`;
  const whole = await read(text);
  for (const size of [1, 2, 3, 5, 11]) {
    assert.equal((await read(old, size)).rows[0]!.narration, 'CAFÉ');
    assert.deepEqual(await read(text, size), whole);
  }
});

test('document types and entities are refused before parsing', async () => {
  const bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  const camt = (type: string) =>
    `<?xml version="1.0"?>${type}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="NGN">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-05-04</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>`;
  assert.equal((await read(camt(''))).rows.length, 1);
  for (const size of [3, 7_001]) await assert.rejects(read(camt(bomb), size), UnreadableStatement);
  await assert.rejects(read(`<?xml version="1.0"?>\n<OFX>${bomb}</OFX>`), UnreadableStatement);
});

test('a file that ends inside an entry is refused, and so is an empty file', async () => {
  const head = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>';
  await assert.rejects(read(`${head}<Ntry><Amt Ccy="NGN">1`), /The file ends too early/);
  await assert.rejects(read('  \n'), /The file is empty/);
  await assert.rejects(read('hello, world\n1,2\n'), /No header of a known bank/);
  await assert.rejects(read(Buffer.from([0x1f, 0x8b, 8, 0])), /compressed/);
});

test('amounts are read exactly or refused', () => {
  const kobo = (text: string) => {
    const read = parseStatementAmount(text);
    return read.kind === 'amount' ? read.minor : read.kind;
  };
  for (const [text, expected] of [
    ...([
      ['1,234.50', 123_450n],
      ['(1,000.00)', -100_000n],
      ['500 DR', -50_000n],
      ['0.5', 50n],
      ['-', 'none'],
    ] as const),
    ...([
      ['', 'none'],
      ['₦15,000.00', 1_500_000n],
      ['-₦5.00', -500n],
      ['000099.92', 9_992n],
      ['1e5', 'problem'],
    ] as const),
    ...([
      ['1.234', 'problem'],
      ['1,23.45', 'problem'],
      ['--5', 'problem'],
      ['(5) DR', 'problem'],
      ['USD 5', 'problem'],
    ] as const),
    ...([
      ['4.35', 435n],
      ['90071992547409.93', 9_007_199_254_740_993n],
      ['99999999999999999.00', 'problem'],
    ] as const),
  ])
    assert.equal(kobo(text), expected, text);
});

test('dates are read in the formats of the banks, and only if they exist in the calendar', () => {
  for (const [text, day] of [
    ...([
      ['01-AUG-25', '2025-08-01'],
      ['29/02/2024', '2024-02-29'],
      ['29/02/2025', undefined],
    ] as const),
    ...([
      ['2026-11-14T23:30:00Z', '2026-11-15'],
      ['3 September 2026', '2026-09-03'],
      ['31-SEP-25', undefined],
    ] as const),
  ])
    assert.equal(parseStatementDay(text)?.day, day, text);
});

test('the payer and the session id are shown only if they are unambiguous', () => {
  const isBank = (text: string) => ['KUDA', 'OPAY'].includes(text);
  assert.deepEqual(findNarratedPayer('NIP/KUDA/ADA OBI/RENT', isBank), {
    name: 'ADA OBI',
    account: null,
    bankName: 'KUDA',
  });
  assert.equal(findNarratedPayer('NIP/KUDA/ADA/RENT', isBank)?.name, null);
  assert.equal(findNarratedPayer('POS PURCHASE LAGOS', isBank), null);
  assert.equal(findNarratedPayer('TRF FRM ADA OBI/RENT', isBank)?.name, 'ADA OBI');
  assert.equal(findSessionId('NIP 000014260105093000\n000000000042 X'), '000014260105093000000000000042');
  assert.equal(findSessionId('123456789012345678901234567890'), null, 'its digits are no time');
});

test('a profile written by the operator is read, and its mistakes are reported by name', () => {
  const columns = { date: ['Day'], narration: ['Text'], amount: ['Sum'] };
  const parse = (json: unknown) => parseColumnProfiles('own.json', JSON.stringify(json), true);
  const [own] = parse({ 'my-bank': { title: 'Mine', columns, decimal: ',' } });
  assert.deepEqual([own!.name, own!.decimal, own!.isOwn], ['my-bank', ',', true]);
  const wrong = { Bad: { columns: { date: [], what: ['x'] }, days: 'ymd', more: 1 } };
  assert.throws(
    () => parse(wrong),
    (error: Error) =>
      error instanceof SettingsError &&
      [
        'small letters',
        'Bad.more is not a known field',
        'Bad.columns.what is not a known field',
        'Bad.columns.date must be',
        'Bad.columns.narration is missing',
        'Bad.days must be',
      ].every((part) => error.message.includes(part)),
  );
});
