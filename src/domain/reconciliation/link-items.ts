// Links the items of the books to the rows of a statement. The most certain rules come first: known rows, session ids and
// references (with differing amounts, too), then the other side's account or name, then amounts. No rule links by amount what
// something else contradicts.

import { type BookItem, isChargeItem, type ReconciliationRow } from './items.ts';
import { linkByName, linkByParty, linkChangedCharges, linkDifferingAmounts } from './link-by-name.ts';
import { linkChargeBatches, linkCharges, linkPayoutsWithCharges } from './link-charges.ts';
import { mayShowCharges } from './row-words.ts';
import { type LinkKnowledge, type ReconciliationLink, UnlinkedPool } from './unlinked-pool.ts';

/**
 * A transfer made on Friday evening is on Monday's statement. If an item and a row are further apart, only a session id or a
 * reference links them.
 */
export const NEAR_WORKING_DAYS = 2;

export interface LinkResult {
  readonly links: readonly ReconciliationLink[];
  readonly items: readonly BookItem[];
  readonly rows: readonly ReconciliationRow[];
}

export function linkItems(
  items: readonly BookItem[],
  rows: readonly ReconciliationRow[],
  knowledge?: LinkKnowledge,
): LinkResult {
  const pool = new UnlinkedPool(items, rows, knowledge);
  linkKnownRows(pool);
  linkByName(pool);
  linkChangedCharges(pool);
  linkDifferingAmounts(pool, NEAR_WORKING_DAYS);
  linkByParty(pool, NEAR_WORKING_DAYS);
  linkCharges(pool, NEAR_WORKING_DAYS, true);
  linkByAmount(pool, true);
  linkCharges(pool, NEAR_WORKING_DAYS, false);
  linkChargeBatches(pool, NEAR_WORKING_DAYS);
  linkByAmount(pool, false);
  linkPayoutsWithCharges(pool, NEAR_WORKING_DAYS);
  return { links: pool.links, items: [...pool.items.values()], rows: [...pool.rows.values()] };
}

function linkKnownRows(pool: UnlinkedPool): void {
  for (const item of [...pool.items.values()])
    for (const id of item.rowIds) {
      const row = pool.rows.get(id);
      if (row === undefined || !pool.hasItem(item) || row.amountMinor !== item.amountMinor) continue;
      pool.take([item], [row], 'row');
    }
}

/** `alike`: charges are linked only to rows that the bank marks as charges. Otherwise the bank's mark is ignored. */
function linkByAmount(pool: UnlinkedPool, alike: boolean): void {
  const kind = (charge: boolean) => (alike ? String(charge) : '');
  const keyOf = (amountMinor: bigint, day: string, charge: boolean) =>
    `${amountMinor} ${day} ${kind(charge)}`;
  const rows = new Map<string, ReconciliationRow[]>();
  for (const row of pool.rows.values())
    for (const day of new Set([row.day, row.valueDay ?? row.day])) {
      const key = keyOf(row.amountMinor, day, row.kind === 'charge');
      const found = rows.get(key);
      if (found === undefined) rows.set(key, [row]);
      else found.push(row);
    }
  for (let distance = 0; distance <= NEAR_WORKING_DAYS; distance++)
    for (const item of [...pool.items.values()]) {
      const days = [item.day, ...item.days].flatMap((day) => pool.workingDays.daysNear(day, distance));
      for (const day of new Set(days)) {
        const some = rows.get(keyOf(item.amountMinor, day, isChargeItem(item)));
        const row = some?.find((each) => pool.hasRow(each) && mayBeSame(pool, item, each));
        if (row === undefined) continue;
        pool.take([item], [row], 'amount');
        break;
      }
    }
}

function mayBeSame(pool: UnlinkedPool, item: BookItem, row: ReconciliationRow): boolean {
  return !pool.contradict(item, row) && (!isChargeItem(item) || mayShowCharges(row, [item]));
}
