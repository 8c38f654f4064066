// What a rail was asked for and what it said, by reference: promises about orders and refusals are judged by it.
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
   * A process gives the order. Whether it may: the first time, or after the rail said often enough that it does not know it, and
   * promises to pay a reference once.
   */
  order(reference: string): boolean;
  /**
   * A restore has lost orders, and the operator has seen that none of the lost ones was paid. `rememberedOf` answers how often the
   * restored books remember that a reference was not found; undefined: they do not have the order.
   */
  forgetOrders(rememberedOf: (reference: string) => number | undefined): void;
  /** Whether it refused the payout, and said so twice more, over at least so long. */
  isMeant(reference: string, forMs: number): boolean;
}

export function makeRailLog(repeats: RepeatPromise): RailLog {
  const all = new Map<string, Said[]>();
  /** Answers that it is not found, since the last order. */
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
        // An order that was repeated, and whose repetition is lost: the answers before it are what the books know.
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
