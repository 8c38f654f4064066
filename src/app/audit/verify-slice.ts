// Verifies the audit log slice by slice, for a page that shows how far it is: each call takes the entry up to which the one before
// it came, and reads a bounded number of entries.
import { type AuditHead, NO_ENTRY } from '../../domain/people/audit-chain.ts';
import type { AuditReads } from '../../ports/people/audit.ts';
import { verifySince } from './verify-audit.ts';

export interface VerifiedSlice {
  /** The first entry that was verified now. */
  readonly fromNo: number;
  /** The last one: the next slice begins after it. */
  readonly to: AuditHead;
  readonly head: AuditHead;
  readonly isDone: boolean;
  /** Null: every entry of the slice is as it was written. */
  readonly problem: string | null;
}

const SLICE = 2_000;

/** `after` null: from the first entry of the log. */
export async function verifySlice(audit: AuditReads, after: AuditHead | null): Promise<VerifiedSlice> {
  const from = after ?? NO_ENTRY;
  const { no, hash } = await audit.head();
  const verified = await verifySince(audit, from, SLICE);
  const problem = verified.finding?.text ?? null;
  const isDone = problem !== null || verified.head.no >= no;
  return { fromNo: from.no + 1, to: verified.head, head: { no, hash }, isDone, problem };
}
