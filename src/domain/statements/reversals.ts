// Which credit a reversal takes back. Only one that fits alone is meant; everything else is for people.
import { withoutReversalWords } from './narration.ts';

export interface ReversalFacts {
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly sessionId: string | null;
}

/** Days that a bank may need to take a credit back. */
export const REVERSAL_DAYS = 30;

export function isReversalOf(reversal: ReversalFacts, credit: ReversalFacts): boolean {
  if (credit.amountMinor !== -reversal.amountMinor) return false;
  if (reversal.sessionId !== null && credit.sessionId !== null)
    return reversal.sessionId === credit.sessionId;
  const named = withoutReversalWords(reversal.narration);
  return named !== '' && named === withoutReversalWords(credit.narration);
}
