// Remembers the writes of a statement so far. If a later part of the statement is refused, all these writes are rolled back.
import type { Change } from '../../../src/domain/records/change.ts';
import { type Identified, put, type Table } from './table.ts';
import type { Memory } from './tables.ts';

export type Journal = (() => void)[];

/** Writes one kind of data for all changes. Returns the violated rule; null if no rule is violated. */
export type Write = (memory: Memory, changes: readonly Change[], journal: Journal) => string | null;

export function putNoted<Row extends Identified>(
  journal: Journal,
  table: Table<Row>,
  id: string,
  next: Row,
): void {
  const before = put(table, id, next);
  journal.push(() => put(table, id, before));
}

export function setNoted<Value>(
  journal: Journal,
  map: Map<string, Value>,
  key: string,
  value: Value | undefined,
): void {
  const before = map.get(key);
  if (value === undefined) map.delete(key);
  else map.set(key, value);
  journal.push(() => {
    if (before === undefined) map.delete(key);
    else map.set(key, before);
  });
}

export function pushNoted<Value>(journal: Journal, list: Value[], value: Value): void {
  list.push(value);
  journal.push(() => list.pop());
}

export function takeBack(journal: Journal): void {
  for (let index = journal.length - 1; index >= 0; index--) journal[index]!();
}
