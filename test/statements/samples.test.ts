// Tests sample files of every format. The expected rows were written without looking at the code of the readers.
import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { Coverage } from '../../src/domain/statements/coverage.ts';
import { interpretRow, saysCharge, saysReversal } from '../../src/domain/statements/narration.ts';
import type { RowProblem, StatementRow } from '../../src/domain/statements/row.ts';
import { UnreadableStatement } from '../../src/ports/statements.ts';

const FOLDER = path.join(import.meta.dirname, '../fixtures/statements');
const readers = makeStatementReaders(null);
const banks = loadBankDirectory();
const isBank = (text: string) => banks.resolve(text) !== undefined;

interface TruthRow {
  readonly day: string;
  readonly value_day: string | null;
  readonly amount: string;
  readonly balance: string | null;
  readonly narration_contains: string;
  readonly session_id: string | null;
  readonly pending: boolean;
  readonly reversal: boolean;
  readonly charge: boolean;
  readonly must_not_be_booked?: boolean;
}

interface Truth {
  readonly format: string;
  readonly profile: string | null;
  readonly account: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly rows: readonly TruthRow[];
  readonly problems: readonly { line: number; line_to?: number; reason_about: string }[];
  readonly refused: string | null;
  readonly or_refused?: string;
  readonly balance_gap_at_row?: number;
  readonly balance_gaps_at_rows?: readonly number[];
  readonly files?: readonly string[];
}

interface Read {
  readonly format: string;
  readonly profile: string;
  readonly accounts: string[];
  readonly rows: StatementRow[];
  readonly problems: RowProblem[];
  readonly balances: { readonly what: string; readonly amountMinor: bigint }[];
  readonly gapLines: readonly number[];
}

async function readSample(file: string): Promise<Read> {
  const opened = await readers.open(createReadStream(path.join(FOLDER, file)), null);
  const read: Read = { ...opened, accounts: [], rows: [], problems: [], balances: [], gapLines: [] };
  const coverage = new Coverage();
  for await (const items of opened.items)
    for (const item of items) {
      coverage.add(item);
      if (item.kind === 'row') read.rows.push(interpretRow({ ...item.row, directionBy: 'side' }, isBank));
      if (item.kind === 'problem') read.problems.push(item.problem);
      if (item.kind === 'account') read.accounts.push(item.text);
      if (item.kind === 'balance') read.balances.push(item);
    }
  return { ...read, gapLines: coverage.finish(opened.listing, '2030-01-01').gaps.map(({ line }) => line) };
}

const names = readdirSync(FOLDER);
const truths = names.filter((name) => name.endsWith('.truth.json'));

for (const name of truths) {
  const truth = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as Truth;
  const base = name.slice(0, -'.truth.json'.length);
  const file = names.find((each) => each.startsWith(`${base}.`) && each !== name);
  if (truth.files !== undefined || file === undefined) continue;
  test(`sample ${file}`, async () => {
    if (truth.refused !== null) {
      await assert.rejects(readSample(file), UnreadableStatement);
      return;
    }
    const read = await readSample(file);
    if (truth.or_refused !== undefined && read.rows.length === 0) {
      assert.ok(read.problems.length > 0);
      return;
    }
    compare(read, truth);
  });
}

function compare(read: Read, truth: Truth): void {
  assert.equal(read.format.replace('.', ''), truth.format);
  if (truth.profile !== null) assert.equal(read.profile, truth.profile);
  if (truth.account !== null) assert.ok(read.accounts.some((text) => text.includes(truth.account!)));
  const booked = truth.rows.filter((row) => row.must_not_be_booked !== true && !row.pending);
  assert.deepEqual(
    read.rows.filter((row) => !row.isPending).map((row, at) => shownRow(row, booked[at])),
    booked.map((row) => [
      ...[row.day, row.value_day, row.amount, row.balance, row.session_id, row.reversal, row.charge],
      row.narration_contains,
    ]),
  );
  for (const what of ['opening', 'closing'] as const)
    if (truth[what] !== null && read.balances.some((each) => each.what === what)) {
      const stated = read.balances.filter((each) => each.what === what);
      const one = what === 'opening' ? stated[0]! : stated.at(-1)!;
      assert.equal(String(one.amountMinor), truth[what], what);
    }
  assert.deepEqual(
    read.problems.map(({ line }, at) => [within(line, truth.problems[at]) ? truth.problems[at]!.line : line]),
    truth.problems.map(({ line }) => [line]),
    JSON.stringify(read.problems),
  );
  const gaps =
    truth.balance_gaps_at_rows ?? (truth.balance_gap_at_row === undefined ? [] : [truth.balance_gap_at_row]);
  for (const row of gaps) assert.ok(read.gapLines.includes(read.rows[row]!.line), `a gap before row ${row}`);
}

function within(line: number, problem: Truth['problems'][number] | undefined): boolean {
  return problem !== undefined && problem.line <= line && line <= (problem.line_to ?? problem.line);
}

function shownRow(row: StatementRow, truth: TruthRow | undefined) {
  const narration = row.narration.replaceAll(/\s+/g, ' ');
  const wanted = truth?.narration_contains ?? '';
  return [
    ...[
      row.day,
      row.valueDay,
      String(row.amountMinor),
      row.balanceMinor === null ? null : String(row.balanceMinor),
    ],
    ...[
      row.sessionId,
      row.kind === 'reversal',
      row.kind === 'charge' || (row.kind === 'reversal' && saysCharge(narration)),
    ],
    narration.includes(wanted) ? wanted : narration,
  ];
}

test('words for a reversal count only at the position where banks write them', () => {
  assert.equal(saysReversal('RVSL-COMMISSION 12'), true);
  assert.equal(saysReversal('NIP/KUDA/ADA OBI/REVERSAL OF LOAN'), false);
});
