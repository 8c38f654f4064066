// Lists businesses with their recent volume. For a busy business only a limited number of transactions is counted, and the
// result shows this.
import type { Mode } from '../../../domain/values/mode.ts';
import type { BusinessRow } from '../../../ports/operations/operations-store.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  defineColumns,
  ms,
  named,
  of,
  part,
  plainColumn,
} from '../connection/record-columns.ts';

/**
 * The maximum number of transactions that are counted for each type. A page of fifty businesses reads at most fifty times this
 * number of rows per type.
 */
const COUNTED = 1_000;

const VOLUME = `cross join lateral (
  select count(*)::int as count, coalesce(sum(t.amount_minor), 0) as total,
    (count(*) filter (where s.state = 'completed'))::int as completed, coalesce(bool_or(t.n >= ${COUNTED}), false) as more
  from unnest(array['buy', 'sell']) as kind
  cross join lateral (select id, amount_minor, row_number() over () as n from (
    select id, amount_minor from transactions where business_id = b.id and mode = $1 and type = kind
      and created_at >= to_timestamp($2::float8 / 1000) order by created_at desc, id desc limit ${COUNTED}) newest) t
  cross join lateral (select state from transaction_states where transaction_id = t.id limit 1) s) v`;

const BUSINESS = defineColumns<BusinessRow>({
  ...of('b', { ...all(plainColumn, 'id', 'name', 'linkTag', 'tier', 'sandbox'), createdAtMs: ms }),
  volume: part<BusinessRow['volume']>(
    of('v', { ...all(plainColumn, 'count', 'completed', 'more'), totalMinor: named('total', bigintColumn) }),
  ),
});

const selectBusinessesSql = (which: string) => `
  select ${BUSINESS.list()}
  from (${which}) b ${VOLUME} order by b.id desc`;

const PAGE = selectBusinessesSql(
  'select * from businesses where ($3::text is null or id < $3) order by id desc limit $4',
);
const ONE = selectBusinessesSql('select * from businesses where id = $3');

export async function listBusinessRows(
  database: Database,
  filter: {
    readonly mode: Mode;
    readonly sinceMs: number;
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly BusinessRow[]> {
  const { mode, sinceMs, after, limit } = filter;
  const values = [mode, sinceMs, after, limit];
  return (await database.query({ name: 'operations-businesses', text: PAGE, values })).rows.map(
    BUSINESS.read,
  );
}

export async function findBusinessRow(
  database: Database,
  id: string,
  mode: Mode,
  sinceMs: number,
): Promise<BusinessRow | undefined> {
  const values = [mode, sinceMs, id];
  const { rows } = await database.query({ name: 'operations-business', text: ONE, values });
  return rows.map(BUSINESS.read)[0];
}
