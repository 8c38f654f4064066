// Recognises the same row in different files. The key contains all values that a bank repeats in every file. The ordinal
// distinguishes equal rows of one day, so that two equal payments stay two.
import { createHash } from 'node:crypto';
import { normaliseNarration } from './narration.ts';
import type { StatementRow } from './row.ts';

/**
 * The key is the same for one row in every file of an account. Equal rows are distinguished by the running balance, if the bank
 * gives it, and by a session id in the reference. A session id from a column of its own is not a part of the key, because rows that
 * were stored before such columns were read do not have it.
 */
export function rowKey(account: string, row: StatementRow): string {
  const narration = normaliseNarration(row.narration);
  const { writtenSession } = row;
  const session = writtenSession === null || narration.includes(writtenSession) ? '' : writtenSession;
  const parts = [account, row.day, row.amountMinor, row.balanceMinor ?? '', session, narration];
  return createHash('sha256').update(parts.join('\u0000')).digest('base64url').slice(0, 32);
}
