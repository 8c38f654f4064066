// A table of the simulated world with put and find. Concurrent calls share statements, so that hundreds of calls cost a few
// statements. The first row with a key is kept. A caller that puts another row with this key gets the first row back.
import { type ArrayColumn, columnArrays } from '../postgres/connection/column-arrays.ts';
import { type Database, sqlState } from '../postgres/connection/database.ts';
import { type GroupCommit, makeGroupCommit } from '../postgres/connection/group-commit.ts';
import type { StoredWorldRow, WorldRows } from './simulated-world.ts';

export interface WorldTable<Row, Key> {
  readonly name: string;
  readonly columns: readonly ArrayColumn<Row>[];
  readonly unique: readonly string[];
  readonly uniqueText: (row: Row) => string;
  readonly key: readonly ArrayColumn<Key>[];
  readonly where?: string;
  readonly read: (raw: RawRow) => Row;
  /**
   * Set for a table that is a log. It has the lock that its writers hold, and the columns that a repeated row changes in
   * addition to its count.
   */
  readonly log?: { readonly lock: number; readonly again?: string };
}

/** A row as the database driver returns it, in which bigint and numeric values are text. */
// biome-ignore lint/suspicious/noExplicitAny: columns are read by name, and each table says what they are
export type RawRow = Record<string, any>;

const MAX_BATCH = 500;
const WRITE_LANES = 2;
const READ_LANES = 2;
/** A second statement starts only if the running statement takes longer than this. */
const PATIENCE_MS = 10;

export interface PostgresRows<Row, Key> extends WorldRows<Row, Key> {
  /** Puts rows that belong together. The stored rows are either all from this caller or all from another caller. */
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
    // Writers of a log wait for each other anyway, so one write at a time is enough.
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
  // The lock is taken before the row is inserted. The row gets its number last, because the default of a column is computed
  // last.
  const held = log && `with held as materialized (select pg_advisory_xact_lock(${log.lock}))`;
  return `${held ?? ''} insert into ${name} as t (${columnNames(columns)})
    select ${columns.map(([column]) => `i.${column}`).join(', ')}
    from ${log ? 'held, ' : ''} unnest(${columnParameters(columns)}) as i(${columnNames(columns)})
    on conflict (${unique.join(', ')}) do update set tries = t.tries + 1 ${log?.again ?? ''}
    returning ${columnNames(columns)}, tries`;
}

/**
 * One refused row makes the whole statement fail. So the batch is split until only the refused row, and the rows that belong to
 * it, are left. Rows that belong together share a statement, and all statements take their locks in the same order. So a
 * statement that gets the first lock gets all of them.
 */
async function putOrSplit<Row, Key>(
  database: Database,
  table: WorldTable<Row, Key>,
  text: string,
  toStored: (raw: RawRow) => StoredWorldRow<Row>,
  batch: readonly (readonly Row[])[],
): Promise<(readonly StoredWorldRow<Row>[] | Error)[]> {
  try {
    // All batches lock rows in the same order. Otherwise two batches could wait for each other.
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
