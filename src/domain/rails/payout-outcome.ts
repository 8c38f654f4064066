// What an answer of a rail proves about a payout, together with what the rail said before and when. Pure. A payout has ended unpaid
// only when its first call was not sent, or when it was refused and the rail said so twice more, late enough; everything else is
// asked about. docs/operate/rails.md has the same decisions as a table, which a test compares with this file.
import type { RailTerms } from './terms.ts';

// What a rail answers about a payout, to an order and to a question. It is what the rail says, and no proof of what it does:
// what an answer proves is decided in payout-outcome.ts.

/**
 * Whose fault a refusal is. `payout`: the account or the order; every rail would refuse it. `rail`: the rail itself (its balance,
 * its limit, its contract); another rail may pay it.
 */
export type Fault = 'payout' | 'rail';

export type PayoutStatus =
  | { readonly kind: 'pending' }
  /** `chargeMinor` null: the rail does not say, so the table of bank charges holds (domain/catalogue/bank-charges.ts). */
  | { readonly kind: 'paid'; readonly sessionId: string | null; readonly chargeMinor: bigint | null }
  /** Refused, with a code that the rail calls final. Everything less certain is `unknown`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly fault: Fault }
  /** It was paid, and the money is back in our account. */
  | { readonly kind: 'returned'; readonly reason: string }
  /**
   * Only of an order: not one byte of it left (no name, no route, connection refused, or a call that comes before the order
   * failed). It proves nothing about earlier calls with the same reference.
   */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The rail does not know the reference. Just after an unknown outcome this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The kind of call: the order by the step that stored the attempt, a repeated order, or a question. */
export type CallKind = 'ordered_first' | 'ordered_again' | 'asked';

/** A refusal that is not confirmed yet. */
export interface RailRefusal {
  readonly reason: string;
  readonly fault: Fault;
  /** The time since which nothing contradicts it and no order can still be on its way. */
  readonly sinceMs: number;
  /** The time of the first question that confirmed it; null: none yet. */
  readonly confirmedMs: number | null;
}

/** The memory of earlier answers about an attempt. */
export interface OutcomeMemory {
  readonly refusal: RailRefusal | null;
  /** Answers in a row, late enough, that the rail does not know the reference. */
  readonly notFound: number;
}

export const EMPTY_MEMORY: OutcomeMemory = { refusal: null, notFound: 0 };

export interface RailCall {
  readonly called: CallKind;
  readonly beganMs: number;
  readonly endedMs: number;
  /** The start of the last order. */
  readonly orderedMs: number;
  /** The latest end of the last order call. */
  readonly orderedUntilMs: number;
}

export type PayoutVerdict =
  /** `isBrokenWord`: the rail had refused it. */
  | { readonly kind: 'paid'; readonly isBrokenWord: boolean }
  | { readonly kind: 'returned'; readonly isBrokenWord: boolean }
  /** This attempt pays nothing and never will. */
  | {
      readonly kind: 'unpaid';
      readonly proof: 'not_sent' | 'refused';
      readonly fault: Fault;
      readonly reason: string;
    }
  /** Refused: the rail is asked again at `askAtMs`, before anything else is done. */
  | { readonly kind: 'making_sure'; readonly memory: OutcomeMemory; readonly askAtMs: number }
  | { readonly kind: 'pending'; readonly memory: OutcomeMemory }
  | { readonly kind: 'unknown'; readonly memory: OutcomeMemory; readonly reason: string }
  /** The same reference may be ordered once more. */
  | { readonly kind: 'order_again'; readonly memory: OutcomeMemory; readonly reason: string }
  /** Only people can find out: it is asked about, and nothing else is done by itself. */
  | { readonly kind: 'people'; readonly memory: OutcomeMemory; readonly reason: string };

/** The number of "not found" answers in a row that prove anything. */
export const MIN_NOT_FOUND_ANSWERS = 3;

export function decideOutcome(
  status: PayoutStatus,
  call: RailCall,
  before: OutcomeMemory,
  terms: RailTerms,
): PayoutVerdict {
  const { refusal } = before;
  switch (status.kind) {
    case 'paid':
    case 'returned':
      return { kind: status.kind, isBrokenWord: refusal !== null };
    case 'pending':
      // It contradicts a refusal, and the rail knows the reference.
      return { kind: 'pending', memory: EMPTY_MEMORY };
    case 'not_sent':
      if (call.called === 'ordered_first')
        return { kind: 'unpaid', proof: 'not_sent', fault: 'rail', reason: status.reason };
      return decideUnclear(before, call, terms, status.reason);
    case 'unknown':
      return decideUnclear(before, call, terms, status.reason);
    case 'failed': {
      const { reason, fault } = status;
      if (refusal !== null) return confirmRefusal({ ...refusal, reason, fault }, call, terms);
      // A question may be answered while another process still waits for the answer to the order.
      const sinceMs = call.called === 'asked' ? Math.max(call.endedMs, call.orderedUntilMs) : call.endedMs;
      return awaitConfirmation({ reason, fault, sinceMs, confirmedMs: null }, sinceMs + terms.confirmAfterMs);
    }
    case 'not_found':
      return refusal === null ? decideNotFound(before, call, terms) : confirmRefusal(refusal, call, terms);
  }
}

/** The rail still says that it does not pay it. */
function confirmRefusal(
  refusal: RailRefusal,
  { called, beganMs }: RailCall,
  terms: RailTerms,
): PayoutVerdict {
  const { sinceMs, confirmedMs, fault, reason } = refusal;
  const dueMs = confirmedMs === null ? sinceMs + terms.confirmAfterMs : confirmedMs + terms.confirmAgainMs;
  // Asked too early, by an event of the rail perhaps: it counts for nothing, and contradicts nothing.
  if (called !== 'asked' || beganMs < dueMs) return awaitConfirmation(refusal, dueMs);
  if (confirmedMs === null)
    return awaitConfirmation({ ...refusal, confirmedMs: beganMs }, beganMs + terms.confirmAgainMs);
  return { kind: 'unpaid', proof: 'refused', fault, reason };
}

function awaitConfirmation(refusal: RailRefusal, askAtMs: number): PayoutVerdict {
  return { kind: 'making_sure', memory: { refusal, notFound: 0 }, askAtMs };
}

/** An unclear answer: a refusal that was being confirmed must be confirmed anew. */
function decideUnclear(
  before: OutcomeMemory,
  { endedMs }: RailCall,
  terms: RailTerms,
  reason: string,
): PayoutVerdict {
  const { refusal } = before;
  if (refusal === null) return { kind: 'unknown', memory: before, reason };
  return awaitConfirmation(
    { ...refusal, sinceMs: endedMs, confirmedMs: null },
    endedMs + terms.confirmAfterMs,
  );
}

const REFERENCE_UNKNOWN = 'the bank does not know the reference';

/** An answer "not found". Without a refusal it never ends an attempt: the order may be on its way. */
function decideNotFound(
  before: OutcomeMemory,
  { called, beganMs, orderedMs }: RailCall,
  terms: RailTerms,
): PayoutVerdict {
  const counts = called === 'asked' && beganMs >= orderedMs + terms.repeatAfterMs;
  const memory = { ...before, notFound: counts ? before.notFound + 1 : before.notFound };
  if (memory.notFound < MIN_NOT_FOUND_ANSWERS) return { kind: 'unknown', memory, reason: REFERENCE_UNKNOWN };
  return {
    kind: terms.repeats === 'paid_once' ? 'order_again' : 'people',
    memory,
    reason: REFERENCE_UNKNOWN,
  };
}
