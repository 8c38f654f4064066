// A rail whose responses a test scripts. It has separate books, which show by reference what it really paid. It pays a
// reference at most once.
import { type RailTerms, termsOfRail } from '../../../src/domain/rails/terms.ts';
import type { PayingRail } from '../../../src/ports/rails/rail.ts';
import type { PayoutOrder, PayoutStatus, RailPayouts } from '../../../src/ports/rails/rail-payouts.ts';

export interface ScriptedRail {
  readonly rail: PayingRail;
  readonly given: PayoutOrder[];
  readonly asked: string[];
  readonly paid: ReadonlyMap<string, PayoutOrder>;
}

/** `pays`: the rail pays and reports this. A status: the rail returns this status and pays nothing. */
type Act = 'pays' | PayoutStatus | (() => Promise<PayoutStatus>);

export const SCRIPTED_TERMS = termsOfRail({ timeoutMs: 10_000 });
export const PAID_ONCE = termsOfRail({ timeoutMs: 10_000, repeats: 'paid_once' });

/** `acts`: what the rail does with each order, one after the other. The rail pays all later orders. */
export function scriptedRail(
  name: string,
  acts: readonly Act[] = [],
  more: Partial<RailPayouts> = {},
  terms: RailTerms = SCRIPTED_TERMS,
): ScriptedRail {
  const script = [...acts];
  const given: PayoutOrder[] = [];
  const asked: string[] = [];
  const paid = new Map<string, PayoutOrder>();
  const done = { kind: 'paid', sessionId: null, chargeMinor: 0n } as const;
  const rail: PayingRail = {
    name,
    account: { bankCode: name, number: '0000000001' },
    pace: { readEveryMs: 0, askAfterMs: 300 },
    terms,
    payouts: {
      reaches: () => true,
      enquireName: async ({ expectedName }) => ({ kind: 'found', name: expectedName ?? 'SOME HOLDER' }),
      pay: async (order) => {
        given.push(order);
        const act = script.shift() ?? 'pays';
        if (typeof act === 'function') return act();
        if (act !== 'pays') return act;
        paid.set(order.reference, order);
        return done;
      },
      ask: async (reference) => {
        asked.push(reference);
        return paid.has(reference) ? done : { kind: 'not_found' };
      },
      balance: async () => ({ kind: 'unknown', reason: 'not asked' }),
      ...more,
    },
    statement: null,
  };
  return { rail, given, asked, paid };
}

export const NOT_SENT: PayoutStatus = { kind: 'not_sent', reason: 'connection refused' };
export const NO_MONEY: PayoutStatus = { kind: 'failed', fault: 'rail', reason: 'insufficient balance' };
