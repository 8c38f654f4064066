// Verifies the audit log from its first entry: the hash of every entry, the order of the entries, the stored head, and every
// digest against the timeline. A finding contains the number of the first wrong entry.
import {
  type AuditFinding,
  type AuditHead,
  type ChainedEntry,
  EMPTY_LOG_HEAD,
  findChainBreak,
} from '../../domain/audit/audit-chain.ts';
import type { AuditReads } from '../../ports/audit.ts';
import { PRIVACY_ERASED_ACTION, verifyDigests, verifyErasures } from './verify-digests.ts';

const PAGE = 1_000;

export interface AuditVerdict {
  readonly head: AuditHead;
  readonly digests: number;
  readonly finding: AuditFinding | undefined;
}

export interface VerifyAuditOptions {
  /** A head that was saved outside the database. The log is compared with it. */
  readonly held?: AuditHead | undefined;
  readonly digests: boolean;
  readonly onProgress: (done: string) => void;
}

export async function verifyAudit(audit: AuditReads, options: VerifyAuditOptions): Promise<AuditVerdict> {
  const end = await audit.head();
  const digests: ChainedEntry[] = [];
  const erased: ChainedEntry[] = [];
  const watched = async function* () {
    for await (const entry of streamEntries(audit, end.no)) {
      if (entry.action.startsWith('activity.')) digests.push(entry);
      if (entry.action === PRIVACY_ERASED_ACTION) erased.push(entry);
      if (entry.no % PAGE === 0) options.onProgress(`Verified ${entry.no} of ${end.no} entries`);
      yield entry;
    }
  };
  const { head, finding } = await verifyEntries(watched(), options.held);
  const broken = finding ?? compareWithStoredHead(head, end) ?? findTruncation(options.held, head);
  if (broken !== undefined || !options.digests) return { head, digests: 0, finding: broken };
  const wrong =
    (await verifyErasures(audit, erased, end.no)) ??
    (await verifyDigests(audit, digests, options.onProgress));
  return { head, digests: digests.length, finding: wrong };
}

async function* streamEntries(audit: AuditReads, lastNo: number): AsyncGenerator<ChainedEntry> {
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await audit.entriesFrom(from, PAGE);
    for (const entry of page) if (entry.no <= lastNo) yield entry;
    if (page.length < PAGE || page.at(-1)!.no >= lastNo) return;
    from = page.at(-1)!.no + 1;
  }
}

/** Verifies entries from the database or from an export, and stops at the first wrong entry. */
export async function verifyEntries(
  entries: AsyncIterable<ChainedEntry>,
  held?: AuditHead,
): Promise<{ readonly head: AuditHead; readonly finding: AuditFinding | undefined }> {
  let head = EMPTY_LOG_HEAD;
  for await (const entry of entries) {
    const finding = findChainBreak(head, entry) ?? compareWithKeptHead(entry, held);
    if (finding !== undefined) return { head, finding };
    head = { no: entry.no, hash: entry.hash };
  }
  return { head, finding: undefined };
}

export function findTruncation(held: AuditHead | undefined, head: AuditHead): AuditFinding | undefined {
  if (held === undefined || held.no <= head.no) return undefined;
  const text = `the log ends with entry ${head.no}, but the saved head is of entry ${held.no}: entries were removed, or an older backup was restored`;
  return { no: head.no + 1, text };
}

function compareWithKeptHead({ no, hash }: AuditHead, held: AuditHead | undefined): AuditFinding | undefined {
  if (held?.no !== no || held.hash === hash) return undefined;
  return {
    no,
    text: `entry ${no} does not have the hash of the saved head: it or an earlier entry was replaced`,
  };
}

/**
 * The database stores the head apart from the entries. So the head still refers to the last entry after a person has deleted
 * that entry.
 */
function compareWithStoredHead(
  last: AuditHead,
  { no, hash, lastNo }: AuditHead & { readonly lastNo: number },
): AuditFinding | undefined {
  if (hash === '') return { no: last.no + 1, text: 'the row with the head of the log was removed' };
  if (last.no < no)
    return { no: last.no + 1, text: `the entries ${last.no + 1} to ${no} are missing at the end` };
  if (lastNo > no) return { no: no + 1, text: `entry ${no + 1} was added outside the chain` };
  if (last.hash === hash) return undefined;
  return { no, text: `entry ${no} does not match the head` };
}

/** Verifies at most `most` entries that follow `from`. The entry `from` must still exist unchanged. */
export async function verifyEntriesSince(
  audit: AuditReads,
  from: AuditHead,
  most: number,
): Promise<{ readonly head: AuditHead; readonly finding: AuditFinding | undefined }> {
  const end = await audit.head();
  const page = (await audit.entriesFrom(from.no, most)).filter(({ no }) => no <= end.no);
  if (from.no > 0) {
    const again = page.shift();
    if (again?.no !== from.no || again.hash !== from.hash) {
      const text = `entry ${from.no} was verified before and is now ${again?.no === from.no ? 'different' : 'missing'}`;
      return { head: from, finding: { no: from.no, text } };
    }
  }
  let head = from;
  for (const entry of page) {
    const finding = findChainBreak(head, entry);
    if (finding !== undefined) return { head, finding };
    head = { no: entry.no, hash: entry.hash };
  }
  const isWhole = page.length < most - 1;
  return { head, finding: isWhole ? compareWithStoredHead(head, end) : undefined };
}

/**
 * Verifies the audit log in slices, for a page that shows the progress. Each call starts after the last entry that the previous
 * call verified, and reads a limited number of entries.
 */
export interface VerifiedSlice {
  readonly fromNo: number;
  /** The last entry that this call verified. The next slice begins after it. */
  readonly to: AuditHead;
  readonly head: AuditHead;
  readonly isDone: boolean;
  /** The problem that this call found. Null if every entry of the slice is unaltered. */
  readonly problem: string | null;
}

const SLICE = 2_000;

/** If `after` is null, the slice starts at the first entry of the log. */
export async function verifySlice(audit: AuditReads, after: AuditHead | null): Promise<VerifiedSlice> {
  const from = after ?? EMPTY_LOG_HEAD;
  const { no, hash } = await audit.head();
  const verified = await verifyEntriesSince(audit, from, SLICE);
  const problem = verified.finding?.text ?? null;
  const isDone = problem !== null || verified.head.no >= no;
  return { fromNo: from.no + 1, to: verified.head, head: { no, hash }, isDone, problem };
}
