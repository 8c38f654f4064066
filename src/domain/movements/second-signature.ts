// Decides whether an unpaid order may be signed again. This is the only decision that can pay twice. One provider's answer is
// enough to stop. To continue, the same number of providers must agree as for a final payment. docs/concepts/sends.md has the
// table.
/** The answers of a network about the payment that was signed before for the order. */
export const ENVELOPE_ANSWERS = [
  /** The payment is final, and this order was paid. */
  'paid',
  /** The payment is final, and this order was not paid, but other orders of the payment were. */
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
  /** The answer on which enough providers agree: as many as a final payment needs. */
  readonly heard: EnvelopeAnswer;
  /** A provider shows a block with the payment that counts as dead, or tokens left the treasury under the hash of the payment. */
  readonly contradicted: boolean;
  /** How long every answer has been inconclusive. */
  readonly unclearMs: number;
  /** Whether in live mode only one provider gave the answer, and no other provider could contradict it. */
  readonly byOneAlone: boolean;
}

export type SecondSignatureDecision =
  /** The order was paid: it is not signed again. */
  | 'settle'
  | 'sign_again'
  /** All sends of the asset stop until two people have decided, and the order waits. */
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
