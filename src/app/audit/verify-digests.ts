// Compares the digests in the audit log with the current timeline and transactions. A digest commits to a range of database
// transactions; the ranges follow each other without a gap.
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

/** `entries`: the digests and restarts, in order. */
export async function verifyDigests(
  audit: Pick<AuditReads, 'digestOf'>,
  entries: readonly ChainedEntry[],
  onProgress: (done: string) => void,
): Promise<AuditFinding | undefined> {
  // After a restart of the database's transaction numbers, new lines fall into old ranges. An older digest therefore ignores
  // lines that are newer than the digest.
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
 * Compares the audit log's entries about erased rows with the current rows. For an erased row, only the hash of its line is left
 * for the digests. This check proves that an erasure, and nothing else, put the hash there.
 */
export const PRIVACY_ERASED_ACTION = 'privacy.erased';

/** `entries`: the entries with this action, in order. */
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
