// Compares what the audit log says about erased rows with the rows as they are. Of an erased row only the hash of its line is left for
// the digests; this shows that nothing but an erasure put it there.
import type { AuditFinding, ChainedEntry } from '../../domain/people/audit-chain.ts';
import type { AuditReads, ErasedDigest } from '../../ports/people/audit.ts';

export const PRIVACY_ERASED = 'privacy.erased';

/** `entries`: those with this action, in order. */
export async function verifyErased(
  audit: Pick<AuditReads, 'erasedOf' | 'erasedLines'>,
  entries: readonly ChainedEntry[],
  lastNo: number,
): Promise<AuditFinding | undefined> {
  const lines = await audit.erasedLines(lastNo);
  let committed = 0;
  for (const { no, detail } of entries) {
    const said = JSON.parse(detail) as { readonly batch: string | null } & ErasedDigest;
    if (said.batch === null) continue;
    const is = await audit.erasedOf(said.batch);
    if (is.rows !== said.rows || is.sha256 !== said.sha256)
      return { no, text: `a row that entry ${no} says was erased was altered since then` };
    committed += said.rows;
  }
  if (lines <= committed) return undefined;
  return { no: lastNo, text: `${lines - committed} rows were marked as erased, and no entry says so` };
}
