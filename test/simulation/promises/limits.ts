// Checks the limits: the amount that a business moves in one Lagos calendar day must be within its limit. An amount counts on
// the day of the movement, never on the day of the request. If a payout was returned and is paid again, it still counts on its
// first day.
import type { Change, LimitUsage } from '../../../src/domain/records/change.ts';
import type { Movement } from '../../../src/domain/records/movement.ts';
import { lagosDay } from '../../../src/domain/values/calendar.ts';
import type { Tables } from '../model/tables.ts';

/** The maximum time between the limit check of a step and its commit. A process may pause in between. */
const STEP_MS = 120_000;

export function makeLimitWatch({
  tables,
  limitOf,
  broken,
}: {
  readonly tables: () => Tables;
  readonly limitOf: (businessId: string) => bigint | null;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}): (change: Change) => void {
  const dayOf = new Map<string, string>();

  /**
   * The day on which a movement counts: the day of its limit check, which may be shortly before the creation of the movement.
   */
  const countedDay = ({ createdAtMs }: Movement, usage: LimitUsage | undefined): string => {
    const made = lagosDay(createdAtMs);
    return usage !== undefined && usage.period === lagosDay(createdAtMs - STEP_MS) ? usage.period : made;
  };
  const dayOfReturned = (transactionId: string): string | undefined => {
    for (const { id, state, transactionId: about } of tables().movements.values())
      if (about === transactionId && state === 'returned' && dayOf.has(id)) return dayOf.get(id);
    return undefined;
  };
  const withinLimits = (movement: Movement, change: Change) => {
    const { transactionId, kind } = movement;
    if (kind === 'refund' || transactionId === null) return;
    const { businessId, released, amountMinor } = tables().transactions.get(transactionId)!;
    const limitMinor = limitOf(businessId);
    if (limitMinor === null || released) return;
    const own = change.usage?.find(
      (each) => each.businessId === businessId && each.amountMinor === amountMinor && isDay(each),
    );
    const day = dayOfReturned(transactionId) ?? countedDay(movement, own);
    dayOf.set(movement.id, day);
    if (own !== undefined && own.period !== day)
      broken('limits hold', `${movement.id} of ${day} is counted for ${own.period}`, transactionId);
    let movedMinor = 0n;
    for (const { id, state, transactionId: about } of tables().movements.values()) {
      if (state === 'failed' || state === 'returned' || dayOf.get(id) !== day) continue;
      const other = tables().transactions.get(about!)!;
      if (other.businessId === businessId && !other.released) movedMinor += other.amountMinor;
    }
    if (movedMinor > limitMinor)
      broken('limits hold', `${businessId} moved ${movedMinor} of ${limitMinor} on ${day}`, transactionId);
  };
  return (change) => {
    for (const movement of change.newMovements ?? []) withinLimits(movement, change);
  };
}

function isDay({ period }: LimitUsage): boolean {
  return period.length === '2026-03-02'.length;
}
