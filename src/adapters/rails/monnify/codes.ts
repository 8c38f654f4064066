// What Monnify's words mean to us. Source: the status table of developers.monnify.com (docs/disbursements/single-transfers), which
// also has D07. D02 and D04 are not in public documentation, and known from integrations alone. Words and codes that are not here are unknown.
import type { CodeMeaning, MeaningTable } from '../connection/outcomes.ts';

/** `status` of a single transfer and of its summary. Whose fault FAILED is, its description says: see faultIn. */
export const TRANSFER_WORDS: MeaningTable = {
  SUCCESS: { outcome: 'paid', means: 'the disbursement was successful' },
  COMPLETED: { outcome: 'paid', means: 'the disbursement was successful' },
  PENDING: { outcome: 'pending', means: 'still pending' },
  AWAITING_PROCESSING: { outcome: 'pending', means: 'still pending' },
  IN_PROGRESS: { outcome: 'pending', means: 'still pending' },
  // It can still be authorised, so it is not failed; and it goes on only when a person acts, so the reason must be seen.
  PENDING_AUTHORIZATION: {
    outcome: 'unknown',
    means: 'it waits for a one-time password: switch that off for disbursements at Monnify',
  },
  OTP_EMAIL_DISPATCH_FAILED: {
    outcome: 'unknown',
    means: 'its one-time password could not be sent: switch that off for disbursements at Monnify',
  },
  FAILED: { outcome: 'failed', fault: 'rail', means: 'the disbursement was not successful' },
  REVERSED: { outcome: 'returned', means: 'the disbursement was reversed' },
  // Documented for batches alone, without a word on what was paid.
  EXPIRED: { outcome: 'unknown', means: 'the time of a batch has run out' },
};

/** `responseCode` of a call that was refused. */
export const REFUSAL_CODES: MeaningTable = {
  D02: { outcome: 'duplicate', means: 'the reference is in use' },
  D04: { outcome: 'failed', fault: 'rail', means: 'the balance of the wallet is too low' },
  // Of a first order the twin is another payout of ours: this one was not taken, and begins again once that is sure.
  D07: {
    outcome: 'failed',
    fault: 'rail',
    means: 'the same amount went to the same account within two minutes',
  },
};

/** With the codes that Monnify confirmed to the operator as final. */
export function refusalCodesWith(finalCodes: ReadonlySet<string>): MeaningTable {
  const confirmed = [...finalCodes].map((code): readonly [string, CodeMeaning] => [
    code,
    { outcome: 'failed', fault: 'rail', means: 'refused for good, as the settings say' },
  ]);
  return { ...REFUSAL_CODES, ...Object.fromEntries(confirmed) };
}

/** The code of many errors: what it is about, its message says. Only one about our balance is a refusal. */
export const GENERAL_CODE = '99';
const NO_MONEY = /insufficient|not enough|balance/i;

export function meaningOfGeneralError(message: string | null): CodeMeaning {
  return NO_MONEY.test(message ?? '')
    ? { outcome: 'failed', fault: 'rail', means: 'the balance of the wallet is too low' }
    : { outcome: 'unknown', means: 'an error that Monnify does not name' };
}

/** `paymentStatus` of a transaction (money in) whose whole amount is there. PARTIALLY_PAID may grow, and is not settled. */
export const PAID_COLLECTIONS: ReadonlySet<string> = new Set(['PAID', 'OVERPAID']);
/** `paymentStatus` after which nothing was paid, and nothing will be. */
export const ENDED_COLLECTIONS: ReadonlySet<string> = new Set([
  'FAILED',
  'ABANDONED',
  'CANCELLED',
  'EXPIRED',
]);
