// What an answer of a rail proves about a payout, together with the earlier answers and their times. Pure. A payout has ended
// unpaid only if its first call was not sent, or if the rail refused it and two queries after the required waits confirmed the
// refusal. In every other case the rail is queried again. docs/operate/rails.md has the same decisions as a table, which a test
// compares with this file.
import type { RailTerms } from './terms.ts';

// The answers of a rail about a payout, in response to an order or a query. An answer is what the rail reports, not a proof;
// `decideOutcome` decides what it proves.

/**
 * Who is at fault for a refusal. `payout`: the fault is in the account or the order, so every rail would refuse it. `rail`: the
 * fault is in the rail itself (its balance, its limit, its contract), so another rail may pay it.
 */
export type Fault = 'payout' | 'rail';

export type PayoutStatus =
  | { readonly kind: 'pending' }
  /**
   * `chargeMinor` null: the rail does not report its charge, so the table of bank charges applies
   * (domain/catalogue/bank-charges.ts).
   */
  | { readonly kind: 'paid'; readonly sessionId: string | null; readonly chargeMinor: bigint | null }
  /** The rail refused the payout with a code that it documents as final. Any less certain answer is `unknown`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly fault: Fault }
  /** The payout was paid, and the money was returned to our account. */
  | { readonly kind: 'returned'; readonly reason: string }
  /**
   * Only for an order: no byte of it was sent (the name was not resolved, no route, connection refused, or a call before the
   * order failed). It proves nothing about earlier calls with the same reference.
   */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The rail does not know the reference. Shortly after an unknown outcome this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The kind of call: the first order of the attempt, a repeated order, or a query. */
export type CallKind = 'ordered_first' | 'ordered_again' | 'asked';

/** A refusal that is not confirmed yet. */
export interface RailRefusal {
  readonly reason: string;
  readonly fault: Fault;
  /** Since this time nothing has contradicted the refusal, and no order can still be in transit. */
  readonly sinceMs: number;
  /** The time of the first query that confirmed the refusal; null: none yet. */
  readonly confirmedMs: number | null;
}

/** The memory of earlier answers about an attempt. */
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
  /** The start of the last order. */
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
  /** The rail refused the payout: it is queried again at `askAtMs`, before any other step. */
  | { readonly kind: 'making_sure'; readonly memory: OutcomeMemory; readonly askAtMs: number }
  | { readonly kind: 'pending'; readonly memory: OutcomeMemory }
  | { readonly kind: 'unknown'; readonly memory: OutcomeMemory; readonly reason: string }
  /** The same reference may be ordered again. */
  | { readonly kind: 'order_again'; readonly memory: OutcomeMemory; readonly reason: string }
  /** Only people can find out the outcome: the rail is still queried, but no other step is automatic. */
  | { readonly kind: 'people'; readonly memory: OutcomeMemory; readonly reason: string };

/** How many consecutive "not found" answers are needed before any decision uses them. */
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

/** The rail confirms that it does not pay. */
function confirmRefusal(
  refusal: RailRefusal,
  { called, beganMs }: RailCall,
  terms: RailTerms,
): PayoutVerdict {
  const { sinceMs, confirmedMs, fault, reason } = refusal;
  const dueMs = confirmedMs === null ? sinceMs + terms.confirmAfterMs : confirmedMs + terms.confirmAgainMs;
  // The query came too early, perhaps because of an event of the rail: its answer neither confirms nor contradicts the refusal.
  if (called !== 'asked' || beganMs < dueMs) return awaitConfirmation(refusal, dueMs);
  if (confirmedMs === null)
    return awaitConfirmation({ ...refusal, confirmedMs: beganMs }, beganMs + terms.confirmAgainMs);
  return { kind: 'unpaid', proof: 'refused', fault, reason };
}

function awaitConfirmation(refusal: RailRefusal, askAtMs: number): PayoutVerdict {
  return { kind: 'making_sure', memory: { refusal, notFound: 0 }, askAtMs };
}

/** After an unclear answer, the confirmation of a refusal starts again. */
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

/** Handles "not found". Without a refusal, a "not found" answer never ends an attempt, because the order may be in transit. */
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
