// Records the requests to a rail and its responses, by reference. The promises about orders and refusals are checked with this
// record.
import { MIN_NOT_FOUND_ANSWERS } from '../../../../src/domain/rails/payout-outcome.ts';
import type { RepeatPromise } from '../../../../src/domain/rails/terms.ts';
import type { PayoutStatus } from '../../../../src/ports/rails/rail-payouts.ts';

interface Said {
  readonly call: 'pay' | 'ask';
  readonly kind: PayoutStatus['kind'];
  readonly atMs: number;
}

export interface RailLog {
  said(reference: string, call: Said['call'], status: PayoutStatus, atMs: number): void;
  /**
   * Records that a process sends the order, and returns whether the process is allowed to send it. The first order is always
   * allowed. A repeated order is allowed if the rail pays a reference only once and has often enough reported that it does not
   * know the reference.
   */
  order(reference: string): boolean;
  /**
   * Called when a restore has lost orders, and the operator has checked that none of them was paid. `rememberedOf` returns how
   * often a reference was not found, according to the restored books; undefined if the books do not contain the order.
   */
  forgetOrders(rememberedOf: (reference: string) => number | undefined): void;
  /** Whether the rail refused the payout and confirmed the refusal at least twice, over at least this time. */
  isMeant(reference: string, forMs: number): boolean;
}

export function makeRailLog(repeats: RepeatPromise): RailLog {
  const all = new Map<string, Said[]>();
  const notFound = new Map<string, number>();
  return {
    said: (reference, call, { kind }, atMs) => {
      all.set(reference, [...(all.get(reference) ?? []), { call, kind, atMs }]);
      if (call === 'ask' && kind === 'not_found' && notFound.has(reference))
        notFound.set(reference, notFound.get(reference)! + 1);
    },
    order: (reference) => {
      const isFirst = !notFound.has(reference);
      const isAllowed =
        isFirst || (repeats === 'paid_once' && notFound.get(reference)! >= MIN_NOT_FOUND_ANSWERS);
      notFound.set(reference, 0);
      return isAllowed;
    },
    forgetOrders: (rememberedOf) => {
      for (const [reference, count] of notFound) {
        const remembered = rememberedOf(reference);
        if (remembered === undefined) notFound.delete(reference);
        // The service repeated the order, but the restore lost this repeated order. So the books still count the responses
        // before it.
        else notFound.set(reference, Math.max(count, remembered));
      }
    },
    isMeant: (reference, forMs) => {
      const said = all.get(reference) ?? [];
      const refused = said.findIndex(({ kind }) => kind === 'failed');
      if (refused === -1) return false;
      const later = said
        .slice(refused + 1)
        .filter(({ call, kind }) => call === 'ask' && (kind === 'failed' || kind === 'not_found'));
      return later.length >= 2 && later.at(-1)!.atMs - said[refused]!.atMs >= forMs;
    },
  };
}
