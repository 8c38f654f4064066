// Records of our other bank accounts that carry the session id or reference of an open difference: the money was booked on one
// account, and the statement of another account shows it.
import type { Difference } from '../../../domain/reconciliation/items.ts';
import { findNamedItems } from '../../../domain/reconciliation/named-items.ts';
import { listOwnReferences, listSessions } from '../../../domain/reconciliation/row-words.ts';
import { addDays } from '../../../domain/reconciliation/working-days.ts';
import type { AccountDayKey } from '../../../ports/reconciliation.ts';
import { movementIdOf, readRowsWithAmounts } from './row-facts.ts';
import type { QueryClient } from './rows.ts';

const AROUND_DAYS = 10;

/** Our other account, by the id of the difference. */
export async function findElsewhere(
  client: QueryClient,
  of: AccountDayKey,
  open: readonly Difference[],
): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ...(await findRowsElsewhere(client, of, open)),
    ...(await findBookingsElsewhere(client, of, open)),
  ]);
}

/** Items of these books that the statement of another account shows. */
async function findRowsElsewhere(
  client: QueryClient,
  { mode, account, day }: AccountDayKey,
  open: readonly Difference[],
): Promise<readonly (readonly [string, string])[]> {
  const items = open.flatMap(({ kind, item }) => (kind === 'books' ? [item!] : []));
  if (items.length === 0) return [];
  const { rows: accounts } = await client.query<{ account: string }>({
    text: 'select distinct account from statement_days where mode = $1 and account <> $2 order by account',
    values: [mode, account],
  });
  const found: (readonly [string, string])[] = [];
  for (const { account: other } of accounts) {
    const rows = await readRowsWithAmounts(
      client,
      { mode, account: other },
      addDays(day, -AROUND_DAYS),
      addDays(day, AROUND_DAYS),
      items.map(({ amountMinor }) => amountMinor),
    );
    const named = findNamedItems(items, rows);
    for (const { id, amountMinor } of rows)
      for (const item of named.get(id)!)
        if (item.amountMinor === amountMinor) found.push([`books ${item.id}`, other]);
  }
  return found;
}

/** Rows of this statement that the books have on another account. */
async function findBookingsElsewhere(
  client: QueryClient,
  { mode, account }: AccountDayKey,
  open: readonly Difference[],
): Promise<readonly (readonly [string, string])[]> {
  const rows = open.flatMap(({ kind, row }) => (kind === 'statement' ? [row!] : []));
  const sessions = rows.flatMap((row) => listSessions(row).map((session) => `/${session}`));
  const movements = rows.flatMap((row) => listOwnReferences(row).map(movementIdOf));
  if (sessions.length === 0 && movements.length === 0) return [];
  const { rows: found } = await client.query<{ name: string; account: string; amount: string }>({
    text: `select session_id as name, coalesce(account_bank_code, 'unknown') || ':' || account_number as account, amount_minor::text as amount
        from bank_credits where mode = $1 and session_key = any ($2::text[])
      union all select id, bank_account, (-naira_minor)::text from movements
        where mode = $1 and id = any ($3::text[]) and bank_account is not null`,
    values: [mode, sessions, movements],
  });
  return rows.flatMap((row) => {
    const names = new Set([...listSessions(row), ...listOwnReferences(row).map(movementIdOf)]);
    const booked = found.find(
      (each) => names.has(each.name) && each.account !== account && BigInt(each.amount) === row.amountMinor,
    );
    return booked === undefined ? [] : [[`row ${row.id}`, booked.account] as const];
  });
}
