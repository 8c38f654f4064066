// Builds the commit as one SQL statement. The statement contains parts only for the kinds of records in the changes, because
// every part costs time even when it is empty. All statements take their locks in the same order. A change writes nothing if a
// newer version of any of its records is stored.
import type { Change } from '../../../domain/records/change.ts';
import { type ArrayColumn, columnArrays, inputOf } from '../connection/column-arrays.ts';
import { all, as, bigintColumn, int, ms, plainColumn, written } from '../connection/record-columns.ts';
import { type CommitPart, type CommitRow, uniqueIndexOf } from './commit-part.ts';
import { MOVES, NAIRA_MOVES } from './moves.ts';
import { RECORDS, REPORTS } from './records.ts';
import { SET_UPS, SIDE_ROWS } from './side-rows.ts';

const KINDS: readonly CommitPart[] = [
  ...MOVES,
  ...REPORTS,
  ...RECORDS,
  ...SET_UPS,
  ...NAIRA_MOVES,
  ...SIDE_ROWS,
];

export interface NumberedEntry {
  readonly unit: number;
  readonly id: number;
  readonly mode: string;
  readonly event: string;
  readonly subjectId: string;
  readonly atMs: number;
}

export interface NumberedPosting {
  readonly unit: number;
  readonly entryId: number;
  readonly accountId: number;
  readonly amountMinor: bigint;
}

const ENTRY_COLUMNS = written({
  ...{ unit: int, id: as('bigint', int) },
  ...all(plainColumn, 'mode', 'event', 'subjectId'),
  atMs: ms,
});
const POSTING_COLUMNS = written({
  ...{ unit: int, entryId: as('bigint', int), accountId: int },
  amountMinor: as('numeric', bigintColumn),
});

export interface NumberedCondition {
  readonly unit: number;
  readonly no: number;
  readonly accountId: number;
}

const CONDITION_COLUMNS = written(all(int, 'unit', 'no', 'accountId'));

/** The postings of the changes, and the conditions that balances of ledger accounts must meet. */
export interface NumberedLedgerRows {
  readonly entries: readonly NumberedEntry[];
  readonly postings: readonly NumberedPosting[];
  readonly conditions: readonly NumberedCondition[];
}

export interface FeedMove {
  readonly name: string;
  readonly fence: number;
  readonly position: string;
}

export interface CommitQuery {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * The unique indexes of records. A statement violates one only when another process writes the same record at the same time.
 * The next try finds that row, and then the change is stale.
 */
export const UNIQUE_INDEXES: ReadonlySet<string> = new Set(
  KINDS.flatMap(({ once }) => (once ? [uniqueIndexOf(once.table)] : [])),
);

// This limit is never reached, and the planner does not know its value. So the planner expects few rows and finds each row by
// an index. Otherwise the planner would scan the whole table while the table is small, and would keep that plan while the table
// grows.
const FEW_ROWS_HINT = 'limit (select 1000000000)';
const WHERE_NOT_STALE = 'where unit not in (select unit from stale)';

export function makeCommitQuery(
  changes: readonly Change[],
  { entries, postings, conditions }: NumberedLedgerRows,
  feed: FeedMove | undefined,
): CommitQuery {
  const judges = conditions.length > 0;
  const posts = postings.length > 0 || judges;
  const present = KINDS.flatMap((kind) => {
    const rows = changes.flatMap((change, unit) => kind.itemsOf(change).map((item) => ({ unit, item })));
    return rows.length === 0 ? [] : [{ kind, rows: rows as CommitRow<never>[] }];
  });
  const values: unknown[] = present.flatMap(({ kind, rows }) => columnArrays(kind.columns, rows));
  if (posts) values.push(...columnArrays(ENTRY_COLUMNS, entries), ...columnArrays(POSTING_COLUMNS, postings));
  if (judges) values.push(...columnArrays(CONDITION_COLUMNS, conditions));
  if (feed !== undefined) values.push(feed.name, feed.fence, feed.position);
  const shape = [
    ...present.map(({ kind }) => kind.name),
    ...(posts ? ['entries'] : []),
    ...(judges ? ['conditions'] : []),
    ...(feed === undefined ? [] : ['feed']),
  ];
  const name = `commit ${shape.join(' ')}`;
  const known = STATEMENT_TEXTS.get(name);
  if (known !== undefined) return { name: known.short, text: known.text, values };
  const kinds = present.map(({ kind }) => kind);
  const text = statementText(kinds, { posts, judges, feed: feed !== undefined });
  const short = `commit ${STATEMENT_TEXTS.size}`;
  STATEMENT_TEXTS.set(name, { short, text });
  return { name: short, text, values };
}

const STATEMENT_TEXTS = new Map<string, { short: string; text: string }>();

function statementText(
  kinds: readonly CommitPart[],
  { posts, judges, feed }: { readonly posts: boolean; readonly judges: boolean; readonly feed: boolean },
): string {
  let next = 1;
  const input = (columns: readonly ArrayColumn<never>[]) => {
    const before = next - 1;
    next += columns.length;
    return `select * from ${inputOf(columns, before)}`;
  };
  const parts: string[] = [];
  for (const kind of kinds) parts.push(`${kind.name}_in as materialized (${input(kind.columns)})`);
  if (posts) {
    parts.push(`entry_in as materialized (${input(ENTRY_COLUMNS)})`);
    parts.push(`posting_in as materialized (${input(POSTING_COLUMNS)})`);
  }
  if (judges) parts.push(`condition_in as materialized (${input(CONDITION_COLUMNS)})`);
  for (const { name, fence } of kinds) {
    if (fence === undefined) continue;
    parts.push(`${name}_lock as materialized (
      select t.${fence.key} as id, t.version from ${fence.table} t
      where t.${fence.key} = any (array(select id from ${name}_in order by id)) order by t.${fence.key} for update)`);
  }
  parts.push(`stale as materialized (${staleUnits(kinds)})`);
  // PostgreSQL runs the writes of this statement from the last to the first. Every batch needs the rows of ledger accounts.
  // Their write comes first here, so they are locked last and only during the commit itself.
  if (posts) parts.push(...postingParts(judges));
  for (const { name, write, once, order = once?.by } of kinds) {
    const sorted = order === undefined ? '' : `order by ${order.join(', ')}`;
    const x = `select * from ${name}_in ${WHERE_NOT_STALE} ${sorted} ${FEW_ROWS_HINT}`;
    for (const [index, text] of write.entries()) parts.push(`${name}_${index} as (with x as (${x}) ${text})`);
  }
  if (feed) {
    parts.push(`feed_moved as (
      update feeds set position = $${next + 2} where name = $${next} and fence = $${next + 1}::bigint)`);
  }
  return `with ${parts.join(',\n')}\nselect unit from stale`;
}

function staleUnits(kinds: readonly CommitPart[]): string {
  const checks = kinds.flatMap(({ name, fence, once }) => {
    if (fence !== undefined) {
      return `select x.unit from ${name}_in x left join ${name}_lock l on l.id = x.id
        where l.version is distinct from x.version`;
    }
    if (once === undefined) return [];
    const same = once.by.map((column) => `t.${column} = x.${column}`).join(' and ');
    return `select x.unit from ${name}_in x cross join lateral (
      select from ${once.table} t where ${same} limit 1) there`;
  });
  return checks.length === 0 ? 'select null::int as unit where false' : checks.join(' union all ');
}

/** The accounts of conditions are locked together with the accounts of postings, as if an amount of zero were posted to them. */
const POSTED_OR_NAMED = `(select unit, account_id, amount_minor from posting_in
      union all select unit, account_id, 0 from condition_in) i`;

// A locked row is the newest one, even if it changed after the statement began. So these are the balances after the commit. The
// update adds to the locked balance, because PostgreSQL checks `accounts_not_negative` before it notices that a row version is
// out of date. With the old balance it would refuse an amount that another commit has just made possible. The cast refuses a
// negative sum. Every sum is read before the first balance is written, because no balance is ever below zero.
const CONDITIONS_MET = `condition_met as materialized (
    select sum(l.balance + s.amount_minor)::not_negative_together as left_minor
    from condition_in c join sums s using (account_id) join account_lock l on l.id = c.account_id
    ${WHERE_NOT_STALE} group by c.no)`;
const AND_CONDITIONS_MET = 'and not exists (select from condition_met where left_minor < 0)';

/** Accounts are locked in the order of their numbers. So two batches may wait for each other but never deadlock. */
function postingParts(judges: boolean): readonly string[] {
  return [
    `sums as materialized (
    select account_id, sum(amount_minor) as amount_minor from ${judges ? POSTED_OR_NAMED : 'posting_in'} ${WHERE_NOT_STALE}
    group by account_id)`,
    `account_lock as materialized (
    select a.id, a.balance from accounts a where a.id = any (array(select account_id from sums order by account_id))
    order by a.id for update)`,
    ...(judges ? [CONDITIONS_MET] : []),
    `balances as (
    update accounts a set balance = l.balance + s.amount_minor
    from sums s join account_lock l on l.id = s.account_id where a.id = s.account_id ${judges ? AND_CONDITIONS_MET : ''})`,
    `postings_written as (
    insert into postings (entry_id, account_id, amount_minor)
    select entry_id, account_id, amount_minor from posting_in ${WHERE_NOT_STALE})`,
    `entries_written as (
    insert into entries (id, mode, event, subject_id, at)
    select id, mode, event, subject_id, to_timestamp(at_ms / 1000) from entry_in ${WHERE_NOT_STALE})`,
  ];
}
