// Builds the SQL that reads the stored rows with personal data, and writes them back erased.
import { hideErasedHashes, isErasedHash } from '../../../domain/values/erased.ts';
import type { PersonalHash, PersonalRow } from '../../../ports/privacy.ts';
import type { ErasureMethod, PersonalPlace } from './personal-place.ts';

/** A stored row with its key. The fields `c0`, `c1` and so on are its personal columns. */
export interface StoredPersonalRow {
  readonly key: string[];
  readonly mode: PersonalRow['mode'];
  readonly transaction_id: string | null;
  readonly credit_id: string | null;
  readonly over_ms: number | null;
  readonly by_law: boolean;
  readonly line_hash: Buffer | null;
  readonly line_id: string | null;
  readonly line_version: number | null;
  readonly [column: `c${number}`]: unknown;
}

export function personalRowSql(place: PersonalPlace): string {
  const columns = Object.keys(place.columns).map((name, index) => `${valueSql(place, name)} as c${index}`);
  const [kind, about] = place.over;
  const { digested } = place;
  return `select array[${keyColumnsOf(place).map((name) => `t.${name}::text`)}] as key, ${place.mode} as mode,
    ${place.transaction ?? 'null::text'} as transaction_id, ${place.credit ?? 'null::text'} as credit_id,
    (extract(epoch from case when ${hasPersonalSql(place)} then over_since('${kind}', t.${about}::text) end) * 1000)::float8 as over_ms,
    (${place.mode} = 'live' and (${place.byLaw})) as by_law,
    ${digested === undefined ? 'null::bytea' : `sha256(convert_to(${digested.line}, 'UTF8'))`} as line_hash,
    ${place.transaction ?? 'null::text'} as line_id, ${digested?.version ?? 'null::integer'} as line_version,
    ${columns} from ${place.table} t`;
}

/** The column; null in rows in which it is not personal. */
function valueSql({ onlyIf = {} }: PersonalPlace, name: string): string {
  return onlyIf[name] === undefined ? `t.${name}` : `case when ${onlyIf[name]} then t.${name} end`;
}

export function hasPersonalSql(place: PersonalPlace): string {
  const { columns, only = 'true' } = place;
  const filled = Object.entries(columns).map(([name, how]) =>
    typeof how === 'object'
      ? `t.${name} ?| array[${Object.keys(how).map((key) => `'${key}'`)}]`
      : `${valueSql(place, name)} is not null`,
  );
  return `(${only} and (${filled.join(' or ')}))`;
}

export function keyColumnsOf({ key }: PersonalPlace): readonly string[] {
  return Object.keys(key);
}

/**
 * Returns the columns to change, with their new values. The result is empty if all personal data is already erased or there was
 * none.
 */
export function erasedColumns(
  place: PersonalPlace,
  row: StoredPersonalRow,
  hash: PersonalHash,
): Map<string, unknown> {
  const changed = new Map<string, unknown>();
  for (const [index, [name, how]] of Object.entries(place.columns).entries()) {
    const was = row[`c${index}`];
    const is = was === null ? null : erasedValue(how, was, hash);
    if (is !== was) changed.set(name, is);
  }
  return changed;
}

/** Returns the value unchanged if it has nothing left to erase. */
function erasedValue(how: ErasureMethod, value: unknown, hash: PersonalHash): unknown {
  if (how === 'removed') return null;
  if (typeof how === 'object') return erasedKeys(how, value, hash);
  if (typeof value === 'string' && isErasedHash(value)) return value;
  if (how === 'json') return hash('text', JSON.stringify(value));
  return hash(how, String(value));
}

function erasedKeys(how: Exclude<ErasureMethod, string>, value: unknown, hash: PersonalHash): unknown {
  if (value === null || typeof value !== 'object') return value;
  const changed: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(how)) {
    const was = (value as Readonly<Record<string, unknown>>)[name];
    if (was === undefined || was === null || (typeof was === 'string' && isErasedHash(was))) continue;
    changed[name] = typeof was === 'string' ? hash(kind, was) : hash('text', JSON.stringify(was));
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}

export function isJson(how: ErasureMethod): boolean {
  return how === 'json' || typeof how === 'object';
}

export function personalRow(place: PersonalPlace, row: StoredPersonalRow, hash: PersonalHash): PersonalRow {
  const { key, mode, transaction_id: transactionId, credit_id: creditId, over_ms: overSinceMs } = row;
  const { by_law: isByLaw } = row;
  const columns = Object.entries(place.columns);
  const values = columns.map(([name, how], index) => [name, shownValue(how, row[`c${index}`])]);
  return {
    ...{ place: place.table, key, mode, transactionId, creditId, overSinceMs, isByLaw },
    settles: place.atOnce !== true,
    standsAlone: place.byLaw === false,
    erased: erasedColumns(place, row, hash).size === 0,
    values: Object.fromEntries(values.filter(([, value]) => value !== null)),
  };
}

function shownValue(how: ErasureMethod, value: unknown): unknown {
  if (typeof how !== 'object' || value === null || typeof value !== 'object') return hideErasedHashes(value);
  const own = Object.entries(value).filter(([name]) => name in how);
  return own.length === 0 ? null : hideErasedHashes(Object.fromEntries(own));
}
