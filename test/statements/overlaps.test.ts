// If any statement is split into overlapping files, and each file is imported twice in any order, the result must be exactly
// the same rows. Other importers fail here, because they drop equal rows or store them twice.
import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { interpretRow } from '../../src/domain/statements/narration.ts';
import type { StatementRow } from '../../src/domain/statements/row.ts';
import { cutPieces, keysOf, PlayedAccount, playStatement } from './play-days.ts';

const SEEDS = 400;

test('with balances, every way to split the file gives the same rows; equal rows with equal balances are never counted too often', () => {
  let exact = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const rows = playStatement(seed, true);
    const account = new PlayedAccount();
    for (const piece of cutPieces(rows, seed, false)) account.import(piece);
    const [found, truth] = [account.keys(), keysOf(rows)];
    // Twins are rows that are equal in every field, including the balance: the account returned to the same balance on the same
    // day.
    const hasTwins = new Set(truth).size < truth.length;
    if (!hasTwins || found.length === truth.length) {
      assert.deepEqual(found, truth, `seed ${seed}`);
      assert.equal(account.gaps(), 0, `seed ${seed}`);
      exact++;
    } else {
      assertNoMore(found, truth, seed);
    }
  }
  assert.ok(exact > SEEDS * 0.95, `${exact} of ${SEEDS}`);
});

test('without balances, every way to split the file gives the same rows if one file contains each day completely', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const rows = playStatement(seed, false);
    const days = [...new Set(rows.map(({ day }) => day))];
    const inner = rows.filter(({ day }) => day !== days[0] && day !== days.at(-1));
    const account = new PlayedAccount();
    for (const piece of cutPieces(rows, seed, true)) account.import(piece);
    for (const day of new Set(inner.map((row) => row.day)))
      assert.deepEqual(
        account
          .ofDay(day)
          .map(({ key }) => key)
          .sort(),
        keysOf(rows.filter((row) => row.day === day)),
        `seed ${seed}, ${day}`,
      );
  }
});

test('without balances, days that the files show only in part never get too many rows', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const rows = playStatement(seed, false);
    const account = new PlayedAccount();
    for (const piece of cutPieces(rows, seed, false)) account.import(piece);
    assertNoMore(account.keys(), keysOf(rows), seed);
  }
});

function assertNoMore(found: readonly string[], truth: readonly string[], seed: number): void {
  const left = [...truth];
  for (const key of found) {
    const at = left.indexOf(key);
    assert.notEqual(at, -1, `seed ${seed}: a row too many`);
    left.splice(at, 1);
  }
}

const FOLDER = path.join(import.meta.dirname, '../fixtures/statements');
const readers = makeStatementReaders(null);

async function rowsIn(file: string): Promise<readonly StatementRow[]> {
  const { items } = await readers.open(createReadStream(path.join(FOLDER, file)), null);
  const rows: StatementRow[] = [];
  for await (const group of items)
    for (const item of group)
      if (item.kind === 'row') rows.push(interpretRow({ ...item.row, directionBy: 'side' }, () => false));
  return rows;
}

function orders<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length <= 1) return [list];
  return list.flatMap((each, at) => orders(list.toSpliced(at, 1)).map((rest) => [each, ...rest]));
}

for (const name of ['cut', 'cut-hard', 'cut-nb'])
  test(`sample ${name}: its files give the same rows in any order, even when imported twice`, async () => {
    const truth = JSON.parse(readFileSync(path.join(FOLDER, `${name}.truth.json`), 'utf8')) as {
      readonly files: readonly string[];
      readonly rows: readonly { readonly day: string; readonly amount: string }[];
    };
    const files = await Promise.all(truth.files.map(rowsIn));
    for (const order of orders(files)) {
      const account = new PlayedAccount();
      for (const rows of [...order, ...order]) account.import({ rows });
      const days = new Map<string, bigint[]>();
      for (const { day, amount } of truth.rows) days.set(day, [...(days.get(day) ?? []), BigInt(amount)]);
      assert.equal(account.keys().length, truth.rows.length);
      const sorted = (amounts: readonly bigint[]) => amounts.map(String).sort();
      for (const [day, amounts] of days)
        assert.deepEqual(
          sorted(account.ofDay(day).map(({ amountMinor }) => amountMinor)),
          sorted(amounts),
          day,
        );
    }
  });
