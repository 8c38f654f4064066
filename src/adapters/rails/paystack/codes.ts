// Defines what the status words and error codes of Paystack mean to the service. Sources:
// paystack.com/docs/transfers/how-transfers-work for the words and which of them are conclusive; paystack.com/docs/api/errors
// for status 400 ("the request wasn't fulfilled") and the form of error codes. Any other word or code proves nothing.
import { type CodeMeaning, lookUpMeaning, type MeaningTable } from '../connection/outcomes.ts';

/** The values of `data.status` of a transfer, in the response to an order and in its verification. */
export const TRANSFER_WORDS: MeaningTable = {
  success: { outcome: 'paid', means: 'processed' },

  pending: { outcome: 'pending', means: 'being processed' },
  received: { outcome: 'pending', means: 'waits for the approval of our server' },
  otp: {
    outcome: 'unknown',
    means: 'waits for a one-time password: switch OTP for transfers off at Paystack',
  },

  // The word `failed` is final. The usual cause is the processor or the operator's settings at Paystack, so another rail may
  // pay.
  failed: { outcome: 'failed', fault: 'rail', means: 'could not be processed' },
  abandoned: { outcome: 'failed', fault: 'rail', means: 'its one-time password was not given in time' },
  blocked: { outcome: 'failed', fault: 'rail', means: 'our server did not approve it in time' },
  rejected: { outcome: 'failed', fault: 'rail', means: 'our server declined it' },

  reversed: { outcome: 'returned', means: 'the amount was returned to the balance' },
};

export function meaningOfWord(word: string | null): CodeMeaning {
  return lookUpMeaning(TRANSFER_WORDS, word);
}

/**
 * The `code` of an error with status 400 in the response to an order, or the message if there is no code. Such a call made no
 * transfer. `insufficient_balance` and `transfer_unavailable` are in no public list. If Paystack uses other codes for these
 * errors, their meaning is unknown.
 */
export const ORDER_ERRORS: MeaningTable = {
  duplicate_transfer_reference: { outcome: 'duplicate', means: 'the reference is in use' },
  'Please provide a unique reference. Reference already exists on a transfer': {
    outcome: 'duplicate',
    means: 'the reference is in use',
  },
  insufficient_balance: { outcome: 'failed', fault: 'rail', means: 'the balance is not enough' },
  'Your balance is not enough to fulfil this request': {
    outcome: 'failed',
    fault: 'rail',
    means: 'the balance is not enough',
  },
  transfer_unavailable: {
    outcome: 'failed',
    fault: 'rail',
    means: 'transfers are not enabled for the business',
  },
  invalid_params: { outcome: 'unknown', means: 'Paystack finds the order malformed' },
  missing_params: { outcome: 'unknown', means: 'Paystack finds the order malformed' },
};

export function meaningOfOrderError(code: string | null): CodeMeaning {
  return lookUpMeaning(ORDER_ERRORS, code);
}

export const ENDED_TRANSACTIONS: ReadonlySet<string> = new Set([
  'success',
  'failed',
  'abandoned',
  'reversed',
]);
