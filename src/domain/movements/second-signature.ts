// Decides whether an unpaid order may be signed again. Only this decision can pay twice. One provider's answer is enough to
// stop, but to continue, as many providers must agree as for a final payment (table in docs/concepts/sends.md).
export const ENVELOPE_ANSWERS = [
  /** The payment is final, and this order was paid. */
  'paid',
  /** The payment is final. It paid other orders, but it did not pay this order. */
  'unpaid',
  /** The payment is final, and none of its orders was paid. */
  'failed',
  /** It is proven that the payment is absent and can never land. */
  'dead',
  'included',
  'pending',
  'stuck',
  'held',
  'unknown',
] as const;
export type EnvelopeAnswer = (typeof ENVELOPE_ANSWERS)[number];

export interface SecondSignatureFacts {
  /** The answer on which enough providers agree. As many providers must agree as for a final payment. */
  readonly heard: EnvelopeAnswer;
  /** The payment counts as dead, but a provider shows a block with it, or tokens left the treasury under its hash. */
  readonly contradicted: boolean;
  readonly unclearMs: number;
  /** Whether, in live mode, one provider alone gave the answer, so that no other provider could contradict it. */
  readonly byOneAlone: boolean;
}

export type SecondSignatureDecision =
  /** The order was paid, so it is not signed again. */
  | 'settle'
  | 'sign_again'
  /** All sends of the asset stop, and the order waits, until two people have decided. */
  | 'stop_sends'
  | 'wait'
  /** The order is given up, and two people decide whether it is sent again or refunded. */
  | 'ask_people';

/** The maximum time to wait for a conclusive answer. */
export const UNCLEAR_FOR_MS = 60 * 60_000;

const UNPAID_ANSWERS: ReadonlySet<EnvelopeAnswer> = new Set(['unpaid', 'failed', 'dead']);

export function hasEndedUnpaid(heard: EnvelopeAnswer): boolean {
  return UNPAID_ANSWERS.has(heard);
}

export function decideSecondSignature(known: SecondSignatureFacts): SecondSignatureDecision {
  const { heard, contradicted, unclearMs, byOneAlone } = known;
  if (heard === 'paid') return 'settle';
  if (contradicted || !hasEndedUnpaid(heard)) {
    if (unclearMs >= UNCLEAR_FOR_MS) return 'ask_people';
    return contradicted ? 'stop_sends' : 'wait';
  }
  return byOneAlone ? 'ask_people' : 'sign_again';
}
