// What a change is made of, table by table: the columns that travel, and the part of the commit statement that writes
// them. `fence` kinds move a record that must still be on its version; the others add records.
import type { Change } from '../../../domain/records/change.ts';
import type { Column } from '../connection/column-arrays.ts';

/** A row of one kind, with the number of the change it belongs to. */
export interface Row<Item> {
  readonly unit: number;
  readonly item: Item;
}

export interface Fence {
  readonly table: string;
  readonly key: string;
}

export interface Kind {
  readonly name: string;
  /** The table whose version is the fence, and its key; undefined for records that are added. */
  readonly fence?: Fence | undefined;
  /** Rows that find this one in its table already make their change stale; its unique index has the table's name. */
  readonly once?: { readonly table: string; readonly by: readonly string[] } | undefined;
  /** The columns by which rows are written: whoever writes the same unique keys takes them in the same order. */
  readonly order?: readonly string[] | undefined;
  readonly columns: readonly Column<Row<never>>[];
  readonly itemsOf: (change: Change) => readonly unknown[];
  /** Reads `x`, the kind's rows whose change holds. */
  readonly write: readonly string[];
}

export function kind<Item>(definition: {
  name: string;
  fence?: Fence;
  once?: Kind['once'];
  order?: Kind['order'];
  columns: readonly Column<Item>[];
  itemsOf: (change: Change) => readonly Item[] | undefined;
  write: readonly string[];
}): Kind {
  const columns = definition.columns.map(
    ([name, type, text]) => [name, type, ({ item }: Row<Item>) => text(item)] as const,
  );
  const unit: Column<Row<Item>> = ['unit', 'int', (row) => String(row.unit)];
  return {
    ...definition,
    columns: [unit, ...columns] as unknown as Kind['columns'],
    itemsOf: (change) => definition.itemsOf(change) ?? [],
  };
}

/** The unique index that says a record is there already. */
export function onceIndex(table: string): string {
  return `${table}_once`;
}

/** Each item with the time of its change. */
export function timed<Item>(items: readonly Item[] | undefined, { atMs }: Change) {
  return items?.map((item) => ({ item, atMs }));
}

export const time = (column: string) => `to_timestamp(x.${column} / 1000)`;
export const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
export const json = (value: unknown) =>
  value === null || value === undefined ? null : JSON.stringify(value);
