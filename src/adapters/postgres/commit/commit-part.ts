// The parts of a change, one per table. A part has the columns that are sent, and the piece of the commit statement that writes
// them. Parts with a `fence` change an existing record, which must still have the expected version; other parts add records.
import type { Change } from '../../../domain/records/change.ts';
import type { CommitRule } from '../../../ports/store/commit.ts';
import { type ArrayColumn, under } from '../connection/column-arrays.ts';

export interface CommitRow<Item> {
  readonly unit: number;
  readonly item: Item;
}

export interface VersionFence {
  readonly table: string;
  readonly key: string;
}

export interface CommitPart {
  readonly name: string;
  /** The table whose version is checked, and the key of that table. Undefined for records that are added. */
  readonly fence?: VersionFence | undefined;
  /**
   * If a row with the same key already exists, the change is stale. The name of the unique index starts with the name of the
   * table.
   */
  readonly once?: { readonly table: string; readonly by: readonly string[] } | undefined;
  /** Rows are written in the order of these columns, so that all writers lock the same unique keys in the same order. */
  readonly order?: readonly string[] | undefined;
  readonly columns: readonly ArrayColumn<CommitRow<never>>[];
  readonly itemsOf: (change: Change) => readonly unknown[];
  /** The SQL that writes the rows. It reads them from `x`, which holds the rows of this kind whose change is not stale. */
  readonly write: readonly string[];
}

interface Definition<Item> {
  readonly name: string;
  readonly fence?: VersionFence;
  readonly once?: CommitPart['once'];
  readonly order?: CommitPart['order'];
  readonly columns: readonly ArrayColumn<Item>[];
  /** The table into which the columns are inserted. The default is the table of `once`. */
  readonly into?: string;
  readonly also?: Readonly<Record<string, string>>;
  readonly onConflict?: string;
  /** The SQL of the write. By default the columns are inserted; with a `fence` they are updated. */
  readonly write?: readonly string[];
}

/** The function that selects the items is the first argument, so that TypeScript checks the columns against the items. */
export function defineCommitPart<Item>(
  itemsOf: (change: Change) => readonly Item[] | undefined,
): (definition: Definition<Item>) => CommitPart {
  const unit: ArrayColumn<CommitRow<Item>> = ['unit', 'int', (row) => String(row.unit)];
  return (definition) => {
    const { fence, columns } = definition;
    const sent = columns.map(
      ([name, type, text]): ArrayColumn<CommitRow<Item>> => [name, type, ({ item }) => text(item)],
    );
    return {
      ...definition,
      columns: [unit, ...sent] as unknown as CommitPart['columns'],
      itemsOf: (change) => itemsOf(change) ?? [],
      write: definition.write ?? [fence ? updated(fence, columns) : inserted(definition)],
    };
  };
}

/**
 * Returns the column of the table and the SQL of its value. Times are sent as milliseconds, so `due_at_ms` is for the column
 * `due_at`.
 */
function assigned([name]: ArrayColumn<never>): readonly [string, string] {
  return name.endsWith('_at_ms') || name === 'at_ms'
    ? [name.slice(0, -3), timestampSql(name)]
    : [name, `x.${name}`];
}

function inserted<Item>({ once, into = once?.table, columns, also, onConflict }: Definition<Item>): string {
  const pairs = [...columns.map(assigned), ...Object.entries(also ?? {})];
  const [names, values] = [pairs.map(([name]) => name), pairs.map(([, value]) => value)];
  const conflict = onConflict === undefined ? '' : `on conflict ${onConflict}`;
  return `insert into ${into} as t (${names.join(', ')}) select ${values.join(', ')} from x ${conflict}`;
}

function updated({ table, key }: VersionFence, columns: readonly ArrayColumn<never>[]): string {
  const own = columns.filter(([name]) => name !== 'id' && name !== 'version').map(assigned);
  const sets = [...own, ['version', 'x.version + 1']].map(([name, value]) => `${name} = ${value}`);
  return `update ${table} t set ${sets.join(', ')} from x where t.${key} = x.id`;
}

export const after = <Item>(columns: readonly ArrayColumn<Item>[]) => under('after', columns);

export const RAW: ArrayColumn<{ readonly raw: unknown }> = [
  'raw',
  'jsonb',
  ({ raw }) => jsonOrNull(raw ?? {}),
];

export function uniqueIndexOf(table: string): string {
  return `${table}_once`;
}

export function withChangeTime<Item>(items: readonly Item[] | undefined, { atMs }: Change) {
  return items?.map((item) => ({ ...item, atMs }));
}

export const timestampSql = (column: string) => `to_timestamp(x.${column} / 1000)`;
export const textOrNull = (value: unknown) => (value === null || value === undefined ? null : String(value));
export const jsonOrNull = (value: unknown) =>
  value === null || value === undefined ? null : JSON.stringify(value);

// Maps the constraints of the schema to the rules that the port names. No other code knows both names.
const RULES: ReadonlyMap<string, CommitRule> = new Map([
  ['limit_usage_within', 'limit_exceeded'],
  ['accounts_not_negative', 'account_negative'],
  ['accounts_together_not_negative', 'condition_broken'],
  ['cases_one_return', 'returned_before'],
  ['bank_credits_source', 'other_source'],
  ['bank_credits_session', 'session_known'],
  ['bank_credits_reported', 'recorded_before'],
  ['credit_reports_credited', 'recorded_before'],
  ['bank_credits_counted_once', 'fits_credit'],
  ['credit_reports_one_each', 'linked_before'],
  ['proposal_decisions_pkey', 'decided_before'],
  ['two_people', 'same_person'],
  ['two_people_however_spelled', 'same_person'],
  ['decided_by_a_person', 'not_a_person'],
  ['decider_has_right', 'not_allowed'],
  ['proposer_has_right', 'proposer_not_allowed'],
  ['approved_with_step_up', 'step_up_needed'],
  ['own_step_up', 'step_up_needed'],
  ['fresh_step_up', 'step_up_old'],
  ['step_up_once', 'step_up_used'],
]);

export function ruleOfConstraint(constraint: string): CommitRule {
  return RULES.get(constraint) ?? 'other';
}
