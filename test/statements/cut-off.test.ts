// Tests files that end too early, at many positions. A cut file must never give a row that the complete file does not give. A
// row with half of its narration or amount would count as a second payment when the complete file arrives.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import type { ParsedRow, RowProblem } from '../../src/domain/statements/row.ts';
import { UnreadableStatement } from '../../src/ports/statements.ts';

const FOLDER = path.join(import.meta.dirname, '../fixtures/statements');
const readers = makeStatementReaders(null);
/** The number of bytes between two cuts. CUT_EVERY=1 tries every position, which takes long. */
const STEP = Number(process.env.CUT_EVERY ?? 11);

async function readRows(bytes: Uint8Array) {
  const rows: ParsedRow[] = [];
  const problems: RowProblem[] = [];
  const all = (async function* () {
    yield bytes;
  })();
  const { items } = await readers.open(all, null);
  for await (const group of items)
    for (const item of group) {
      if (item.kind === 'row') rows.push(item.row);
      if (item.kind === 'problem') problems.push(item.problem);
    }
  return { rows, problems };
}

/** Two rows in different files are the same row if these values are equal. */
const identify = ({ day, amountMinor, narration, balanceMinor, payer, reference }: ParsedRow) =>
  JSON.stringify([day, String(amountMinor), narration, String(balanceMinor), payer, reference]);

/**
 * A narration may continue in the next line. A file that ends after a line end does not show this. The service recognises such
 * a row when the complete file is imported: see domain/statements/merge-day.ts.
 */
const goesOn = (row: ParsedRow, rows: readonly ParsedRow[]) =>
  rows.some(
    (each) =>
      each.narration.startsWith(`${row.narration}\n`) &&
      identify({ ...row, narration: each.narration }) === identify(each),
  );

const files = readdirSync(FOLDER).filter((name) => !/\.(json|md)$/.test(name));

for (const name of files)
  test(`${name}, cut at many positions, gives only rows of the complete file`, async () => {
    const whole = readFileSync(path.join(FOLDER, name));
    const complete = await readRows(whole).catch(() => null);
    if (complete === null) return;
    const known = new Set(complete.rows.map(identify));
    for (let length = name.length % STEP; length < whole.length; length += STEP) {
      const { rows }: { rows: readonly ParsedRow[] } = await readRows(whole.subarray(0, length)).catch(
        (error: Error) => {
          assert.ok(error instanceof UnreadableStatement, String(error));
          return { rows: [] };
        },
      );
      const wrong: readonly string[] = rows
        .filter((row) => !known.has(identify(row)) && !goesOn(row, complete.rows))
        .map(identify);
      assert.deepEqual(wrong, [], `cut after ${length} bytes`);
    }
  });

const HEAD = 'Date,Credit,Debit,Narration\n';

test('the last row is left out if it may be cut off, and the reason says what to do', async () => {
  const row = '2026-05-04,100.00,,NIP/KUDA/ADA OBI';
  const open = await readRows(Buffer.from(HEAD + row));
  assert.deepEqual(open.rows, []);
  assert.match(open.problems[0]!.reason, /without a line end.*add a line end/);
  for (const end of ['\n', '\r\n', '\r', '\nTotal,,,\n', '\n\n'])
    assert.equal((await readRows(Buffer.from(HEAD + row + end))).rows.length, 1, JSON.stringify(end));
  const more = await readRows(Buffer.from(`${HEAD}${row}\n,,,FOR RENT`));
  assert.deepEqual(more.rows, [], 'a narration that goes on in the last line may be cut off, too');
  const second = await readRows(Buffer.from(`${HEAD}${row}\n${row}`));
  assert.equal(second.rows.length, 1);
});

test('a last row without a line end is complete if its balance follows from the row before', async () => {
  const head =
    'Date,Narration,Debit,Credit,Balance\n2026-05-04,NIP/A,,50.00,1000.00\n2026-05-04,NIP/KUDA/ADA OBI,,100.00,';
  assert.equal((await readRows(Buffer.from(`${head}1100.00`))).rows.length, 2);
  for (const balance of ['1100.0', '1100', '110', '1,1', ''])
    assert.equal(
      (await readRows(Buffer.from(head + balance))).rows.length,
      balance.startsWith('1100') ? 2 : 1,
      balance,
    );
});

test('a file that ends inside quotes gives no row from the quoted text', async () => {
  const { rows } = await readRows(
    Buffer.from('Date,Narration,Debit,Credit\n2026-05-04,"RENT\n2026-05-04,NIP/FAKE,,900000.00\n'),
  );
  assert.deepEqual(rows, []);
});

test('a row with more columns than the header is refused: an amount without quotes would be read as ₦1.00', async () => {
  const { rows, problems } = await readRows(
    Buffer.from(
      'Date,Narration,Debit,Credit\n2026-05-04,NIP/KUDA/ADA OBI,,1,500.00\n2026-05-04,NIP/B,,2.00,,\n',
    ),
  );
  assert.deepEqual(
    rows.map(({ amountMinor }) => amountMinor),
    [200n],
  );
  assert.match(problems[0]!.reason, /more columns than the header/);
});
