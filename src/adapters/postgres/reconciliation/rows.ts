// Differences as they are stored: amounts as text, both sides as JSON. What payers wrote stays in the rows of the statement and is
// read from there, so that it is erased in one place.
import type pg from 'pg';
import type { Difference } from '../../../domain/reconciliation/items.ts';
import {
  bigintColumn,
  columnFrom,
  convertedColumn,
  day,
  defineColumns,
  plainColumn,
} from '../connection/record-columns.ts';

const side = convertedColumn(
  (side: { readonly amountMinor: string } | null) =>
    side && { ...side, amountMinor: BigInt(side.amountMinor) },
);
/** Of an item `i` and its row `s`; the statement may have no such row any more. */
export const DIFFERENCE_FIELDS = {
  ...{
    id: columnFrom('i.item', plainColumn),
    kind: columnFrom('i.kind', plainColumn),
    day: columnFrom('i.day', day),
  },
  ...{ offMinor: columnFrom('i.off_minor', bigintColumn), item: columnFrom(`i.facts -> 'item'`, side) },
  row: columnFrom(
    `nullif(i.facts -> 'row', 'null')
      || jsonb_build_object('narration', coalesce(s.narration, ''), 'reference', s.reference)`,
    side,
  ),
};
export const DIFFERENCE = defineColumns<Difference>(DIFFERENCE_FIELDS);
/** Beside an item `i`: the row `s` of the statement that it is about. */
export const JOIN_STATEMENT_ROW = `left join lateral (select narration, reference from statement_rows
  where mode = i.mode and account = i.account and key = regexp_replace(i.facts #>> '{row,id}', '/[0-9]+$', '')
    and ordinal = substring(i.facts #>> '{row,id}' from '[0-9]+$')::integer limit 1) s on true`;

export function factsText({ item, row }: Difference): string {
  const { narration: _narration, reference: _reference, ...kept } = row ?? {};
  return JSON.stringify({
    item: item && { ...item, amountMinor: String(item.amountMinor) },
    row: row && { ...kept, amountMinor: String(row.amountMinor) },
  });
}

/** What a case is about: the same for the same difference, however often the day is reconciled. */
export function caseAboutOf(
  account: string,
  { id, day, kind }: Pick<Difference, 'id' | 'day' | 'kind'>,
): string {
  return `${account} ${day} ${kind} ${id}`;
}

/** A connection, or a transaction on one: what the reads of a reconciliation need of either. */
export interface QueryClient {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
}
