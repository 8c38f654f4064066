// Compares the books with the statement of one bank account for one day in Lagos. Items that both sides have are linked. All
// other items stay open, day after day, until the other side has them. An equation is checked to the kobo: the balance of the
// books minus the balance of the statement equals the sum of the open differences.

import {
  type DayContext,
  type ExplainedDifference,
  explainDifferences,
  isExplainingReason,
  isOnMissingDay,
  mayStillAppear,
} from './explain-differences.ts';
import {
  type BookItem,
  type Difference,
  findMissingDay,
  isChargeItem,
  makeAmountDifference,
  makeBalanceDifference,
  makeBookDifference,
  makeMissingDaysDifference,
  makeRowDifference,
  type ReconciliationRow,
  sumAmounts,
  sumDifferences,
} from './items.ts';
import { linkItems } from './link-items.ts';
import { findCorrections, pairOpposites } from './pair-opposites.ts';
import type { ReconciliationLink } from './unlinked-pool.ts';

export interface DayStatement {
  /** The opening balance. Null: the statement shows no balances. */
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
  readonly rows: readonly ReconciliationRow[];
}

export interface RailBalanceReading {
  readonly balanceMinor: bigint;
  readonly booksMinor: bigint;
  /** The naira that are reserved for payouts in progress. The rail may have paid these payouts already. */
  readonly reservedMinor: bigint;
}

export interface ReconciliationFacts extends DayContext {
  readonly booksOpeningMinor: bigint;
  readonly items: readonly BookItem[];
  readonly statement: DayStatement | null;
  /** The balance of the statement at the end of the last earlier day. Null: there was no earlier statement. */
  readonly beforeMinor: bigint | null;
  readonly carried: readonly Difference[];
  readonly rail: RailBalanceReading | null;
  /** The first day after the last earlier day with rows; null: no day before this one is without rows. */
  readonly withoutRowsSince: string | null;
  readonly hasLaterStatement: boolean;
}

export interface DaySide {
  readonly openingMinor: bigint;
  readonly inMinor: bigint;
  readonly outMinor: bigint;
  readonly chargesMinor: bigint;
  readonly closingMinor: bigint;
}

/** `statement_missing`: the day has no statement although a later day has one. */
export const RECONCILED_DAY_STATES = [
  ...(['balanced', 'explained', 'differs', 'no_statement', 'statement_missing'] as const),
] as const;
export type ReconciledDayState = (typeof RECONCILED_DAY_STATES)[number];

export interface DayResult {
  readonly day: string;
  readonly books: DaySide;
  /** Null: the day has no statement. */
  readonly statement: DaySide | null;
  /** The statement balance from which the comparison of the next day starts. Null: there has been no statement. */
  readonly beforeMinor: bigint | null;
  readonly links: readonly ReconciliationLink[];
  readonly cancelled: readonly (readonly [Difference, Difference])[];
  readonly open: readonly ExplainedDifference[];
  /** The ids of differences that were carried to this day and are no longer open. */
  readonly resolved: readonly string[];
  readonly state: ReconciledDayState;
}

export function reconcileDay(facts: ReconciliationFacts): DayResult {
  const { day, items, beforeMinor, carried } = facts;
  const books = sumDaySide(facts.booksOpeningMinor, items, isChargeItem);
  const of = (kind: Difference['kind']) => carried.filter((each) => each.kind === kind);
  const railItems = findRailDifferences(facts, of('rail'));
  // Nothing is compared before the first statement. The comparison starts with the opening balance of that statement.
  if (facts.statement === null && beforeMinor === null)
    return concludeDay(facts, {
      ...{ books, statement: null, beforeMinor, links: [], cancelled: [], kept: [], railItems },
    });
  // An item that was booked on a day without a statement may still match a row of an earlier day.
  const statement = facts.statement ?? { openingMinor: beforeMinor, closingMinor: beforeMinor, rows: [] };
  const openingMinor = statement.openingMinor ?? beforeMinor ?? books.openingMinor;
  const charged = ({ kind }: ReconciliationRow) => kind === 'charge';
  const shown = sumDaySide(openingMinor, statement.rows, charged);
  const closingMinor = statement.closingMinor ?? shown.closingMinor;
  const carriedItems = of('books').map(({ item }) => item!);
  const carriedRows = of('statement').map(({ row }) => row!);
  const both = [...carriedItems, ...items];
  const corrections = findCorrections(both, carried);
  const linked = linkItems(
    both.filter((item) => !corrections.includes(item)),
    [...carriedRows, ...statement.rows],
    facts,
  );
  const differing = linked.links.filter(({ way }) => way === 'differs');
  const compared = [
    ...of('opening'),
    ...of('balance'),
    ...of('amount'),
    ...balanceDifferences(facts, openingMinor, closingMinor - shown.closingMinor),
    ...[...corrections, ...linked.items].map(makeBookDifference),
    ...linked.rows.map(makeRowDifference),
    ...differing.map(({ items: [item, ...others], rows: [row] }) =>
      makeAmountDifference(item!, row!, others),
    ),
  ];
  const missing = compared.filter((each) => findMissingDay(each) !== null);
  const waits = (item: BookItem) =>
    !corrections.includes(item) && (isOnMissingDay(item, missing) || mayStillAppear(item, facts));
  const { open: kept, pairs } = pairOpposites(compared, waits, facts.workingDays);
  checkEquation(day, books.closingMinor - closingMinor, kept);
  return concludeDay(facts, {
    statement: facts.statement === null ? null : { ...shown, closingMinor },
    ...{ books, beforeMinor: closingMinor, links: linked.links, cancelled: pairs, kept, railItems },
  });
}

function balanceDifferences(
  { day, beforeMinor, booksOpeningMinor, withoutRowsSince }: ReconciliationFacts,
  openingMinor: bigint,
  unexplainedMinor: bigint,
): Difference[] {
  const stepMinor = beforeMinor === null ? 0n : openingMinor - beforeMinor;
  const missingMinor = withoutRowsSince === null ? 0n : stepMinor;
  const startMinor = beforeMinor === null ? booksOpeningMinor - openingMinor : 0n;
  return [
    makeBalanceDifference('opening', day, startMinor),
    makeMissingDaysDifference(withoutRowsSince ?? day, day, -missingMinor),
    makeBalanceDifference('balance', day, missingMinor - stepMinor - unexplainedMinor),
  ].filter(({ offMinor }) => offMinor !== 0n);
}

/** If the balance of the rail differs by the same amount as in the previous reading, it is the same difference. */
function findRailDifferences(
  { day, rail }: ReconciliationFacts,
  carried: readonly Difference[],
): readonly Difference[] {
  if (rail === null) return carried;
  const offMinor = rail.booksMinor - rail.balanceMinor;
  if (offMinor === 0n || (offMinor > 0n && offMinor <= rail.reservedMinor)) return [];
  return [carried.find((each) => each.offMinor === offMinor) ?? makeBalanceDifference('rail', day, offMinor)];
}

type ComparedDay = Pick<DayResult, 'books' | 'statement' | 'beforeMinor' | 'links' | 'cancelled'> & {
  readonly kept: readonly Difference[];
  readonly railItems: readonly Difference[];
};

function concludeDay(facts: ReconciliationFacts, { kept, railItems, ...compared }: ComparedDay): DayResult {
  const open = [...explainDifferences(kept, facts), ...explainRailDifferences(railItems, compared, facts)];
  const stays = new Set(open.map(({ id }) => id));
  const resolved = facts.carried.map(({ id }) => id).filter((id) => !stays.has(id));
  return { day: facts.day, ...compared, open, resolved, state: decideDayState(facts, open) };
}

function explainRailDifferences(
  items: readonly Difference[],
  { books, statement }: Pick<ComparedDay, 'books' | 'statement'>,
  facts: ReconciliationFacts,
): readonly ExplainedDifference[] {
  const offMinor = statement === null ? null : books.closingMinor - statement.closingMinor;
  return explainDifferences(items, facts).map((each) =>
    each.offMinor === offMinor ? { ...each, reason: 'rail_as_statement' } : each,
  );
}

function decideDayState(
  { statement, hasLaterStatement }: Pick<ReconciliationFacts, 'statement' | 'hasLaterStatement'>,
  open: readonly Pick<ExplainedDifference, 'reason'>[],
): ReconciledDayState {
  if (open.some(({ reason }) => !isExplainingReason(reason))) return 'differs';
  if (statement !== null) return open.length === 0 ? 'balanced' : 'explained';
  return hasLaterStatement ? 'statement_missing' : 'no_statement';
}

function sumDaySide<Moved extends { readonly amountMinor: bigint }>(
  openingMinor: bigint,
  moved: readonly Moved[],
  isOfCharge: (each: Moved) => boolean,
): DaySide {
  const charges = moved.filter(isOfCharge);
  const others = moved.filter((each) => !isOfCharge(each));
  const inMinor = sumAmounts(others.filter(({ amountMinor }) => amountMinor > 0n));
  const outMinor = -sumAmounts(others.filter(({ amountMinor }) => amountMinor < 0n));
  const chargesMinor = -sumAmounts(charges);
  return { openingMinor, inMinor, outMinor, chargesMinor, closingMinor: openingMinor + sumAmounts(moved) };
}

/** Throws if the equation does not hold, which only a bug can cause. A wrong result is therefore never shown. */
function checkEquation(day: string, offMinor: bigint, open: readonly Difference[]): void {
  const sum = sumDifferences(open);
  if (sum !== offMinor)
    throw new Error(
      `${day}: the open differences add up to ${sum} kobo, but the balances differ by ${offMinor}`,
    );
}
