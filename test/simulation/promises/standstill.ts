// Nothing moves while it is stopped: no halted asset, no frozen business, and nothing at all while movements are paused; a paused
// rail gets no new payouts. This is checked when a process requests a payment from the bank or a network, and when it stores a
// movement. Work that began before the stop was visible may be finished; a step that began later must respect the stop.
import type { RailPause } from '../../../src/domain/rails/settings.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Attempt } from '../../../src/domain/records/movement.ts';
import type { Tables } from '../model/tables.ts';
import type { RailMemory } from '../world/rails/desk.ts';

/** What is stopped, and since when. */
export interface Standstill {
  /** By asset. */
  readonly halts: Map<string, number>;
  /** By business and mode. */
  readonly freezes: Map<string, number>;
  /** Null: movements are not paused. */
  pausedMs: number | null;
}

export interface StandstillWatch {
  /**
   * A process requests a payment. `beganMs`: all current steps of the process began then or later; Infinity: the process runs no
   * step.
   */
  pays(asset: string, reference: string, beganMs: number): void;
  commits(changes: readonly Change[], beganMs: number): void;
}

export function makeStandstillWatch(
  still: Standstill,
  rails: () => RailMemory,
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
  const isNew = ({ movementId, no, rail }: Attempt) =>
    rail !== null &&
    !tables()
      .attempts.get(movementId)
      ?.some((each) => each.no === no);
  const isOf = (pause: RailPause, { rail }: Attempt) => pause.rail === rail;
  return {
    pays: (asset, reference, beganMs) => {
      if (wasSeen(still.halts.get(asset), beganMs))
        broken('a halted asset moves nothing', `${asset}: ${reference}`, subjectOf(reference));
      if (wasSeen(still.pausedMs, beganMs))
        broken('nothing leaves while movements are paused', reference, subjectOf(reference));
    },
    commits: (changes, beganMs) => {
      for (const attempt of changes.flatMap(({ attempts }) => attempts ?? []))
        if (
          isNew(attempt) &&
          rails().pauses.some((pause) => isOf(pause, attempt) && wasSeen(pause.sinceMs, beganMs))
        )
          broken(
            'a paused rail gets no new payout',
            `${attempt.movementId} on ${attempt.rail}`,
            attempt.movementId,
          );
      if (still.freezes.size === 0) return;
      for (const { newMovements } of changes) {
        for (const { id, kind, mode, state, transactionId } of newMovements ?? []) {
          // A payment that people ordered waits until the freeze is lifted.
          if (state === 'pending' || (kind !== 'send' && kind !== 'payout')) continue;
          const { businessId, released } = tables().transactions.get(transactionId!)!;
          if (!released && wasSeen(still.freezes.get(`${businessId} ${mode}`), beganMs))
            broken('a frozen business moves nothing', id, transactionId);
        }
      }
    },
  };
}
