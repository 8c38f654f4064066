// Finds the accounts to reconcile. For each account, finds the first day whose result is missing or is based on data that has
// changed since then.
import { addDays } from '../../../domain/reconciliation/working-days.ts';
import { lagosDayToMs } from '../../../domain/values/calendar.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { AccountKey, ReconciledAccount } from '../../../ports/reconciliation.ts';
import { readBalanceAt } from './book-items.ts';
import type { QueryClient } from './rows.ts';

export async function listReconciledAccounts(
  client: QueryClient,
  mode: Mode,
): Promise<readonly ReconciledAccount[]> {
  const { rows } = await client.query<{ account: string; vendor: string | null; has_statement: boolean }>({
    text: `with known as (
        select distinct substr(key, length(mode || '/NGN/' || name) + 2) as account from accounts
        where mode = $1 and asset = 'NGN' and name in ('bank_in', 'bank_out') and key <> mode || '/NGN/' || name
        union select distinct account from statement_days where mode = $1)
      select k.account, (select v.name from vendors v where v.mode = $1
          and coalesce(v.bank_code, 'unknown') || ':' || v.number = k.account order by v.active desc, v.id limit 1) as vendor,
        exists (select from statement_days d where d.mode = $1 and d.account = k.account) as has_statement
      from known k order by k.account collate "C"`,
    values: [mode],
  });
  return rows.map(({ account, vendor, has_statement: hasStatement }) => ({
    mode,
    account,
    vendor,
    hasStatement,
  }));
}

interface ReconciledSpan {
  readonly first: string | null;
  readonly last: string | null;
  readonly statement: string | null;
  readonly changed: string | null;
  readonly open: boolean;
}

export async function findFirstDueDay(
  client: QueryClient,
  of: AccountKey,
  through: string,
): Promise<string | null> {
  const { first, last, statement, changed, open } = await readReconciledSpan(client, of, through);
  if (first === null || last === null) return statement ?? through;
  // A day before the first reconciled day is due only if there is a statement for that day.
  const days = [changed, last < through ? addDays(last, 1) : null, open ? last : null].filter(
    (day) => day !== null && day <= through,
  );
  const earliest = days.toSorted()[0] ?? null;
  return findLateBookedDay(client, of, earliest, last);
}

/** If a ledger entry was booked for a day that was already reconciled, that day is reconciled again. */
async function findLateBookedDay(
  client: QueryClient,
  of: AccountKey,
  due: string | null,
  last: string,
): Promise<string | null> {
  for (let start = due ?? addDays(last, 1); ; start = addDays(start, -1)) {
    const { rows } = await client.query<{ books: string }>({
      text: `select books_minor as books from reconciliations where mode = $1 and account = $2 and day = $3::date - 1`,
      values: [of.mode, of.account, start],
    });
    const isSound =
      rows[0] === undefined ||
      BigInt(rows[0].books) === (await readBalanceAt(client, of, lagosDayToMs(start))).balanceMinor;
    if (isSound) return due === null && start > last ? null : start;
  }
}

async function readReconciledSpan(
  client: QueryClient,
  { mode, account }: AccountKey,
  through: string,
): Promise<ReconciledSpan> {
  const text = (column: string) => `to_char(${column}, 'YYYY-MM-DD')`;
  const { rows } = await client.query<ReconciledSpan & Record<string, unknown>>({
    text: `select
        (select ${text('min(day)')} from reconciliations where mode = $1 and account = $2) as first,
        (select ${text('max(day)')} from reconciliations where mode = $1 and account = $2) as last,
        (select ${text('min(day)')} from statement_days where mode = $1 and account = $2 and day <= $3) as statement,
        (select ${text('min(d.day)')} from statement_days d left join reconciliations r
          on r.mode = d.mode and r.account = d.account and r.day = d.day
          where d.mode = $1 and d.account = $2 and d.day <= $3
            and (r.day is null or r.statement_at is distinct from d.updated_at)) as changed,
        exists (select from reconciliation_items where mode = $1 and account = $2 and resolved_day is null) as open`,
    values: [mode, account, through],
  });
  return rows[0]!;
}
