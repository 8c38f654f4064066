// Computes the hash chain of the audit log without the database. `audit_hash` in migrations/0010_audit.sql hashes the same
// bytes, so a copy of the log can be verified without the database.
import { createHash } from 'node:crypto';

export interface AuditHead {
  readonly no: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface ChainedEntry extends AuditHead {
  /** The time in UTC with six decimals, for example 2026-11-14T09:30:00.123456Z. */
  readonly at: string;
  readonly actor: string;
  /** The action, for example `session.opened`. Actions on settings have an underscore instead of the dot. */
  readonly action: string;
  readonly subject: string | null;
  readonly businessId: string | null;
  /** The JSON text exactly as the database prints it, because number formats and spaces change the hash. */
  readonly detail: string;
  readonly previousHash: string;
}

export const EMPTY_LOG_HEAD: AuditHead = { no: 0, hash: '00'.repeat(32) };

export function hashAuditEntry(entry: ChainedEntry): string {
  const { no, at, actor, action, subject, businessId, detail, previousHash } = entry;
  const hash = createHash('sha256').update(Buffer.from(previousHash, 'hex'));
  for (const field of [String(no), at, actor, action, subject, businessId, detail])
    hash.update(frameField(field));
  return hash.digest('hex');
}

/** Prefixes a field with its length in bytes, so that no text can be read as two fields. */
function frameField(field: string | null): string {
  return field === null ? '-,' : `${Buffer.byteLength(field)}:${field},`;
}

/** The reason why the entry does not follow the previous entry of the chain. Undefined: the entry follows. */
export function findChainBreak(before: AuditHead, entry: ChainedEntry): AuditFinding | undefined {
  const { no } = entry;
  const next = before.no + 1;
  if (no > next)
    return { no: next, text: `entry ${next} is missing: entry ${before.no} is followed by entry ${no}` };
  if (no < next) return { no, text: `entry ${no} is a duplicate or has an impossible number` };
  if (entry.hash !== hashAuditEntry(entry))
    return { no, text: `entry ${no} was altered: its hash does not match its content` };
  if (entry.previousHash !== before.hash)
    return {
      no,
      text: `entry ${no} does not continue entry ${before.no} as it is now: one of them was replaced`,
    };
  return undefined;
}

export interface AuditFinding {
  /** The number of the first entry that differs from its original. */
  readonly no: number;
  readonly text: string;
}
