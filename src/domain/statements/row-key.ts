// Which row of one file is which row of another. The key names everything that a bank repeats in every file; the ordinal tells equal
// rows of one day apart, so that two equal payments stay two.
import { createHash } from 'node:crypto';
import { normaliseNarration } from './narration.ts';
import type { StatementRow } from './row.ts';

/**
 * The same for the same row in every file of one account. The running balance makes equal rows different where a bank gives it; a
 * session id that stands outside the narration does too.
 */
export function rowKey(account: string, row: StatementRow): string {
  const narration = normaliseNarration(row.narration);
  const session = row.sessionId === null || narration.includes(row.sessionId) ? '' : row.sessionId;
  const parts = [account, row.day, row.amountMinor, row.balanceMinor ?? '', session, narration];
  return createHash('sha256').update(parts.join('\u0000')).digest('base64url').slice(0, 32);
}
