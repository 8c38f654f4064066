// Runs the audit of the ledger on PostgreSQL. A check is one statement and therefore one snapshot, so balances and postings are
// from the same moment. Rows that running transactions will add have a transaction id at or above the snapshot's xmin, so the
// checkpoint stops there. Rows below xmin can no longer change, and the next check counts all rows above it again.
import type { LedgerAudit, LedgerReading } from '../../../ports/ledger.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { ACCOUNT, explainEntries, makeHalts, readIdleReservations, readUnswept } from './reads.ts';
import { beginRecount, finishRecount, type Recount } from './recount.ts';

export interface RecountLimits {
  readonly postingsPerQuery: number;
  /** A ledger without a checkpoint that is larger than this number of bytes is counted in pieces. */
  readonly bytesAtOnce: number;
}

const PIECES: RecountLimits = { postingsPerQuery: 50_000, bytesAtOnce: 64 * 1024 * 1024 };

export function makeLedgerAudit(database: Database, given: Partial<RecountLimits> = {}): LedgerAudit {
  const logged = makeRunAudited(database);
  const pieces = { ...PIECES, ...given };
  return {
    ...makeHalts(database, logged),
    check: makeLedgerCheck(database, pieces),
    recount: async (onProgress) =>
      finishRecount(database, await beginRecount(database), pieces.postingsPerQuery, onProgress),
    balances: async () => {
      const text = `select ${ACCOUNT.list()} from accounts a order by key`;
      return (await database.query({ name: 'ledger-balances', text })).rows.map(ACCOUNT.read);
    },
    unswept: () => readUnswept(database),
    idle: () => readIdleReservations(database),
    explain: (subjectId) => explainEntries(database, subjectId),
    note: (action, detail, doing) => logged(doing, action, detail, async () => undefined),
  };
}

// If a checkpoint is above xmin, the checkpoint comes from another server: the data was restored from a dump, and transaction
// ids started again. Then everything is counted. If an account has no checkpoint, the account was created after the last check,
// so its postings are newer. `offset 0` stops the planner from reading all postings for a join. When several checks run at
// once, only one of them moves all checkpoints. The others find that the first checkpoint is locked or has changed since they
// read it.
const CHECK = `
with instant as materialized (
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as settled_below
), seen as materialized (
  select account_id, checked_below, amount_minor from ledger_checks
), noted as materialized (
  select s.* from seen s, instant i where s.checked_below <= i.settled_below
), start as materialized (
  select coalesce(min(checked_below), 0) as below from noted
), fresh as materialized (
  select e.id, e.committed_by, p.account_id, p.amount_minor from entries e cross join lateral (
    select account_id, amount_minor from postings where entry_id = e.id offset 0) p
  where e.committed_by >= (select below from start)
), sums as materialized (
  select f.account_id, sum(f.amount_minor) as amount_minor,
    sum(f.amount_minor) filter (where f.committed_by < i.settled_below) as settled_minor
  from fresh f cross join instant i left join noted n on n.account_id = f.account_id
  where f.committed_by >= coalesce(n.checked_below, 0)
  group by f.account_id
), counted as materialized (
  select a.id, ${ACCOUNT.list()}, coalesce(n.amount_minor, 0) + coalesce(s.amount_minor, 0) as posted,
    coalesce(n.amount_minor, 0) + coalesce(s.settled_minor, 0) as settled
  from accounts a left join noted n on n.account_id = a.id left join sums s on s.account_id = a.id
), news as materialized (
  select count(distinct f.id)::int as entries from fresh f, instant i where f.committed_by < i.settled_below
), first as materialized (
  select l.* from ledger_checks l, news
  where news.entries > 0 and l.account_id = (select min(account_id) from seen) for update of l skip locked
), turn as materialized (
  select from first join seen using (account_id, checked_below, amount_minor)
), moved as (
  update ledger_checks l set checked_below = i.settled_below, amount_minor = c.settled
  from seen s join counted c on c.id = s.account_id, instant i, turn
  where l.account_id = s.account_id and l.checked_below = s.checked_below and l.amount_minor = s.amount_minor
  returning l.account_id
), added as (
  insert into ledger_checks (account_id, checked_below, amount_minor)
  select c.id, i.settled_below, c.settled from counted c, instant i, news
  where news.entries > 0 and c.id not in (select account_id from seen)
    and (exists (select from turn) or not exists (select from seen))
  order by c.id on conflict do nothing
  returning account_id
)
select c.*, news.entries, exists (select from moved)
  or (not exists (select from seen) and exists (select from added where account_id = (select min(id) from counted))) as passed
from counted c, news order by c.key`;

interface Checked {
  posted: string;
  entries: number;
  passed: boolean;
}

const TOO_MUCH = `select pg_relation_size('postings') > $1 and not exists (
  select from ledger_checks where checked_below <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint) as too_much`;

/** When the responses to this many checks in a row are lost, there are too many new ledger entries for one statement. */
const MOST_LOST = 2;

/**
 * Normally one statement counts the new postings. That is too much for a ledger without a checkpoint (restored, or never
 * checked), and after checks have failed for a long time. A statement that reaches its time limit would start again at the
 * first posting each time. Then the postings are counted in pieces, over as many calls as needed.
 */
function makeLedgerCheck(
  database: Database,
  { postingsPerQuery, bytesAtOnce }: RecountLimits,
): (onProgress?: () => void) => Promise<LedgerReading> {
  let isKnown = false;
  let lost = 0;
  let counting: Recount | undefined;
  const isTooMuch = async () => {
    if (lost >= MOST_LOST) return true;
    if (isKnown) return false;
    const { rows } = await database.query<{ too_much: boolean }>({ text: TOO_MUCH, values: [bytesAtOnce] });
    return rows[0]!.too_much;
  };
  return async (onProgress = () => undefined) => {
    if (counting === undefined && !(await isTooMuch())) {
      const reading = await checkFromCheckpoint(database).catch((error: unknown) => {
        if (error instanceof StoreUnavailable && error.mayHaveActed) lost++;
        throw error;
      });
      [isKnown, lost] = [true, 0];
      return reading;
    }
    counting ??= await beginRecount(database);
    const reading = await finishRecount(database, counting, postingsPerQuery, onProgress);
    counting = undefined;
    [isKnown, lost] = [true, 0];
    return reading;
  };
}

async function checkFromCheckpoint(database: Database): Promise<LedgerReading> {
  const { rows } = await database.query<Checked>({ name: 'ledger-check', text: CHECK });
  return {
    accounts: rows.map((row) => ({
      ...ACCOUNT.read(row),
      postedMinor: BigInt(row.posted),
      misnotedMinor: 0n,
    })),
    newEntries: rows[0]?.passed ? rows[0].entries : 0,
  };
}
