// A table of records by id, with groups of ids that are updated with the records: by due time, open state, or owner. A group
// returns the key for a record, or null if the record does not belong to the group. Also how PostgreSQL stores a value
// as JSON, and its error for a value that it forbids.

export interface Identified {
  readonly id: string;
}

export interface Group<Row> {
  readonly keyOf: (row: Row) => string | null;
  readonly ids: Map<string, Set<string>>;
}

export interface Table<Row extends Identified> {
  readonly rows: Map<string, Row>;
  readonly groups: readonly Group<Row>[];
}

export function groupBy<Row>(keyOf: Group<Row>['keyOf']): Group<Row> {
  return { keyOf, ids: new Map() };
}

export function tableOf<Row extends Identified>(groups: readonly Group<Row>[]): Table<Row> {
  return { rows: new Map(), groups };
}

export function put<Row extends Identified>(
  table: Table<Row>,
  id: string,
  next: Row | undefined,
): Row | undefined {
  const before = table.rows.get(id);
  if (next === undefined) table.rows.delete(id);
  else table.rows.set(id, next);
  for (const { keyOf, ids } of table.groups) {
    const from = before === undefined ? null : keyOf(before);
    const to = next === undefined ? null : keyOf(next);
    if (from === to) continue;
    if (from !== null) ids.get(from)!.delete(id);
    if (to === null) continue;
    const there = ids.get(to);
    if (there === undefined) ids.set(to, new Set([id]));
    else there.add(id);
  }
  return before;
}

const NONE: ReadonlySet<string> = new Set();

export function idsIn<Row>({ ids }: Group<Row>, key: string): ReadonlySet<string> {
  return ids.get(key) ?? NONE;
}

export function rowsIn<Row extends Identified>(table: Table<Row>, group: Group<Row>, key: string): Row[] {
  const ids = group.ids.get(key);
  if (ids === undefined || ids.size === 0) return [];
  return Array.from(ids, (id) => table.rows.get(id)!);
}

/** Compares ids byte by byte. */
export function byId(a: Identified, b: Identified): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

export function copyGroup<Row>({ keyOf, ids }: Group<Row>): Group<Row> {
  const copy = new Map<string, Set<string>>();
  for (const [key, set] of ids) if (set.size > 0) copy.set(key, new Set(set));
  return { keyOf, ids: copy };
}

// Returns a value as it is after storage as JSON: undefined fields are removed. A value without undefined fields is returned
// unchanged.

export function plain<Value>(value: Value): Value {
  return hasUndefined(value) ? (JSON.parse(JSON.stringify(value)) as Value) : value;
}

function hasUndefined(value: unknown): boolean {
  if (value === undefined) return true;
  if (value === null || typeof value !== 'object') return false;
  for (const field of Object.values(value)) if (hasUndefined(field)) return true;
  return false;
}

/**
 * The error for a violation that the database forbids and the port does not define. The adapter then rejects with the driver's
 * error, which names the rule.
 */
export function forbidden(constraint: string): Error {
  return Object.assign(new Error(`the database refuses it: ${constraint}`), { constraint });
}
