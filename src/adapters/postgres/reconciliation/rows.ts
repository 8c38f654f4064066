// Differences as they are stored: amounts as text, both sides as JSON. What payers wrote stays in the rows of the statement and is
// read from there, so that it is erased in one place.
import type pg from 'pg';
import type { Reason } from '../../../domain/reconciliation/explain.ts';
import type {
  BookItem,
  Difference,
  DifferenceKind,
  StatementRow,
} from '../../../domain/reconciliation/items.ts';

type Stored<Side extends { readonly amountMinor: bigint }> = Omit<Side, 'amountMinor'> & {
  readonly amountMinor: string;
};

type StoredRow = Omit<Stored<StatementRow>, 'narration' | 'reference'>;

export interface ItemRow {
  item: string;
  kind: DifferenceKind;
  day: string;
  off_minor: string;
  facts: { readonly item: Stored<BookItem> | null; readonly row: StoredRow | null };
  /** Of the row, as the statement has it now; null: it has no such row any more. */
  narration: string | null;
  reference: string | null;
}

/** Of an item `i`: what `ItemRow` has. */
export const ITEM = `i.item, i.kind, to_char(i.day, 'YYYY-MM-DD') as day, i.off_minor, i.facts, s.narration, s.reference`;
/** Beside an item `i`: the row `s` of the statement that it is about. */
export const ITS_ROW = `left join lateral (select narration, reference from statement_rows
  where mode = i.mode and account = i.account and key = regexp_replace(i.facts #>> '{row,id}', '/[0-9]+$', '')
    and ordinal = substring(i.facts #>> '{row,id}' from '[0-9]+$')::integer limit 1) s on true`;

export interface ShownRow extends ItemRow {
  reason: Reason;
  on_day: string | null;
}

export function differenceOf({ item, kind, day, off_minor, facts, ...texts }: ItemRow): Difference {
  const { narration, reference } = texts;
  return {
    ...{ id: item, kind, day, offMinor: BigInt(off_minor) },
    item: facts.item && { ...facts.item, amountMinor: BigInt(facts.item.amountMinor) },
    row: facts.row && {
      ...{ ...facts.row, narration: narration ?? '', reference },
      amountMinor: BigInt(facts.row.amountMinor),
    },
  };
}

export function factsText({ item, row }: Difference): string {
  const { narration: _narration, reference: _reference, ...kept } = row ?? {};
  return JSON.stringify({
    item: item && { ...item, amountMinor: String(item.amountMinor) },
    row: row && { ...kept, amountMinor: String(row.amountMinor) },
  });
}

/** What a case is about: the same for the same difference, however often the day is reconciled. */
export function aboutOf(account: string, { id, day, kind }: Pick<Difference, 'id' | 'day' | 'kind'>): string {
  return `${account} ${day} ${kind} ${id}`;
}

/** A connection, or a transaction on one: what the reads of a reconciliation need of either. */
export interface Client {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
}
