// The worker that erases personal data. It processes each table in the order of the table's key, and stores its position in the
// same transaction as the erasure. Records that are not finished when the worker reaches them wait in a separate list.
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import type { ErasedBatch, ErasureLimits, PersonalHash } from '../../../ports/privacy.ts';
import type { Database } from '../connection/database.ts';
import { STORED_VALUES } from '../connection/erased-values.ts';
import { dueAtMs, isDue } from './due-rows.ts';
import { type ErasureContext, eraseRows, recordErasure } from './erase-rows.ts';
import type { PersonalPlace } from './personal-place.ts';
import { erasedColumns, keyColumnsOf, personalRowSql, type StoredPersonalRow } from './personal-row-sql.ts';

const AT_ONCE = 200;
const LOOK_AGAIN_MS = 86_400_000;

export interface DueErasure extends ErasureLimits {
  readonly place: PersonalPlace;
  readonly batch: string;
}

export function eraseDueRows(database: Database, hash: PersonalHash, work: DueErasure): Promise<ErasedBatch> {
  return database.transaction(async (client) => {
    const erasing: ErasureContext = { client, hash, nowMs: work.nowMs };
    await client.query(
      'insert into privacy_progress (place, updated_at) values ($1, to_timestamp($2::float8 / 1000)) on conflict do nothing',
      [work.place.table, work.nowMs],
    );
    const { rows: mine } = await client.query<{ position: string[] | null }>(
      'select position from privacy_progress where place = $1 for update skip locked',
      [work.place.table],
    );
    if (mine[0] === undefined) return { seen: 0, erased: 0 };
    const again = await readWaitingRows(erasing, work);
    const passed = await readNextRows(erasing, work, mine[0].position);
    const due = [...again, ...passed].filter((row) => isDue(row, work));
    const erased = await eraseRows(erasing, work.place, due, work.batch);
    await rescheduleWaiting(erasing, work, [...again, ...passed]);
    await client.query(
      `update privacy_progress set position = $2, erased = erased + $3, updated_at = to_timestamp($4::float8 / 1000) where place = $1`,
      [work.place.table, passed.at(-1)?.key ?? mine[0].position, erased, work.nowMs],
    );
    if (erased > 0) await recordErasure(erasing, { [work.place.table]: erased }, work.batch);
    return { seen: again.length + passed.length, erased };
  });
}

async function readNextRows(
  { client }: ErasureContext,
  { place, overBeforeMs }: DueErasure,
  position: readonly string[] | null,
): Promise<StoredPersonalRow[]> {
  const names = keyColumnsOf(place);
  const values: unknown[] = [];
  const put = (value: unknown) => `$${values.push(value)}`;
  const where = [
    place.ids === null
      ? `t.${place.time} < to_timestamp(${put(overBeforeMs)}::float8 / 1000)`
      : `t.${names[0]} < ${put(findIdLowerBound(place.ids, overBeforeMs))}`,
  ];
  if (position !== null) {
    const last = names.map((name, index) => `${put(position[index])}::${place.key[name]}`);
    where.push(`(${names.map((name) => `t.${name}`)}) > (${last})`);
  }
  const { rows } = await client.query<StoredPersonalRow>({
    text: `${personalRowSql(place)} where ${where.join(' and ')} order by ${names.map((name) => `t.${name}`)} limit ${AT_ONCE}`,
    values,
    types: STORED_VALUES,
  });
  return rows;
}

async function readWaitingRows(
  { client }: ErasureContext,
  { place, nowMs }: DueErasure,
): Promise<StoredPersonalRow[]> {
  const names = keyColumnsOf(place);
  const key = `array[${names.map((name) => `t.${name}::text`)}]`;
  const parts = names.map((name, index) => `t.${name} = w.key[${index + 1}]::${place.key[name]}`);
  const { rows } = await client.query<StoredPersonalRow>({
    text: `${personalRowSql(place)} join (select key from privacy_waiting
        where place = $1 and look_at <= to_timestamp($2::float8 / 1000) order by look_at limit ${AT_ONCE}) w
      on ${parts.join(' and ')} order by ${key}`,
    values: [place.table, nowMs],
    types: STORED_VALUES,
  });
  return rows;
}

/** Rows in the waiting list that are not due yet are scheduled for their due time. The other rows are removed from the list. */
async function rescheduleWaiting(
  erasing: ErasureContext,
  work: DueErasure,
  rows: readonly StoredPersonalRow[],
): Promise<void> {
  const { client, hash } = erasing;
  const { place, nowMs } = work;
  for (const row of rows) {
    const isOpen = !isDue(row, work) && erasedColumns(place, row, hash).size > 0;
    const values = [place.table, row.key];
    if (!isOpen) {
      await client.query('delete from privacy_waiting where place = $1 and key = $2', values);
      continue;
    }
    const dueMs = dueAtMs(row, work) ?? nowMs + LOOK_AGAIN_MS;
    await client.query(
      `insert into privacy_waiting (place, key, look_at) values ($1, $2, to_timestamp($3::float8 / 1000))
        on conflict (place, key) do update set look_at = excluded.look_at`,
      [...values, dueMs],
    );
  }
}
