// Tests reconciliation against theft. The bank's statement is generated from the books, and a thief has taken additional naira in
// the ways that are hardest to detect: with an amount that the books also contain, with an invented id, or next to a credit of
// the same amount. Every theft must stay open for people, and a statement without a theft must leave nothing open.
import { parseLedgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import { isExplainingReason } from '../../../src/domain/reconciliation/explain-differences.ts';
import type { BookItem, ReconciliationRow } from '../../../src/domain/reconciliation/items.ts';
import { type ReconciliationFacts, reconcileDay } from '../../../src/domain/reconciliation/reconcile.ts';
import { addDays } from '../../../src/domain/reconciliation/working-days.ts';
import { lagosDay } from '../../../src/domain/values/calendar.ts';
import { NAIRA } from '../../../src/domain/values/money.ts';
import { makeDice } from '../../support/dice.ts';
import { NOTHING_BESIDES } from '../../support/reconciliation/plain-day.ts';
import type { Setting } from '../world/setting.ts';

const HOUR_MS = 3_600_000;
/** The number of rows is large enough to hide a theft and small enough to be fast. */
const MOST_ITEMS = 60;

export function theftIsFound(setting: Setting): void {
  const { broken, seed } = setting;
  const dice = makeDice(`${seed} theft`);
  const items = bookItems(setting).slice(0, MOST_ITEMS);
  if (items.length === 0) return;
  const day = items[0]!.day;
  const rows = items.map(rowOf);
  const honest = reconcileDay(factsOf(day, items, rows));
  if (honest.state !== 'balanced')
    broken('an honest statement leaves nothing open', honest.open.map(({ id }) => id).join(), null);
  const taken = dice.pick(items);
  const amountMinor = taken.amountMinor < 0n ? -taken.amountMinor : taken.amountMinor;
  const unnamed = { day, valueDay: null, reference: null, kind: 'payment' } as const;
  const theft: ReconciliationRow = {
    ...{ ...unnamed, id: 'theft', amountMinor: -amountMinor, narration: 'TRF/OWN ACCOUNT' },
    sessionId: dice.percent(50) ? null : '9'.repeat(30),
  };
  // This unrelated incoming amount has the same size as the theft, so the balances do not show the theft.
  const cover: ReconciliationRow = {
    ...{ ...unnamed, id: 'cover', amountMinor, narration: 'NIP/TRANSFER', sessionId: '8'.repeat(30) },
  };
  for (const added of [[theft], [theft, cover]]) {
    const { open, state } = reconcileDay(factsOf(day, items, [...rows, ...added]));
    for (const { id } of added)
      if (!open.some((each) => each.id === `row ${id}` && !isExplainingReason(each.reason)))
        broken(
          'what was taken from a bank account stays open for people',
          `${id}, ${state}`,
          taken.subjectId,
        );
  }
}

/**
 * The amounts that ledger entries moved at the simulated bank. All of them get the same date, because a seed may last past
 * midnight.
 */
function bookItems({ model: { tables }, agenda }: Setting): readonly BookItem[] {
  const day = lagosDay(agenda.now());
  return tables.entries.flatMap((entry, index): BookItem[] => {
    const own = entry.postings.filter(({ account }) => isAtBank(account));
    const amountMinor = own.reduce((sum, each) => sum + each.amountMinor, 0n);
    if (amountMinor === 0n) return [];
    const name = `entry${String(index).padStart(8, '0')}`;
    return [
      {
        ...{
          id: `${index}`,
          day,
          atMs: agenda.now() - HOUR_MS,
          event: entry.event,
          subjectId: entry.subjectId,
        },
        ...{ amountMinor, days: [], rowIds: [], names: [name], sessions: [] },
      },
    ];
  });
}

function isAtBank(account: string): boolean {
  const { asset, name } = parseLedgerKey(account);
  // If the account name contains no bank account, it means the account at the simulated bank.
  return asset === NAIRA && (name === 'bank_out' || name === 'bank_reserved') && account.endsWith(name);
}

function rowOf({ id, day, amountMinor, names: [name] }: BookItem): ReconciliationRow {
  return {
    ...{ id: `row ${id}`, day, valueDay: null, amountMinor, narration: `NIP ${name}` },
    ...{ reference: name!, sessionId: null, kind: 'payment' },
  };
}

function factsOf(
  day: string,
  items: readonly BookItem[],
  rows: readonly ReconciliationRow[],
): ReconciliationFacts {
  const closingMinor = rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return {
    ...{ day, booksOpeningMinor: 0n, items, beforeMinor: 0n, carried: [], rail: null },
    statement: { openingMinor: 0n, closingMinor, rows },
    ...NOTHING_BESIDES,
    hasStatement: (asked) => asked <= addDays(day, 7),
  };
}
