// Counts every posting from the first one, in pieces and without a long transaction. Rows below the xmin of one snapshot can no
// longer change. The few rows above xmin are counted in that snapshot itself. If a piece fails, the earlier pieces stay
// counted, and the count continues at the same position, even much later.
import type { LedgerReading } from '../../../ports/ledger.ts';
import type { Database } from '../connection/database.ts';
import { ACCOUNT } from './reads.ts';

interface Instant {
  id: number;
  settled_below: string;
  checked_below: string | null;
  checked: string | null;
  unsettled: string;
}

const INSTANT = `
with instant as materialized (
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as settled_below
), unsettled as materialized (
  select p.account_id, sum(p.amount_minor) as amount_minor from entries e cross join lateral (
    select account_id, amount_minor from postings where entry_id = e.id offset 0) p
  where e.committed_by >= (select settled_below from instant)
  group by p.account_id
)
select a.id, ${ACCOUNT.list()}, i.settled_below, l.checked_below, l.amount_minor as checked,
  coalesce(u.amount_minor, 0) as unsettled
from accounts a cross join instant i left join ledger_checks l on l.account_id = a.id
left join unsettled u on u.account_id = a.id order by a.key`;

/** A posting whose entry is missing is counted too, so that the recount shows this posting. */
const PIECE = `
with piece as materialized (
  select entry_id, account_id, amount_minor from postings
  where (entry_id, account_id) > ($1::bigint, $2::int) order by entry_id, account_id limit $3
), known as materialized (
  select p.*, coalesce((select e.committed_by from entries e where e.id = p.entry_id), 0) as committed_by from piece p
)
select k.account_id, count(*)::int as postings,
  coalesce(sum(k.amount_minor) filter (where k.committed_by < $4::bigint), 0) as settled,
  coalesce(sum(k.amount_minor) filter (where k.committed_by < x.below), 0) as checked,
  (select entry_id from piece order by entry_id desc, account_id desc limit 1) as last_entry,
  (select account_id from piece order by entry_id desc, account_id desc limit 1) as last_account
from known k left join unnest($5::int[], $6::bigint[]) as x(account_id, below) on x.account_id = k.account_id
group by k.account_id`;

interface Piece {
  account_id: number;
  postings: number;
  settled: string;
  checked: string;
  last_entry: string;
  last_account: number;
}

interface RecountSums {
  readonly settled: Map<number, bigint>;
  readonly checked: Map<number, bigint>;
  postings: number;
}

export interface Recount {
  readonly rows: readonly Instant[];
  readonly sums: RecountSums;
  last: readonly [entryId: string, accountId: number];
}

export async function beginRecount(database: Database): Promise<Recount> {
  const { rows } = await database.query<Instant>({ text: INSTANT });
  const sums = { settled: new Map(), checked: new Map(), postings: 0 };
  return { rows, sums, last: ['-9223372036854775808', 0] };
}

export async function finishRecount(
  database: Database,
  counting: Recount,
  postingsPerQuery: number,
  onProgress: (postings: number) => void,
): Promise<LedgerReading> {
  await addUpPostings(database, counting, postingsPerQuery, onProgress);
  const { rows, sums } = counting;
  const accounts = rows.map((row) => ({
    ...ACCOUNT.read(row),
    postedMinor: (sums.settled.get(row.id) ?? 0n) + BigInt(row.unsettled),
    misnotedMinor: isCheckpointUsable(row) ? BigInt(row.checked!) - (sums.checked.get(row.id) ?? 0n) : 0n,
  }));
  if (accounts.every((account) => account.balanceMinor === account.postedMinor))
    await writeCheckpoints(database, rows, sums);
  return { accounts, newEntries: 0 };
}

async function addUpPostings(
  database: Database,
  counting: Recount,
  postingsPerQuery: number,
  onProgress: (postings: number) => void,
): Promise<void> {
  const { rows, sums } = counting;
  const settledBelow = rows[0]?.settled_below ?? '0';
  const noted = rows.filter(isCheckpointUsable);
  const checkpoints = [noted.map((row) => row.id), noted.map((row) => row.checked_below)];
  for (;;) {
    const { rows: pieces } = await database.query<Piece>({
      name: 'ledger-recount',
      text: PIECE,
      values: [...counting.last, postingsPerQuery, settledBelow, ...checkpoints],
    });
    for (const piece of pieces) {
      const { account_id: id } = piece;
      sums.settled.set(id, (sums.settled.get(id) ?? 0n) + BigInt(piece.settled));
      sums.checked.set(id, (sums.checked.get(id) ?? 0n) + BigInt(piece.checked));
      sums.postings += piece.postings;
    }
    if (pieces.length > 0) counting.last = [pieces[0]!.last_entry, pieces[0]!.last_account];
    onProgress(sums.postings);
    // A piece that is not full is the last one, because newer rows are above the snapshot.
    if (pieces.reduce((count, { postings }) => count + postings, 0) < postingsPerQuery) return;
  }
}

/** A checkpoint with higher transaction numbers comes from another server and is not used. */
function isCheckpointUsable({ checked_below, settled_below }: Instant): boolean {
  return checked_below !== null && BigInt(checked_below) <= BigInt(settled_below);
}

/**
 * If a check has moved the checkpoint forward in the meantime, this write may move the checkpoint back. Then the next check
 * only counts the postings after it again.
 */
async function writeCheckpoints(
  database: Database,
  rows: readonly Instant[],
  sums: RecountSums,
): Promise<void> {
  await database.query({
    text: `insert into ledger_checks as l (account_id, checked_below, amount_minor)
      select * from unnest($1::int[], $2::bigint[], $3::numeric[]) as x(id, below, amount_minor) order by id
      on conflict (account_id) do update
      set checked_below = excluded.checked_below, amount_minor = excluded.amount_minor`,
    values: [
      rows.map((row) => row.id),
      rows.map((row) => row.settled_below),
      rows.map((row) => (sums.settled.get(row.id) ?? 0n).toString()),
    ],
  });
}
