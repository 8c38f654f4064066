// Erases rows of one table inside a transaction. Keyed hashes replace the values of personal columns, and the hash of each line
// in the audit log is kept. An audit log entry records the erasure. The triggers of the tables check each row again.
import type pg from 'pg';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { PersonalHash } from '../../../ports/privacy.ts';
import { appendEntryQuery, erasedQuery } from '../audit/digests.ts';
import type { PersonalPlace } from './personal-place.ts';
import { erasedColumns, isJson, keyColumnsOf, type StoredPersonalRow } from './personal-row-sql.ts';

export interface ErasureContext {
  readonly client: pg.ClientBase;
  readonly hash: PersonalHash;
  readonly nowMs: number;
}

export async function eraseRows(
  { client, hash }: ErasureContext,
  place: PersonalPlace,
  rows: readonly StoredPersonalRow[],
  batch: string,
): Promise<number> {
  let erased = 0;
  for (const row of rows) {
    const changed = erasedColumns(place, row, hash);
    if (changed.size === 0) continue;
    if (place.digested !== undefined)
      await client.query({
        name: 'privacy-keep-line',
        text: `insert into erased_lines (transaction_id, version, line_hash, batch) values ($1, $2, $3, $4)
          on conflict do nothing`,
        values: [row.line_id, row.line_version, row.line_hash, batch],
      });
    await client.query(updateQuery(place, row, changed));
    if (place.table === 'transactions')
      await client.query({
        text: 'delete from open_claims where transaction_id = $1',
        values: [row.key[0]],
      });
    erased++;
  }
  return erased;
}

function updateQuery(
  place: PersonalPlace,
  row: StoredPersonalRow,
  changed: Map<string, unknown>,
): pg.QueryConfig {
  const values: unknown[] = [];
  const put = (value: unknown) => `$${values.push(value)}`;
  const sets = [...changed].map(([name, value]) => {
    const json = isJson(place.columns[name]!);
    return `${name} = ${put(json ? JSON.stringify(value) : value)}${json ? '::jsonb' : ''}`;
  });
  if (place.raises !== undefined) sets.push(`${place.raises} = ${place.raises} + 1`);
  const keys = keyColumnsOf(place).map(
    (name, index) => `${name} = ${put(row.key[index])}::${place.key[name]}`,
  );
  return { text: `update ${place.table} set ${sets.join(', ')} where ${keys.join(' and ')}`, values };
}

/** This must be the last statement of its transaction, because it locks the head of the audit log. */
export async function recordErasure(
  { client, nowMs }: ErasureContext,
  places: Readonly<Record<string, number>>,
  batch: string,
): Promise<void> {
  const { rows: found } = await client.query<{ rows: number; sha256: string }>(erasedQuery(batch));
  const { rows, sha256 } = found[0]!;
  const detail = { places, batch: rows === 0 ? null : batch, rows, sha256 };
  await client.query(
    appendEntryQuery({
      ...{ actor: serviceActor('privacy'), atMs: nowMs, action: 'privacy.erased' },
      ...{ subject: null, businessId: null, detail },
    }),
  );
}
