// Tests values that a reader must not guess: twin columns, dates and statuses that are not readable, and short amounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { parseStatementAmount } from '../../src/domain/statements/amount.ts';
import type { StatementItem } from '../../src/domain/statements/row.ts';

const readers = makeStatementReaders(null);

async function read(text: string): Promise<readonly StatementItem[]> {
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const items: StatementItem[] = [];
  for await (const group of (await readers.open(bytes, null)).items) items.push(...group);
  return items;
}
const rowsIn = (items: readonly StatementItem[]) =>
  items.flatMap((item) => (item.kind === 'row' ? [item.row] : []));
const reasonsIn = (items: readonly StatementItem[]) =>
  items.flatMap((item) => (item.kind === 'problem' ? [item.problem.reason] : []));

test('a header with two columns of the same name is refused, whatever their case and signs', async () => {
  for (const twin of ['CREDIT', 'Credit (NGN)', 'Balance', 'Date'])
    await assert.rejects(
      read(`Date,Description,Debit,Credit,Balance,${twin}\n2026-05-04,NIP/A,,1.00,2.00,9.00\n`),
      /twice, so it is not certain which one counts/,
      twin,
    );
  const other = await read('Date,Description,Debit,Credit,Branch,Branch\n2026-05-04,NIP/A,,1.00,a,b\n');
  assert.equal(rowsIn(other).length, 1);
});

test('kobo without naira are an amount; a point alone is not', () => {
  for (const [text, minor] of [
    ['.23', 23n],
    ['-.5', -50n],
    ['₦.05', 5n],
  ] as const)
    assert.deepEqual(parseStatementAmount(text), { kind: 'amount', minor, side: null }, text);
  for (const text of ['.', ',23', '.234', '1.2.3'])
    assert.equal(parseStatementAmount(text).kind, 'problem', text);
  assert.deepEqual(parseStatementAmount(',23', ','), { kind: 'amount', minor: 23n, side: null });
});

const entry = (more: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="NGN">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>${more}<ValDt><Dt>2026-05-05</Dt></ValDt></Ntry></Stmt></BkToCstmrStmt></Document>`;
const BOOKED = '<BookgDt><Dt>2026-05-04</Dt></BookgDt>';

test('camt: a booking date that does not exist is a problem, and is not replaced by the value date', async () => {
  for (const date of ['<Dt>2026-02-30</Dt>', '<DtTm>soon</DtTm>']) {
    const items = await read(entry(`<Sts>BOOK</Sts><BookgDt>${date}</BookgDt>`));
    assert.deepEqual(
      [rowsIn(items), reasonsIn(items)],
      [[], ['the booking date is not a day of the calendar']],
    );
  }
  assert.equal(rowsIn(await read(entry('<Sts>BOOK</Sts>')))[0]!.day, '2026-05-05');
});

test('camt: an unknown status is a problem; entries that are not booked yet are pending', async () => {
  const unknown = await read(entry(`<Sts>HOLD</Sts>${BOOKED}`));
  assert.deepEqual([rowsIn(unknown), reasonsIn(unknown)], [[], ['the status HOLD is not known']]);
  for (const status of ['<Sts>PDNG</Sts>', '<Sts><Cd>FUTR</Cd></Sts>', '<Sts>INFO</Sts>'])
    assert.equal(rowsIn(await read(entry(status + BOOKED)))[0]!.isPending, true, status);
  for (const status of ['<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>', ''])
    assert.equal(rowsIn(await read(entry(status + BOOKED)))[0]!.isPending, false, status);
});
