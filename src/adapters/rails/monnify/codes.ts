// Defines what Monnify's status words and codes mean to the service. Source: the status table of developers.monnify.com
// (docs/disbursements/single-transfers), which also has D07. D02 and D04 are not in public documentation and are known only
// from integrations. The meaning of any other word or code is unknown.
import type { CodeMeaning, MeaningTable } from '../connection/outcomes.ts';

/**
 * The values of `status` of a single transfer and of its summary. The description of a FAILED transfer shows whether the rail
 * or the payout is the cause (see faultOfRefusal).
 */
export const TRANSFER_WORDS: MeaningTable = {
  SUCCESS: { outcome: 'paid', means: 'the disbursement was successful' },
  COMPLETED: { outcome: 'paid', means: 'the disbursement was successful' },
  PENDING: { outcome: 'pending', means: 'still pending' },
  AWAITING_PROCESSING: { outcome: 'pending', means: 'still pending' },
  IN_PROGRESS: { outcome: 'pending', means: 'still pending' },
  // A person can still authorise the transfer, so the transfer has not failed. It continues only when a person acts, so the
  // reason must be visible.
  PENDING_AUTHORIZATION: {
    outcome: 'unknown',
    means: 'it waits for a one-time password: switch one-time passwords off for disbursements at Monnify',
  },
  OTP_EMAIL_DISPATCH_FAILED: {
    outcome: 'unknown',
    means:
      'its one-time password could not be sent: switch one-time passwords off for disbursements at Monnify',
  },
  FAILED: { outcome: 'failed', fault: 'rail', means: 'the disbursement was not successful' },
  REVERSED: { outcome: 'returned', means: 'the disbursement was reversed' },
  // Monnify documents this word only for batches, and does not say whether anything was paid.
  EXPIRED: { outcome: 'unknown', means: 'a batch has expired' },
};

/** The values of `responseCode` when Monnify refuses a call. */
export const REFUSAL_CODES: MeaningTable = {
  D02: { outcome: 'duplicate', means: 'the reference is in use' },
  D04: { outcome: 'failed', fault: 'rail', means: 'the balance of the wallet is too low' },
  // D07 means that Monnify got a payout of the same amount to the same account within the last two minutes. If this order is
  // sent for the first time, that earlier payout is a different payout of the service. Then this payout was not accepted. The
  // service sends the order again once that is certain.
  D07: {
    outcome: 'failed',
    fault: 'rail',
    means: 'the same amount went to the same account within two minutes',
  },
};

export function refusalCodesWith(finalCodes: ReadonlySet<string>): MeaningTable {
  const confirmed = [...finalCodes].map((code): readonly [string, CodeMeaning] => [
    code,
    { outcome: 'failed', fault: 'rail', means: 'refused with a code that "final_codes" lists' },
  ]);
  return { ...REFUSAL_CODES, ...Object.fromEntries(confirmed) };
}

/**
 * Monnify uses this code for many different errors, which differ only in their message. Only an error about the operator's
 * balance is a refusal.
 */
export const GENERAL_CODE = '99';
const NO_MONEY = /insufficient|not enough|balance/i;

export function meaningOfGeneralError(message: string | null): CodeMeaning {
  return NO_MONEY.test(message ?? '')
    ? { outcome: 'failed', fault: 'rail', means: 'the balance of the wallet is too low' }
    : { outcome: 'unknown', means: 'an error that Monnify does not name' };
}

/**
 * The values of `paymentStatus` of an incoming transaction that was paid in full. The amount of PARTIALLY_PAID may still grow,
 * so such a transaction is still open.
 */
export const PAID_COLLECTIONS: ReadonlySet<string> = new Set(['PAID', 'OVERPAID']);
/** The values of `paymentStatus` of a transaction that was not paid and will not be paid. */
export const ENDED_COLLECTIONS: ReadonlySet<string> = new Set([
  'FAILED',
  'ABANDONED',
  'CANCELLED',
  'EXPIRED',
]);
