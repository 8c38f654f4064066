// What stands still moves nothing: an asset that is halted, a business that is frozen, everything while movements are
// paused. Looked at when a process asks the bank or a network to pay, and when it writes a movement down. What began
// before it could be seen may still be finished; a step that began later must have seen it.
import type { Change } from '../../../src/domain/records/change.ts';
import type { Tables } from '../model/tables.ts';

/** What stands still, and since when. */
export interface Standstill {
  /** By asset. */
  readonly halts: Map<string, number>;
  /** By business and mode. */
  readonly freezes: Map<string, number>;
  /** Null: movements are not paused. */
  pausedMs: number | null;
}

export interface StandstillWatch {
  /** A process asks for a payment. `beganMs`: every step it is in began then or later; Infinity: it is in none. */
  pays(asset: string, reference: string, beganMs: number): void;
  commits(changes: readonly Change[], beganMs: number): void;
}

export function makeStandstillWatch(
  still: Standstill,
  tables: () => Tables,
  broken: (promise: string, detail: string, subject: string | null) => void,
): StandstillWatch {
  const wasSeen = (sinceMs: number | null | undefined, beganMs: number) =>
    sinceMs != null && sinceMs < beganMs && beganMs < Number.POSITIVE_INFINITY;
  const subjectOf = (reference: string) => {
    for (const [movementId, attempts] of tables().attempts)
      if (attempts.some((each) => each.reference === reference)) return movementId;
    return null;
  };
  return {
    pays: (asset, reference, beganMs) => {
      if (wasSeen(still.halts.get(asset), beganMs))
        broken('a halted asset moves nothing', `${asset}: ${reference}`, subjectOf(reference));
      if (wasSeen(still.pausedMs, beganMs))
        broken('nothing leaves while movements are paused', reference, subjectOf(reference));
    },
    commits: (changes, beganMs) => {
      if (still.freezes.size === 0) return;
      for (const { newMovements } of changes) {
        for (const { id, kind, mode, transactionId } of newMovements ?? []) {
          if (kind !== 'send' && kind !== 'payout') continue;
          const { businessId, released } = tables().transactions.get(transactionId!)!;
          if (!released && wasSeen(still.freezes.get(`${businessId} ${mode}`), beganMs))
            broken('a frozen business moves nothing', id, transactionId);
        }
      }
    },
  };
}
