// One bank account on one day of Lagos: the books against the statement. What both have is linked; the rest stays open, day after day, until
// the other side has it. The equation is checked to the kobo: the balance by the books minus the balance by the statement is the sum of
// what is open.
import { cancel } from './cancel.ts';
import { type Explained, explain, isExplained, type Outlook, waits } from './explain.ts';
import {
  type BookItem,
  type Difference,
  isCharge,
  ofBalance,
  ofItem,
  ofPair,
  ofRow,
  type StatementRow,
  sumOf,
  sumOff,
} from './items.ts';
import { link } from './link.ts';
import type { Link } from './pool.ts';

export interface StatementDay {
  /** The opening balance; null: the statement shows no balances. */
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
  readonly rows: readonly StatementRow[];
}

/** The rail's own balance, and what the books had at that moment. */
export interface RailReading {
  readonly balanceMinor: bigint;
  readonly booksMinor: bigint;
  /** Set aside for payouts in progress: the rail may have paid them. */
  readonly reservedMinor: bigint;
}

export interface DayFacts extends Outlook {
  readonly booksOpeningMinor: bigint;
  /** Booked on the day. */
  readonly items: readonly BookItem[];
  readonly statement: StatementDay | null;
  /** The statement's balance where the days before end; null: there was no statement before. */
  readonly beforeMinor: bigint | null;
  /** Open at the end of the day before. */
  readonly carried: readonly Difference[];
  readonly rail: RailReading | null;
  /** Session ids of rows of this day, or carried, whose item in the books is no longer open. */
  readonly settledSessions: ReadonlySet<string>;
}

export interface Side {
  readonly openingMinor: bigint;
  readonly inMinor: bigint;
  readonly outMinor: bigint;
  readonly chargesMinor: bigint;
  readonly closingMinor: bigint;
}

export const DAY_STATES = ['balanced', 'explained', 'differs', 'no_statement'] as const;
export type DayState = (typeof DAY_STATES)[number];

export interface DayResult {
  readonly day: string;
  readonly books: Side;
  /** The statement; null: there is none of the day. */
  readonly statement: Side | null;
  /** The base for the next day's comparison; null: there has been no statement. */
  readonly beforeMinor: bigint | null;
  readonly links: readonly Link[];
  /** Differences that became nothing, in pairs. */
  readonly cancelled: readonly (readonly [Difference, Difference])[];
  readonly open: readonly Explained[];
  /** Carried until this day, and no longer open. */
  readonly resolved: readonly string[];
  readonly state: DayState;
}

export function reconcileDay(facts: DayFacts): DayResult {
  const { day, items, beforeMinor, carried } = facts;
  const books = sideOf(facts.booksOpeningMinor, items, isCharge);
  const of = (kind: Difference['kind']) => carried.filter((each) => each.kind === kind);
  const railItems = railOf(facts, of('rail'));
  // Before the first statement there is nothing to carry: the books count from its opening balance.
  if (facts.statement === null && beforeMinor === null)
    return concluded(facts, {
      ...{ books, statement: null, beforeMinor, links: [], cancelled: [], kept: [], railItems },
    });
  // Without a statement of the day, what was booked on it may still be a row of a day before.
  const statement = facts.statement ?? { openingMinor: beforeMinor, closingMinor: beforeMinor, rows: [] };
  const openingMinor = statement.openingMinor ?? beforeMinor ?? books.openingMinor;
  const charged = ({ kind }: StatementRow) => kind === 'charge';
  const shown = sideOf(openingMinor, statement.rows, charged);
  const closingMinor = statement.closingMinor ?? shown.closingMinor;
  const carriedItems = of('books').map(({ item }) => item!);
  const carriedRows = of('statement').map(({ row }) => row!);
  const both = [...carriedItems, ...items];
  const linked = link(both, [...carriedRows, ...statement.rows], facts.settledSessions);
  const differing = linked.links.filter(({ way }) => way === 'differs');
  const compared = [
    ...of('opening'),
    ...of('balance'),
    ...of('amount'),
    ...balanceDifferences(facts, openingMinor, closingMinor - shown.closingMinor),
    ...linked.items.map(ofItem),
    ...linked.rows.map(ofRow),
    ...differing.map(({ items: [item], rows: [row] }) => ofPair(item!, row!)),
  ];
  const { open: kept, pairs } = cancel(compared, (item) => waits(item, facts));
  check(day, books.closingMinor - closingMinor, kept);
  return concluded(facts, {
    statement: facts.statement === null ? null : { ...shown, closingMinor },
    ...{ books, beforeMinor: closingMinor, links: linked.links, cancelled: pairs, kept, railItems },
  });
}

function balanceDifferences(
  { day, beforeMinor, booksOpeningMinor }: DayFacts,
  openingMinor: bigint,
  unexplainedMinor: bigint,
): Difference[] {
  const gapMinor = (beforeMinor === null ? 0n : openingMinor - beforeMinor) + unexplainedMinor;
  const startMinor = beforeMinor === null ? booksOpeningMinor - openingMinor : 0n;
  return [ofBalance('opening', day, startMinor), ofBalance('balance', day, -gapMinor)].filter(
    ({ offMinor }) => offMinor !== 0n,
  );
}

/** A reading that differs as the one before it did is the same difference. */
function railOf({ day, rail }: DayFacts, carried: readonly Difference[]): readonly Difference[] {
  if (rail === null) return carried;
  const offMinor = rail.booksMinor - rail.balanceMinor;
  if (offMinor === 0n || (offMinor > 0n && offMinor <= rail.reservedMinor)) return [];
  return [carried.find((each) => each.offMinor === offMinor) ?? ofBalance('rail', day, offMinor)];
}

type Compared = Pick<DayResult, 'books' | 'statement' | 'beforeMinor' | 'links' | 'cancelled'> & {
  readonly kept: readonly Difference[];
  readonly railItems: readonly Difference[];
};

function concluded(facts: DayFacts, { kept, railItems, ...compared }: Compared): DayResult {
  const open = [...explain(kept, facts), ...railExplained(railItems, compared, facts)];
  const stays = new Set(open.map(({ id }) => id));
  const resolved = facts.carried.map(({ id }) => id).filter((id) => !stays.has(id));
  return { day: facts.day, ...compared, open, resolved, state: stateOf(compared.statement, open) };
}

function railExplained(
  items: readonly Difference[],
  { books, statement }: Pick<Compared, 'books' | 'statement'>,
  facts: DayFacts,
): readonly Explained[] {
  const offMinor = statement === null ? null : books.closingMinor - statement.closingMinor;
  return explain(items, facts).map((each) =>
    each.offMinor === offMinor ? { ...each, reason: 'rail_as_statement' } : each,
  );
}

function stateOf(statement: Side | null, open: readonly Pick<Explained, 'reason'>[]): DayState {
  if (open.some(({ reason }) => !isExplained(reason))) return 'differs';
  if (statement === null) return 'no_statement';
  return open.length === 0 ? 'balanced' : 'explained';
}

function sideOf<Moved extends { readonly amountMinor: bigint }>(
  openingMinor: bigint,
  moved: readonly Moved[],
  isOfCharge: (each: Moved) => boolean,
): Side {
  const charges = moved.filter(isOfCharge);
  const others = moved.filter((each) => !isOfCharge(each));
  const inMinor = sumOf(others.filter(({ amountMinor }) => amountMinor > 0n));
  const outMinor = -sumOf(others.filter(({ amountMinor }) => amountMinor < 0n));
  const chargesMinor = -sumOf(charges);
  return { openingMinor, inMinor, outMinor, chargesMinor, closingMinor: openingMinor + sumOf(moved) };
}

/** It can only fail by a mistake of ours, and a result that is wrong is never shown. */
function check(day: string, offMinor: bigint, open: readonly Difference[]): void {
  const sum = sumOff(open);
  if (sum !== offMinor)
    throw new Error(`${day}: the open differences are ${sum} kobo, and the balances differ by ${offMinor}`);
}
