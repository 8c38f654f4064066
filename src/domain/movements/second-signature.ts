// Whether an order whose bytes ended unpaid may be signed again: the one decision that can pay twice. To stop, the word of one
// provider is enough; to go on, as many providers as a final payment needs must say the same. docs/concepts/sends.md holds the table.
/** The answers of a network about the bytes that were signed before for the order. */
export const ENVELOPE_ANSWERS = [
  /** Final, and this order was paid. */
  'paid',
  /** Final, and this order was not paid; others in the same bytes were. */
  'unpaid',
  /** Final, and nothing in it was paid. */
  'failed',
  /** Proven: it is nowhere, and can never land. */
  'dead',
  'included',
  'pending',
  'stuck',
  'held',
  'unknown',
] as const;
export type EnvelopeAnswer = (typeof ENVELOPE_ANSWERS)[number];

export interface SecondSignatureFacts {
  /** The answer of as many providers as a final payment needs. */
  readonly heard: EnvelopeAnswer;
  /** A provider shows in a block what counts as dead, or tokens left the treasury under its hash. */
  readonly contradicted: boolean;
  /** The time during which every answer decided nothing. */
  readonly unclearMs: number;
  /** Whether a single provider says so in live mode, without another to contradict it. */
  readonly byOneAlone: boolean;
}

export type SecondSignatureDecision =
  /** The order was paid: it is not signed again. */
  | 'settle'
  | 'sign_again'
  /** All sends of the asset stop until two people have looked, and the order waits. */
  | 'stop_sends'
  | 'wait'
  /** The order is given up, and two people decide whether it is sent again or refunded. */
  | 'ask_people';

/** The maximum time that an unclear answer is waited for. */
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
