// Compares the digests in the audit log with the timeline and the transactions as they are now. A digest commits to a range of
// database transactions; the ranges follow each other without a gap.
import type { AuditFinding, ChainedEntry } from '../../domain/people/audit-chain.ts';
import type { AuditReads } from '../../ports/people/audit.ts';

const DIGEST = 'activity.digest';

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
  // Where database transactions are numbered from the beginning again, new lines fall into old ranges: they do not count.
  const lastRestart = entries.findLastIndex(({ action }) => action !== DIGEST);
  let next = '0';
  for (const [index, { no, action, detail }] of entries.entries()) {
    const said = JSON.parse(detail) as Digest;
    if (action === DIGEST) {
      if (said.from_xid !== next)
        return {
          no,
          text: `the digest in entry ${no} begins at ${said.from_xid}, and the one before it ends at ${next}`,
        };
      const range = {
        from: said.from_xid,
        to: said.to_xid,
        newest: index < lastRestart ? said.newest : null,
      };
      const is = await audit.digestOf(range);
      if (is.rows !== said.rows || is.sha256 !== said.sha256)
        return { no, text: differenceOf(no, said, is.rows) };
      onProgress(`Compared ${index + 1} of ${entries.length} digests with the timeline`);
    }
    next = said.to_xid;
  }
  return undefined;
}

function differenceOf(no: number, said: Digest, rows: number): string {
  const range = `database transactions ${said.from_xid} to ${said.to_xid}, the newest line of ${said.newest}`;
  return rows === said.rows
    ? `a line of the timeline or a transaction that entry ${no} commits to was altered (${range})`
    : `entry ${no} commits to ${said.rows} lines of the timeline, and there are ${rows} (${range})`;
}
