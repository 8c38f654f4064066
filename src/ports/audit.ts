// The audit log: append-only and chained. What changes something is recorded in the commit of the change itself; `record`
// is for what changes nothing else: sign-ins, and reads of a business's data by the operator.
import type { AuditHead, ChainedEntry } from '../domain/audit/audit-chain.ts';

export interface AuditEntry {
  /** One text: src/domain/people/actor.ts */
  readonly actor: string;
  readonly atMs: number;
  /** A word with a dot, e.g. `session.opened`. */
  readonly action: string;
  readonly subject: string | null;
  readonly businessId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}

export interface AuditFilter {
  readonly businessId?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** How the action begins. */
  readonly action?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Only entries before this one. */
  readonly beforeNo?: number | undefined;
  readonly limit: number;
}

/** The database transactions whose lines of the timeline a digest commits to: from `from`, below `to`. */
export interface ActivityRange {
  readonly from: string;
  readonly to: string;
  /** Lines after this time do not count: they were written after numbers had started again. Null: all count. */
  readonly newest: string | null;
}

export interface ActivityDigest {
  readonly rows: number;
  readonly sha256: string;
  /** The time of the newest line; null when there is none. */
  readonly newest: string | null;
}

/** Rows of the timeline and of transactions whose personal data was erased together. */
export interface ErasedDigest {
  readonly rows: number;
  readonly sha256: string;
}

export interface AuditReads {
  /** Newest first. */
  list(filter: AuditFilter): Promise<readonly ChainedEntry[]>;
  /** Entries with exactly one of these actions, newest first. `beforeNo` null: from the newest on. */
  newestOf(
    actions: readonly string[],
    beforeNo: number | null,
    limit: number,
  ): Promise<readonly ChainedEntry[]>;
  /** From this number on, in order. */
  entriesFrom(no: number, limit: number): Promise<readonly ChainedEntry[]>;
  /** What the head says, and the highest number there is: of one instant. An empty hash: the head was removed. */
  head(): Promise<AuditHead & { readonly lastNo: number }>;
  /** The head, to whoever asks first on that day (`2026-11-14`); undefined to all others, and while the log is empty. */
  headOfDay(day: string): Promise<AuditHead | undefined>;
  /** What a digest of the range says today. */
  digestOf(range: ActivityRange): Promise<ActivityDigest>;
  /** What the entry `privacy.erased` of a batch would say today. */
  erasedOf(batch: string): Promise<ErasedDigest>;
  /** How many rows of the timeline and of transactions were erased, in all batches up to the entry with this number. */
  erasedLines(lastNo: number): Promise<number>;
  /** Undefined: it belongs to no business, or does not exist. */
  businessOf(recordId: string): Promise<string | undefined>;
}

export interface AuditDigests {
  /**
   * Appends a digest of what is new, when there is something. `more`: there is more to digest. Of several processes at once
   * one does it.
   */
  append(atMs: number): Promise<{ readonly more: boolean }>;
}

export interface AuditStore extends AuditLog, AuditReads, AuditDigests {}
