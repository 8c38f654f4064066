// Stores the differences of a reconciliation. Amounts are text, and the book item and the statement row are JSON. Texts from
// payers stay in the statement rows and are read from there, so that they must be erased in only one place.
import type pg from 'pg';
import type { ExplainedDifference } from '../../../domain/reconciliation/explain-differences.ts';
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
/** Columns of a difference `i` and its statement row `s`. The statement may no longer have this row. */
export const DIFFERENCE_FIELDS = {
  ...{
    id: columnFrom('i.item', plainColumn),
    kind: columnFrom('i.kind', plainColumn),
    day: columnFrom('i.day', day),
  },
  ...{ offMinor: columnFrom('i.off_minor', bigintColumn), item: columnFrom(`i.facts -> 'item'`, side) },
  row: columnFrom(
    `nullif(i.facts -> 'row', 'null')
      || jsonb_build_object('narration', coalesce(s.narration, ''), 'reference', s.reference, 'payerAccount', s.payer_account)`,
    side,
  ),
};
export const DIFFERENCE = defineColumns<Difference>(DIFFERENCE_FIELDS);
export const JOIN_STATEMENT_ROW = `left join lateral (select narration, reference, payer_account from statement_rows
  where mode = i.mode and account = i.account and key = regexp_replace(i.facts #>> '{row,id}', '/[0-9]+$', '')
    and ordinal = substring(i.facts #>> '{row,id}' from '[0-9]+$')::integer limit 1) s on true`;

export function factsText({ item, row, otherAccount }: ExplainedDifference): string {
  const { narration: _narration, reference: _reference, payerAccount: _account, ...kept } = row ?? {};
  const { parties: _parties, ...booked } = item ?? {};
  return JSON.stringify({
    item: item && { ...booked, amountMinor: String(item.amountMinor) },
    row: row && { ...kept, amountMinor: String(row.amountMinor) },
    ...(otherAccount !== null && { otherAccount }),
  });
}

/**
 * The subject of the case about a difference. It stays the same for the same difference, even if the day is reconciled again.
 */
export function caseAboutOf(
  account: string,
  { id, day, kind }: Pick<Difference, 'id' | 'day' | 'kind'>,
): string {
  return `${account} ${day} ${kind} ${id}`;
}

export interface QueryClient {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
}
