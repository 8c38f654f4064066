// Defines what the response codes of NIP transfers mean to the service. Sources: the NIP table (docs.vpay.africa); for 01, 09
// and 32 the experience of Providus users (gist tomideo3/36bbd7d8); for 31 public clients of the posting API. The card table
// (ISO 8583) is another table, in which the same numbers have other meanings. Only `failed` is final, and any other code proves
// nothing.
import {
  type CodeMeaning,
  distrustUnsureCode,
  lookUpMeaning,
  type MeaningTable,
  NO_CODES,
} from '../connection/outcomes.ts';

/** The bank's codes for a transfer, in its response to the order and to a query by reference. */
export const TRANSFER_CODES: MeaningTable = {
  '00': { outcome: 'paid', means: 'approved or completed' },
  '09': { outcome: 'pending', means: 'in progress' },

  // These codes are about the destination account, so every rail would refuse the payout.
  '06': { outcome: 'failed', fault: 'payout', means: 'dormant account' },
  '07': { outcome: 'failed', fault: 'payout', means: 'invalid account' },
  '08': { outcome: 'failed', fault: 'payout', means: 'account name mismatch' },

  // These codes are about the bank's contract with the operator, its limits, or the operator's balance at the bank. Another
  // rail may be able to pay, so a customer is never refused because of them.
  '12': { outcome: 'failed', fault: 'rail', means: 'invalid transaction' },
  '16': { outcome: 'failed', fault: 'rail', means: 'unknown bank code' },
  '7704': { outcome: 'failed', fault: 'rail', means: 'no sufficient funds' },
  '51': { outcome: 'failed', fault: 'rail', means: 'no sufficient funds' },
  '57': { outcome: 'failed', fault: 'rail', means: 'transaction not permitted to sender' },
  '58': { outcome: 'failed', fault: 'rail', means: 'transaction not permitted on channel' },
  '61': { outcome: 'failed', fault: 'rail', means: 'transfer limit exceeded' },

  // Two people review a returned payout, so this code needs a weaker proof than a refusal.
  '31': { outcome: 'returned', means: 'reversed' },

  // Shortly after an order these codes prove nothing, because the order may still be in progress.
  '01': { outcome: 'not_found', means: 'transaction does not exist' },
  '25': { outcome: 'not_found', means: 'unable to locate record' },

  '26': { outcome: 'duplicate', means: 'duplicate record' },
  '94': { outcome: 'duplicate', means: 'duplicate transaction' },

  '32': { outcome: 'unknown', means: 'transfer not successful' },
  '63': { outcome: 'unknown', means: 'security violation' },
  '68': { outcome: 'unknown', means: 'response received too late' },
  '91': { outcome: 'unknown', means: 'beneficiary bank not available' },
  '92': { outcome: 'unknown', means: 'routing error' },
  '96': { outcome: 'unknown', means: 'system malfunction' },
  '97': { outcome: 'unknown', means: 'timeout waiting for response from destination' },
};

/** `finalCodes` are codes that this table does not know, but that the operator's bank has confirmed in writing as final. */
export function meaningOfTransfer(
  code: string,
  finalCodes: ReadonlySet<string>,
  unsureCodes: ReadonlySet<string> = NO_CODES,
): CodeMeaning {
  const meaning = distrustUnsureCode(lookUpMeaning(TRANSFER_CODES, code), code, unsureCodes);
  if (unsureCodes.has(code)) return meaning;
  if (meaning.outcome !== 'unknown' || !finalCodes.has(code)) return meaning;
  return { outcome: 'failed', fault: 'rail', means: 'a code that the bank calls final' };
}

/**
 * In the response to a name enquiry, these codes mean that no payable account exists. Any other code except 00 means unknown.
 */
export const NO_ACCOUNT_CODES: ReadonlySet<string> = new Set(['06', '07']);
export const APPROVED = '00';
