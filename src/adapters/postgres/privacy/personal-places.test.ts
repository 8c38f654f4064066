// Every column of the database that can hold text is in one of the lists: personal, deleted, kept with a reason, or without words
// of a customer. docs/operate/privacy.md must match the lists.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { databaseWithKeys } from '../../../../test/http/store-fixtures.ts';
import { readTextColumns } from '../../../../test/support/text-columns.ts';
import { COLUMNS_WITHOUT_WORDS, DELETED_COLUMNS, KEPT_COLUMNS } from './other-columns.ts';
import type { PersonalPlace } from './personal-place.ts';
import { PERSONAL_PLACES } from './personal-places.ts';

const { database } = await databaseWithKeys();

const LISTS: Readonly<Record<string, readonly string[]>> = {
  PERSONAL_PLACES: PERSONAL_PLACES.flatMap(({ table, columns }) =>
    Object.keys(columns).map((name) => `${table}.${name}`),
  ),
  DELETED_COLUMNS,
  KEPT_COLUMNS: Object.values(KEPT_COLUMNS).flat(),
  COLUMNS_WITHOUT_WORDS: Object.values(COLUMNS_WITHOUT_WORDS).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    ),
  ),
};

/** What is wrong with the lists, for these columns of a schema. */
function findListMistakes(columns: readonly string[]): readonly string[] {
  const listed = Object.values(LISTS).flat();
  return [
    ...columns
      .filter((column) => !listed.includes(column))
      .map(
        (column) =>
          `${column} is in no list: add it to PERSONAL_PLACES in personal-places.ts if it may hold words of a customer, otherwise to other-columns.ts with the reason`,
      ),
    ...listed
      .filter((column) => !columns.includes(column))
      .map((column) => `${column} is in a list, but not in the database, or it is no text`),
    ...listed
      .filter((column, index) => listed.indexOf(column) !== index)
      .map((column) => `${column} is in the lists twice`),
  ];
}

test('every column that can hold text is in exactly one list; a new column without an entry is reported', async () => {
  const columns = (await readTextColumns(database)).map(({ table, column }) => `${table}.${column}`);
  assert.ok(columns.length > 300, String(columns.length));
  assert.deepEqual(findListMistakes(columns), []);
  await database.query({
    text: 'create table notes_of_payers (id bigint, words text, more jsonb, at timestamptz)',
  });
  const added = (await readTextColumns(database)).map(({ table, column }) => `${table}.${column}`);
  assert.deepEqual(
    findListMistakes(added).map((mistake) => mistake.split(' ')[0]),
    ['notes_of_payers.words', 'notes_of_payers.more'],
  );
  await database.query({ text: 'drop table notes_of_payers' });
});

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/operate/privacy.md'), 'utf8');

function cellsUnder(heading: string): readonly (readonly string[])[] {
  const section = new RegExp(`\\n## ${heading}\\n(.*?)\\n## `, 's').exec(PAGE)![1]!;
  return [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) =>
    row!.split(' | ').map((cell) => cell.trim()),
  );
}

const namesIn = (cell: string) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name);

function lawText({ byLaw }: PersonalPlace): string {
  if (byLaw === true) return 'yes';
  return byLaw === false ? 'no' : 'with a credit';
}

test('the documentation of personal data lists exactly the places and columns of the code, and which of them the law requires', () => {
  const listed = cellsUnder('Where personal data is').map(([table, columns, law]) => [
    namesIn(table!)[0],
    namesIn(columns!),
    law,
  ]);
  const expected = PERSONAL_PLACES.map((place) => [
    place.table,
    Object.entries(place.columns).flatMap(([name, how]) =>
      typeof how === 'object' ? Object.keys(how).map((key) => `${name}.${key}`) : [name],
    ),
    lawText(place),
  ]);
  assert.deepEqual(listed, expected);
});

test('the documentation lists every column in which a word may remain, with the reason of the code', () => {
  const listed = Object.fromEntries(
    cellsUnder('Where a word may remain').map(([columns, why]) => [why, namesIn(columns!)]),
  );
  assert.deepEqual(listed, KEPT_COLUMNS);
});
