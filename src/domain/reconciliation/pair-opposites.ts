// Pairs of differences that cancel each other: a transfer that the bank debited and returned and that the books never had, a
// wrong amount and its correction, an opening balance that people booked, or a booking on the wrong account and its correction.
// The sum of such a pair is zero, so it does not change the balances.
import type { LedgerEvent } from '../ledger/ledger.ts';
import { haveSameScheme } from '../values/session-id.ts';
import {
  type BookItem,
  type Difference,
  isStatedItem,
  isUsableReference,
  makeBookDifference,
} from './items.ts';
import { NEAR_WORKING_DAYS } from './link-items.ts';
import { findNamedItems } from './named-items.ts';
import { listRowNames, narrationWithoutReversal, shareName } from './row-words.ts';
import { NO_HOLIDAYS, type WorkingDays } from './working-days.ts';

export interface CancelledPairs {
  readonly open: readonly Difference[];
  readonly pairs: readonly (readonly [Difference, Difference])[];
}

/** `waits`: returns whether an item may still appear on the next statement. */
export function pairOpposites(
  differences: readonly Difference[],
  waits: (item: BookItem) => boolean,
  workingDays: WorkingDays = NO_HOLIDAYS,
): CancelledPairs {
  const sides = new Map<string, Difference[]>();
  for (const each of differences) {
    const key = `${each.offMinor}`;
    const found = sides.get(key);
    if (found === undefined) sides.set(key, [each]);
    else found.push(each);
  }
  const early = differences.filter(({ kind, item }) => kind === 'books' && waits(item!));
  const gone = new Set(early.map(({ id }) => id));
  const pairs: (readonly [Difference, Difference])[] = [];
  for (const each of differences) {
    if (each.offMinor <= 0n || gone.has(each.id)) continue;
    const other = sides
      .get(`${-each.offMinor}`)
      ?.find((candidate) => !gone.has(candidate.id) && belongTogether(each, candidate, workingDays));
    if (other === undefined) continue;
    gone.add(each.id).add(other.id);
    pairs.push([each, other]);
  }
  const cancelled = new Set(pairs.flatMap((pair) => pair.map(({ id }) => id)));
  return { open: differences.filter(({ id }) => !cancelled.has(id)), pairs };
}

/**
 * The bookings of two people that correct a known difference and name its transfer: a charge that was too low, or a payout on the
 * wrong account. The statement never shows them as rows, so they are neither linked nor waited for.
 */
export function findCorrections(
  items: readonly BookItem[],
  carried: readonly Difference[],
): readonly BookItem[] {
  return items.filter(
    (item) =>
      isStatedItem(item) &&
      carried.some(
        (each) =>
          each.offMinor === -item.amountMinor &&
          each.item?.id !== item.id &&
          ((each.kind === 'amount' && haveSameName(each, makeBookDifference(item))) ||
            (each.kind === 'books' && haveSameSubject(each.item!, item))),
      ),
  );
}

/** The ledger events that people book by hand, possibly because of a difference. */
const MANUAL_EVENTS: ReadonlySet<LedgerEvent> = new Set([
  'float_funded',
  'naira_withdrawn',
  'vendor_account_withdrawn',
  'vendor_account_left',
  'payout_account_left',
  'payout_account_reached',
  'vendor_account_reached',
]);

function belongTogether(a: Difference, b: Difference, workingDays: WorkingDays): boolean {
  if (a.kind === 'opening') return b.item !== null && MANUAL_EVENTS.has(b.item.event);
  if (b.kind === 'opening') return a.item !== null && MANUAL_EVENTS.has(a.item.event);
  if (a.kind === 'balance' || b.kind === 'balance') return false;
  if (a.kind === 'books' && b.kind === 'books') return haveSameSubject(a.item!, b.item!);
  if (a.kind === 'statement' && b.kind === 'statement') return isReversalPair(a, b, workingDays);
  return haveSameName(a, b);
}

/** Two entries of one subject, or a booking that two people moved to another account with its reference. */
function haveSameSubject(a: BookItem, b: BookItem): boolean {
  if (a.subjectId === b.subjectId) return true;
  const isMoved = [a, b].some((item) => isStatedItem(item) && item.event.endsWith('_account_reached'));
  const names = new Set([...a.names, ...a.sessions].filter(isUsableReference));
  return isMoved && [...b.names, ...b.sessions].some((name) => names.has(name));
}

/**
 * Whether the bank debited and returned an amount. If both rows have a session id, it must be the same. Otherwise the rows are at
 * most a few days apart, one of them is marked as a reversal, and both name the same transfer. If neither names a transfer, their
 * words must be the same except for the mark.
 */
function isReversalPair({ row: a }: Difference, { row: b }: Difference, workingDays: WorkingDays): boolean {
  const [one, other] = [a!.sessionId, b!.sessionId];
  if (one !== null && other !== null && haveSameScheme(one, other)) return one === other;
  const near = workingDays.daysNear(a!.day, NEAR_WORKING_DAYS).includes(b!.day);
  if (!near || (a!.kind !== 'reversal' && b!.kind !== 'reversal')) return false;
  if (listRowNames(a!).length > 0 || listRowNames(b!).length > 0) return shareName(a!, b!);
  const words = narrationWithoutReversal(a!);
  return words !== '' && words === narrationWithoutReversal(b!);
}

function haveSameName(a: Difference, b: Difference): boolean {
  const names = (item: Difference, row: Difference) =>
    item.item !== null &&
    row.row !== null &&
    findNamedItems([item.item], [row.row]).get(row.row.id)!.length > 0;
  const same = a.item !== null && b.item !== null && a.item.subjectId === b.item.subjectId;
  return same || names(a, b) || names(b, a);
}
