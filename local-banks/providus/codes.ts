// Response codes and messages of the API for NIP transfers. The codes come from public client libraries, and two libraries
// agree on every code used here. The messages come from the documentation of the bank.
import type { PayoutStanding } from '../books/books.ts';
import type { RefusalReason } from '../books/entries.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  '00': 'Approved or completed successfully',
  '01': 'Transaction does not exist',
  '06': 'Dormant Account',
  '07': 'Invalid Account',
  '08': 'Account Name Mismatch',
  '09': 'Request processing in progress',
  '13': 'Invalid Amount',
  '16': 'Unknown Bank Code',
  '25': 'Unable to locate record',
  '26': 'Duplicate record',
  '30': 'Format error',
  '31': 'Reversal Success',
  '32': 'Transfer_Not_Successful',
  '51': 'No sufficient funds',
  '61': 'Transfer Limit Exceeded',
  '91': 'Beneficiary Bank not available',
  '94': 'Duplicate Transaction',
  '8004': 'Authentication Failed',
};

const BY_REASON: Readonly<Record<RefusalReason, string>> = {
  'unknown-bank': '16',
  'unknown-account': '07',
  dormant: '06',
  'name-differs': '08',
  insufficient: '51',
  limit: '61',
  'bank-unavailable': '91',
  refused: '32',
};

export const codeOfReason = (reason: RefusalReason): string => BY_REASON[reason];

export function codeOfStanding({ state, reason = 'refused', word }: PayoutStanding): string {
  if (word !== undefined) return word;
  switch (state) {
    case 'paid':
      return '00';
    case 'pending':
      return '09';
    case 'reversed':
      return '31';
    case 'failed':
      return BY_REASON[reason];
  }
}

export function codeBody(code: string): { responseMessage: string; responseCode: string } {
  return { responseMessage: MESSAGES[code] ?? 'Unknown_NFPCall_Response', responseCode: code };
}
