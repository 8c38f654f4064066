// Differences as they are stored: amounts as text, both sides as JSON.
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

export interface ItemRow {
  item: string;
  kind: DifferenceKind;
  day: string;
  off_minor: string;
  facts: { readonly item: Stored<BookItem> | null; readonly row: Stored<StatementRow> | null };
}

export interface ShownRow extends ItemRow {
  reason: Reason;
  on_day: string | null;
}

export function differenceOf({ item, kind, day, off_minor, facts }: ItemRow): Difference {
  return {
    ...{ id: item, kind, day, offMinor: BigInt(off_minor) },
    item: facts.item && { ...facts.item, amountMinor: BigInt(facts.item.amountMinor) },
    row: facts.row && { ...facts.row, amountMinor: BigInt(facts.row.amountMinor) },
  };
}

export function factsText({ item, row }: Difference): string {
  const text = <Side extends { readonly amountMinor: bigint }>(side: Side | null) =>
    side && { ...side, amountMinor: String(side.amountMinor) };
  return JSON.stringify({ item: text(item), row: text(row) });
}

/** What a case is about: the same for the same difference, however often the day is reconciled. */
export function aboutOf(account: string, { id, day, kind }: Pick<Difference, 'id' | 'day' | 'kind'>): string {
  return `${account} ${day} ${kind} ${id}`;
}
