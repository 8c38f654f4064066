// Checks that stopped money does not move. A halted asset and a frozen business move nothing, a pause of movements stops
// everything, and a paused rail gets no new payouts. The check runs when a process requests a payment from a bank or network,
// and when it stores a movement. A step that began before the stop was visible may finish; a later step must respect the stop.
import type { RailPause } from '../../../src/domain/rails/settings.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Attempt } from '../../../src/domain/records/movement.ts';
import type { Tables } from '../model/tables.ts';
import type { RailMemory } from '../world/rails/desk.ts';

export interface Standstill {
  /** By asset. */
  readonly halts: Map<string, number>;
  /** The key is the business and the mode. */
  readonly freezes: Map<string, number>;
  /** The time at which movements were paused; null if they are not paused. */
  pausedMs: number | null;
}

export interface StandstillWatch {
  /**
   * The watch calls this when a process requests a payment. `beganMs`: no current step of the process began earlier; Infinity
   * if the process runs no step.
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
          // A pending payment waits until people lift the freeze, so it moves nothing yet.
          if (state === 'pending' || (kind !== 'send' && kind !== 'payout')) continue;
          const { businessId, released } = tables().transactions.get(transactionId!)!;
          if (!released && wasSeen(still.freezes.get(`${businessId} ${mode}`), beganMs))
            broken('a frozen business moves nothing', id, transactionId);
        }
      }
    },
  };
}
