// Compares the digests in the audit log with the current timeline and transactions. Each digest covers a range of database
// transactions, and the ranges follow each other without a gap.
import type { AuditFinding, ChainedEntry } from '../../domain/audit/audit-chain.ts';
import type { AuditReads, ErasedDigest } from '../../ports/audit.ts';

const DIGEST_ACTION = 'activity.digest';

interface Digest {
  readonly from_xid: string;
  readonly to_xid: string;
  readonly rows: number;
  readonly sha256: string;
  readonly newest: string;
}

/** `entries` contains the digests and restarts of the audit log, in order. */
export async function verifyDigests(
  audit: Pick<AuditReads, 'digestOf'>,
  entries: readonly ChainedEntry[],
  onProgress: (done: string) => void,
): Promise<AuditFinding | undefined> {
  // After the database's transaction numbers restart, new timeline lines get numbers inside old ranges. So an older digest
  // ignores lines that are newer than the digest.
  const lastRestart = entries.findLastIndex(({ action }) => action !== DIGEST_ACTION);
  let next = '0';
  for (const [index, { no, action, detail }] of entries.entries()) {
    const said = JSON.parse(detail) as Digest;
    if (action === DIGEST_ACTION) {
      if (said.from_xid !== next)
        return {
          no,
          text: `the digest in entry ${no} starts at ${said.from_xid}, but the previous one ends at ${next}`,
        };
      const range = {
        from: said.from_xid,
        to: said.to_xid,
        newest: index < lastRestart ? said.newest : null,
      };
      const is = await audit.digestOf(range);
      if (is.rows !== said.rows || is.sha256 !== said.sha256)
        return { no, text: describeDigestMismatch(no, said, is.rows) };
      onProgress(`Compared ${index + 1} of ${entries.length} digests with the timeline`);
    }
    next = said.to_xid;
  }
  return undefined;
}

function describeDigestMismatch(no: number, said: Digest, rows: number): string {
  const range = `database transactions ${said.from_xid} to ${said.to_xid}, the newest line of ${said.newest}`;
  return rows === said.rows
    ? `a timeline line or a transaction covered by entry ${no} was altered (${range})`
    : `entry ${no} covers ${said.rows} timeline lines, but there are ${rows} (${range})`;
}

/**
 * The audit log records the erasure of personal data. An erased row keeps only the hash of its timeline line for the digests.
 * This check compares the recorded erasures with the rows, and so proves that only an erasure put the hash there.
 */
export const PRIVACY_ERASED_ACTION = 'privacy.erased';

/** `entries` contains the audit entries with the action `privacy.erased`, in order. */
export async function verifyErasures(
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
      return { no, text: `a row that was erased according to entry ${no} was altered afterwards` };
    committed += said.rows;
  }
  if (lines <= committed) return undefined;
  return { no: lastNo, text: `${lines - committed} rows are marked as erased without an entry` };
}
