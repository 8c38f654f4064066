// Decides what an answer of a rail proves about a payout, together with the earlier answers and their times. A payout has ended
// unpaid only if its first call was not sent, or if two queries after the required waits confirmed a refusal. In every other
// case the rail is queried again. A test compares this file with the table in docs/operate/rails.md.
import type { RailTerms } from './terms.ts';

// An answer of a rail about a payout, in response to an order or a query. An answer is what the rail reports, and
// `decideOutcome` decides what it proves.

/**
 * Who is at fault for a refusal. `payout`: the account or the order has a fault, so every rail would refuse it. `rail`: the
 * rail itself has a fault (its balance, its limit, its contract), so another rail may pay the payout.
 */
export type Fault = 'payout' | 'rail';

export type PayoutStatus =
  | { readonly kind: 'pending' }
  /**
   * `chargeMinor` null: the rail does not report its charge. The table of bank charges then applies
   * (domain/catalogue/bank-charges.ts).
   */
  | { readonly kind: 'paid'; readonly sessionId: string | null; readonly chargeMinor: bigint | null }
  /** The rail refused the payout with a code that it documents as final. Any less certain answer is `unknown`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly fault: Fault }
  /** The payout was paid, and the money was returned to our account. */
  | { readonly kind: 'returned'; readonly reason: string }
  /**
   * Only an order can have this answer. No byte of the order was sent, because the name was not resolved, there was no route,
   * or the connection was refused. A call before the order may also have failed. The answer proves nothing about earlier calls
   * with the same reference.
   */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The rail does not know the reference. Shortly after an unknown outcome this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type CallKind = 'ordered_first' | 'ordered_again' | 'asked';

/** A refusal of a payout that is not confirmed yet. */
export interface RailRefusal {
  readonly reason: string;
  readonly fault: Fault;
  /** Since this time, nothing has contradicted the refusal, and no order can still be in transit. */
  readonly sinceMs: number;
  /** The time of the first query that confirmed the refusal. Null: no query has confirmed it yet. */
  readonly confirmedMs: number | null;
}

export interface OutcomeMemory {
  readonly refusal: RailRefusal | null;
  /** The number of consecutive "not found" answers that came late enough to count. */
  readonly notFound: number;
}

export const EMPTY_MEMORY: OutcomeMemory = { refusal: null, notFound: 0 };

export interface RailCall {
  readonly called: CallKind;
  readonly beganMs: number;
  readonly endedMs: number;
  /** The time at which the last order call began. */
  readonly orderedMs: number;
  /** The time by which the last order call has certainly ended. */
  readonly orderedUntilMs: number;
}

export type PayoutVerdict =
  /** `isBrokenWord`: the rail had refused the payout before. */
  | { readonly kind: 'paid'; readonly isBrokenWord: boolean }
  | { readonly kind: 'returned'; readonly isBrokenWord: boolean }
  /** This attempt has paid nothing and never will. */
  | {
      readonly kind: 'unpaid';
      readonly proof: 'not_sent' | 'refused';
      readonly fault: Fault;
      readonly reason: string;
    }
  /** The rail refused the payout. The rail is queried again at `askAtMs`, before any other step. */
  | { readonly kind: 'making_sure'; readonly memory: OutcomeMemory; readonly askAtMs: number }
  | { readonly kind: 'pending'; readonly memory: OutcomeMemory }
  | { readonly kind: 'unknown'; readonly memory: OutcomeMemory; readonly reason: string }
  /** The payout may be ordered again with the same reference. */
  | { readonly kind: 'order_again'; readonly memory: OutcomeMemory; readonly reason: string }
  /** Only people can find out the outcome. The service still queries the rail, but takes no other step by itself. */
  | { readonly kind: 'people'; readonly memory: OutcomeMemory; readonly reason: string };

/** The number of consecutive "not found" answers after which a decision may use them. */
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
      // The rail knows the reference, so an earlier refusal no longer counts.
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
      // A query may return while another process still waits for the response to its order.
      const sinceMs = call.called === 'asked' ? Math.max(call.endedMs, call.orderedUntilMs) : call.endedMs;
      return awaitConfirmation({ reason, fault, sinceMs, confirmedMs: null }, sinceMs + terms.confirmAfterMs);
    }
    case 'not_found':
      return refusal === null ? decideNotFound(before, call, terms) : confirmRefusal(refusal, call, terms);
  }
}

function confirmRefusal(
  refusal: RailRefusal,
  { called, beganMs }: RailCall,
  terms: RailTerms,
): PayoutVerdict {
  const { sinceMs, confirmedMs, fault, reason } = refusal;
  const dueMs = confirmedMs === null ? sinceMs + terms.confirmAfterMs : confirmedMs + terms.confirmAgainMs;
  // The query came too early, perhaps because a rail event caused it. Its answer neither confirms nor contradicts the refusal.
  if (called !== 'asked' || beganMs < dueMs) return awaitConfirmation(refusal, dueMs);
  if (confirmedMs === null)
    return awaitConfirmation({ ...refusal, confirmedMs: beganMs }, beganMs + terms.confirmAgainMs);
  return { kind: 'unpaid', proof: 'refused', fault, reason };
}

function awaitConfirmation(refusal: RailRefusal, askAtMs: number): PayoutVerdict {
  return { kind: 'making_sure', memory: { refusal, notFound: 0 }, askAtMs };
}

/** After an unclear answer, the confirmation of a refusal starts from the beginning. */
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

/**
 * Handles the answer "not found". Without an earlier refusal, this answer never ends an attempt, because the order may be in
 * transit.
 */
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
