// Pairs of differences that cancel each other: a transfer that the bank debited and returned and that the books never had, a
// wrong amount and its correction, or an opening balance that people booked. The sum of such a pair is zero, so it does not
// change the balances.
import type { LedgerEvent } from '../ledger/ledger.ts';
import { haveSameScheme } from '../values/session-id.ts';
import type { BookItem, Difference } from './items.ts';
import { findNamedItems } from './link-by-name.ts';
import { NEAR_WORKING_DAYS } from './link-items.ts';
import { UnlinkedPool } from './unlinked-pool.ts';
import { daysNear } from './working-days.ts';

export interface CancelledPairs {
  readonly open: readonly Difference[];
  readonly pairs: readonly (readonly [Difference, Difference])[];
}

/** `waits`: whether an item may still appear on the next statement. */
export function pairOpposites(
  differences: readonly Difference[],
  waits: (item: BookItem) => boolean,
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
      ?.find((candidate) => !gone.has(candidate.id) && belongTogether(each, candidate));
    if (other === undefined) continue;
    gone.add(each.id).add(other.id);
    pairs.push([each, other]);
  }
  const cancelled = new Set(pairs.flatMap((pair) => pair.map(({ id }) => id)));
  return { open: differences.filter(({ id }) => !cancelled.has(id)), pairs };
}

/** The events that people book by hand, possibly because of a difference. */
const MANUAL_EVENTS: ReadonlySet<LedgerEvent> = new Set([
  'float_funded',
  'naira_withdrawn',
  'vendor_account_withdrawn',
  'vendor_account_left',
  'payout_account_left',
  'payout_account_reached',
  'vendor_account_reached',
]);

function belongTogether(a: Difference, b: Difference): boolean {
  if (a.kind === 'opening') return b.item !== null && MANUAL_EVENTS.has(b.item.event);
  if (b.kind === 'opening') return a.item !== null && MANUAL_EVENTS.has(a.item.event);
  if (a.kind === 'balance' || b.kind === 'balance') return false;
  if (a.kind === 'books' && b.kind === 'books') return a.item!.subjectId === b.item!.subjectId;
  if (a.kind === 'statement' && b.kind === 'statement') return isReversalPair(a, b);
  return haveSameName(a, b);
}

/**
 * Whether the bank debited and returned an amount. If both rows have a session id, it must be the same. Otherwise the rows are at
 * most a few days apart, and one of them is marked as a reversal.
 */
function isReversalPair({ row: a }: Difference, { row: b }: Difference): boolean {
  const near = daysNear(a!.day, NEAR_WORKING_DAYS).includes(b!.day);
  const [one, other] = [a!.sessionId, b!.sessionId];
  if (one !== null && other !== null && haveSameScheme(one, other)) return one === other;
  return near && (a!.kind === 'reversal' || b!.kind === 'reversal');
}

/** Whether two differences concern the same transfer, for example a wrong amount and its correction. */
function haveSameName(a: Difference, b: Difference): boolean {
  const names = (item: Difference, row: Difference) =>
    item.item !== null &&
    row.row !== null &&
    findNamedItems(new UnlinkedPool([item.item], [row.row])).get(row.row.id)!.length > 0;
  const same = a.item !== null && b.item !== null && a.item.subjectId === b.item.subjectId;
  return same || names(a, b) || names(b, a);
}
