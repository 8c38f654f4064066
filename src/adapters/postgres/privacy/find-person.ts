// Finds the rows that name one person, by the account number or name in plain text, or by the keyed hash if the value was
// erased. These reads scan whole tables. They are for the rare request about one customer.
import type pg from 'pg';
import { isSameName, type PersonQuery } from '../../../domain/privacy/person-query.ts';
import { isErasedHash } from '../../../domain/values/erased.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { PersonalHash, PersonalRow, PersonalRowKeys } from '../../../ports/privacy.ts';
import type { Database } from '../connection/database.ts';
import { STORED_VALUES } from '../connection/erased-values.ts';
import type { PersonalPlace } from './personal-place.ts';
import { PERSONAL_PLACES } from './personal-places.ts';
import {
  hasPersonalSql,
  keyColumnsOf,
  personalRow,
  personalRowSql,
  type StoredPersonalRow,
} from './personal-row-sql.ts';

/** The time limit is high, because whole tables are read. */
const TIMEOUT_MS = 600_000;

export async function findPerson(
  database: Database,
  hash: PersonalHash,
  person: PersonQuery,
  mode: Mode | null,
): Promise<PersonalRow[]> {
  const found: PersonalRow[] = [];
  for (const place of PERSONAL_PLACES) {
    const values: unknown[] = [mode];
    const put = (value: unknown) => `$${values.push(value)}`;
    const ways = [
      ...accountConditions(place, person, hash, put),
      ...nameConditions(place, person, hash, put),
    ];
    if (ways.length === 0) continue;
    const bank =
      person.bankCode === null || place.bank === undefined
        ? 'true'
        : `coalesce(${place.bank}, ${put(person.bankCode)}::text) = ${put(person.bankCode)}::text`;
    const text = `${personalRowSql(place)} where ($1::text is null or ${place.mode} = $1) and ${bank} and (${ways.join(' or ')})`;
    const { rows } = await readStoredRows(database, text, values);
    found.push(
      ...rows.filter((row) => isNamedInRow(place, row, person)).map((row) => personalRow(place, row, hash)),
    );
  }
  return found;
}

export async function findRowsOfRecords(
  database: Database,
  hash: PersonalHash,
  rows: PersonalRowKeys,
): Promise<PersonalRow[]> {
  const found: PersonalRow[] = [];
  for (const place of PERSONAL_PLACES) {
    const run: RunQuery = async (text, values) => (await readStoredRows(database, text, values)).rows;
    found.push(...(await findBelongingRows(run, place, rows)).map((row) => personalRow(place, row, hash)));
  }
  return found;
}

type RunQuery = (text: string, values: unknown[]) => Promise<readonly StoredPersonalRow[]>;

/** Each way to find rows has a separate statement, so that each uses a different index. */
export async function findBelongingRows(
  run: RunQuery,
  place: PersonalPlace,
  rows: PersonalRowKeys,
): Promise<readonly StoredPersonalRow[]> {
  const keys = rows.keys.filter((each) => each.place === place.table).map(({ key }) => key.join(' '));
  const names = keyColumnsOf(place);
  const parts = names.map((name, index) => `split_part(k, ' ', ${index + 1})::${place.key[name]}`);
  const ways: readonly (readonly [string | undefined, readonly string[]])[] = [
    [place.ofTransactions ?? equalsAnySql(place.transaction), rows.transactionIds],
    [place.ofCredits ?? equalsAnySql(place.credit), rows.creditIds],
    [`(${names.map((name) => `t.${name}`)}) in (select ${parts} from unnest($1::text[]) k)`, keys],
  ];
  const found = new Map<string, StoredPersonalRow>();
  for (const [where, ids] of ways) {
    if (where === undefined || ids.length === 0) continue;
    const some = await run(`${personalRowSql(place)} where ${hasPersonalSql(place)} and ${where}`, [ids]);
    for (const row of some) found.set(row.key.join(' '), row);
  }
  return [...found.values()];
}

function equalsAnySql(column: string | undefined): string | undefined {
  return column && `${column} = any ($1::text[])`;
}

function readStoredRows(database: Database, text: string, values: unknown[]) {
  const query: pg.QueryConfig & pg.ClientConfig = {
    ...{ text, values, types: STORED_VALUES, query_timeout: TIMEOUT_MS },
  };
  return database.query<StoredPersonalRow & pg.QueryResultRow>(query);
}

type BindValue = (value: unknown) => string;

function personalPartsSql({ columns }: PersonalPlace, ...kinds: readonly string[]): string[] {
  return Object.entries(columns).flatMap(([name, how]) => {
    if (typeof how === 'object')
      return Object.entries(how).flatMap(([key, kind]) =>
        kinds.includes(kind) ? [`(t.${name} ->> '${key}')`] : [],
      );
    return kinds.includes(how) ? [`t.${name}::text`] : [];
  });
}

function accountConditions(
  place: PersonalPlace,
  { account }: PersonQuery,
  hash: PersonalHash,
  put: BindValue,
): string[] {
  if (account === null) return [];
  const hashed = hash('number', account);
  return [
    ...personalPartsSql(place, 'number').map(
      (value) => `${value} in (${put(account)}::text, ${put(hashed)}::text)`,
    ),
    ...personalPartsSql(place, 'text', 'json', 'removed').map(
      (value) => `strpos(${value}, ${put(account)}::text) > 0`,
    ),
  ];
}

/** A text in which a name is looked for: the path of a request has other spaces. Both functions do the same. */
function plainText(text: string): string {
  return text.toLowerCase().replaceAll('%20', ' ').replaceAll('+', ' ');
}

function plainTextSql(value: string): string {
  return `replace(replace(lower(${value}), '%20', ' '), '+', ' ')`;
}

/**
 * If an account number is also given, the name is compared only in rows without an account number, because several people can
 * have the same name.
 */
function nameConditions(
  place: PersonalPlace,
  { account, name }: PersonQuery,
  hash: PersonalHash,
  put: BindValue,
): string[] {
  if (name === null) return [];
  const numbers =
    account === null ? [] : personalPartsSql(place, 'number').map((value) => `${value} is null`);
  const hashed = hash('name', name);
  const word = name.trim().split(/\s+/u).at(-1)!.toLowerCase();
  const named = personalPartsSql(place, 'name').map(
    (value) => `(${value} = ${put(hashed)}::text or strpos(lower(${value}), ${put(word)}::text) > 0)`,
  );
  // A text about another customer may mention the name too, so a mention finds no record of money.
  const mentions = place.byLaw === true ? [] : personalPartsSql(place, 'text', 'json', 'removed');
  const mentioned = mentions.map(
    (value) =>
      `strpos(${plainTextSql(value)}, ${put(plainText(name.trim()))}::text) > 0 and not (${place.byLaw})`,
  );
  return [...named, ...mentioned].map((alike) => `(${[...numbers, alike].join(' and ')})`);
}

/**
 * The database finds names that have a word in common; here the whole name must match, or a text must contain it. Rows that were
 * found by the account number are kept.
 */
function isNamedInRow(place: PersonalPlace, row: StoredPersonalRow, { account, name }: PersonQuery): boolean {
  if (name === null) return true;
  const values = Object.entries(place.columns).flatMap(([column, how], index) => {
    const value = row[`c${index}`];
    if (typeof how !== 'object') return [{ kind: how as string, value, column }];
    const object = (value ?? {}) as Readonly<Record<string, unknown>>;
    return Object.entries(how).map(([key, kind]) => ({ kind: kind as string, value: object[key], column }));
  });
  const mentions = (value: unknown) =>
    place.byLaw !== true &&
    value != null &&
    plainText(typeof value === 'string' ? value : JSON.stringify(value)).includes(plainText(name.trim()));
  const isNamed = values.some(({ kind, value }) =>
    kind === 'name'
      ? typeof value === 'string' && (isErasedHash(value) || isSameName(value, name))
      : kind !== 'number' && mentions(value),
  );
  if (isNamed || account === null) return isNamed;
  return values.some(({ kind, value }) =>
    kind === 'number' ? value != null : String(JSON.stringify(value)).includes(account),
  );
}
