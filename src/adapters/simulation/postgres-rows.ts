// A table of the simulated world: put and find, each shared by everybody who calls at the same moment, so that hundreds
// of calls cost a few statements. The first row under a key stands; a caller that puts another gets the first one back.
import { type ArrayColumn, columnArrays } from '../postgres/connection/column-arrays.ts';
import { type Database, sqlState } from '../postgres/connection/database.ts';
import { type GroupCommit, makeGroupCommit } from '../postgres/connection/group-commit.ts';
import type { StoredWorldRow, WorldRows } from './simulated-world.ts';

export interface WorldTable<Row, Key> {
  readonly name: string;
  readonly columns: readonly ArrayColumn<Row>[];
  /** Of the unique index that makes two rows one. */
  readonly unique: readonly string[];
  readonly uniqueText: (row: Row) => string;
  /** How it is looked up. */
  readonly key: readonly ArrayColumn<Key>[];
  /** A condition that every look-up adds. */
  readonly where?: string;
  readonly read: (raw: RawRow) => Row;
  /** A log: the lock its writers hold, and what a row put again changes besides its count. */
  readonly log?: { readonly lock: number; readonly again?: string };
}

/** As the driver gives it: bigint and numeric as text. */
// biome-ignore lint/suspicious/noExplicitAny: columns are read by name, and each table says what they are
export type RawRow = Record<string, any>;

const MAX_BATCH = 500;
const WRITE_LANES = 2;
const READ_LANES = 2;
/** A second statement starts only beside one that takes longer than this. */
const PATIENCE_MS = 10;

export interface PostgresRows<Row, Key> extends WorldRows<Row, Key> {
  /** Rows that everybody puts together: all of them are one caller's, or none. */
  putTogether(rows: readonly Row[]): Promise<readonly StoredWorldRow<Row>[]>;
  readonly toStored: (raw: RawRow) => StoredWorldRow<Row>;
  drain(): Promise<void>;
}

export function makePostgresRows<Row, Key>(
  database: Database,
  table: WorldTable<Row, Key>,
): PostgresRows<Row, Key> {
  const toStored = (raw: RawRow): StoredWorldRow<Row> => ({ ...table.read(raw), tries: raw.tries as number });
  const puts = makeGroupCommit<readonly Row[], readonly StoredWorldRow<Row>[]>({
    write: (batch) => putOrSplit(database, table, putStatement(table), toStored, batch),
    keysOf: (rows) => rows.map(table.uniqueText),
    maxBatch: MAX_BATCH,
    // Writers of a log wait for each other anyway.
    lanes: table.log === undefined ? WRITE_LANES : 1,
    patienceMs: PATIENCE_MS,
  });
  const text = `select k.place, r.* from unnest(${columnParameters(table.key)}) with ordinality as k(${columnNames(table.key)}, place)
    cross join lateral (select ${columnNames(table.columns)}, tries from ${table.name} t
      where ${table.key.map(([name]) => `t.${name} = k.${name}`).join(' and ')} ${table.where ?? ''} limit 1) r`;
  const finds = makeSharedReads<Key, StoredWorldRow<Row>>(
    database,
    `${table.name}-find`,
    text,
    table.key,
    toStored,
  );
  return {
    put: async (row) => (await puts.submit([row]))[0]!,
    putTogether: (rows) => puts.submit(rows),
    find: (key) => finds.submit(key),
    toStored,
    drain: () => puts.drain(),
  };
}

/** Look-ups that share a statement, which answers rows with the `place` of their question, from 1. */
export function makeSharedReads<Key, Found>(
  database: Database,
  name: string,
  text: string,
  columns: readonly ArrayColumn<Key>[],
  read: (raw: RawRow) => Found,
): GroupCommit<Key, Found | undefined> {
  return makeGroupCommit<Key, Found | undefined>({
    write: async (batch) => {
      const { rows } = await database.query<RawRow>({ name, text, values: columnArrays(columns, batch) });
      const found = new Array<Found | undefined>(batch.length).fill(undefined);
      for (const row of rows) found[Number(row.place) - 1] = read(row);
      return found;
    },
    keysOf: () => [],
    maxBatch: MAX_BATCH,
    lanes: READ_LANES,
    patienceMs: PATIENCE_MS,
  });
}

function putStatement<Row, Key>({ name, columns, unique, log }: WorldTable<Row, Key>): string {
  // The lock comes before the row, and the row before its number: the default is computed last.
  const held = log && `with held as materialized (select pg_advisory_xact_lock(${log.lock}))`;
  return `${held ?? ''} insert into ${name} as t (${columnNames(columns)})
    select ${columns.map(([column]) => `i.${column}`).join(', ')}
    from ${log ? 'held, ' : ''} unnest(${columnParameters(columns)}) as i(${columnNames(columns)})
    on conflict (${unique.join(', ')}) do update set tries = t.tries + 1 ${log?.again ?? ''}
    returning ${columnNames(columns)}, tries`;
}

/**
 * One refused row refuses the whole statement: split until only the offender, and what is put together with it, is left.
 * Rows that belong together share a statement, and its locks are taken in one order: a statement that gets the first lock gets all.
 */
async function putOrSplit<Row, Key>(
  database: Database,
  table: WorldTable<Row, Key>,
  text: string,
  toStored: (raw: RawRow) => StoredWorldRow<Row>,
  batch: readonly (readonly Row[])[],
): Promise<(readonly StoredWorldRow<Row>[] | Error)[]> {
  try {
    // Rows are locked in one order by everybody, or two batches would wait for each other.
    const rows = batch.flat();
    const sorted = table.log
      ? rows
      : rows.toSorted((a, b) => compareTexts(table.uniqueText(a), table.uniqueText(b)));
    const values = columnArrays(table.columns, sorted);
    const answer = await database.query<RawRow>({ name: `${table.name}-put`, text, values });
    const stored = new Map(answer.rows.map(toStored).map((row) => [table.uniqueText(row), row]));
    return batch.map((together) => together.map((row) => stored.get(table.uniqueText(row))!));
  } catch (error) {
    if (sqlState(error) === undefined) throw error;
    if (batch.length === 1) return [error as Error];
    const middle = batch.length >> 1;
    return [
      ...(await putOrSplit(database, table, text, toStored, batch.slice(0, middle))),
      ...(await putOrSplit(database, table, text, toStored, batch.slice(middle))),
    ];
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function columnNames(columns: readonly ArrayColumn<never>[]): string {
  return columns.map(([name]) => name).join(', ');
}

function columnParameters(columns: readonly ArrayColumn<never>[]): string {
  return columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
}
