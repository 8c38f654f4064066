// The audit log: it is append-only, and its entries form a hash chain. A change is recorded in the same commit as the change.
// `record` is for actions that change nothing: sign-ins, and reads of a business's data by the operator.
import type { AuditHead, ChainedEntry } from '../domain/audit/audit-chain.ts';

export interface AuditEntry {
  /** The actor as text (see src/domain/people/actor.ts). */
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
  /** A prefix of the action's name. */
  readonly action?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** The exclusive upper bound of entry numbers. */
  readonly beforeNo?: number | undefined;
  readonly limit: number;
}

/** The database transactions whose timeline lines a digest covers: from `from` (inclusive) to `to` (exclusive). */
export interface ActivityRange {
  readonly from: string;
  readonly to: string;
  /** Lines after this time do not count: they were written after the numbering restarted. Null: all lines count. */
  readonly newest: string | null;
}

export interface ActivityDigest {
  readonly rows: number;
  readonly sha256: string;
  /** The time of the newest line; null if there is none. */
  readonly newest: string | null;
}

/** Rows of the timeline and of transactions whose personal data was erased in one batch. */
export interface ErasedDigest {
  readonly rows: number;
  readonly sha256: string;
}

export interface AuditReads {
  /** Newest first. */
  list(filter: AuditFilter): Promise<readonly ChainedEntry[]>;
  /** Entries with exactly one of these actions, newest first. If `beforeNo` is null, the list starts with the newest. */
  newestOf(
    actions: readonly string[],
    beforeNo: number | null,
    limit: number,
  ): Promise<readonly ChainedEntry[]>;
  /** Reads entries from this number, in order. */
  entriesFrom(no: number, limit: number): Promise<readonly ChainedEntry[]>;
  /** Reads the head and the highest entry number at the same instant. An empty hash means that the head was removed. */
  head(): Promise<AuditHead & { readonly lastNo: number }>;
  /**
   * Returns the head to the first caller on that day (`2026-11-14`); undefined to all later callers, and while the log is empty.
   */
  headOfDay(day: string): Promise<AuditHead | undefined>;
  /** Computes the digest of the range from the current rows. */
  digestOf(range: ActivityRange): Promise<ActivityDigest>;
  /** Computes what the `privacy.erased` entry of a batch would contain now. */
  erasedOf(batch: string): Promise<ErasedDigest>;
  /** The number of rows erased from the timeline and from transactions, in all batches up to this entry. */
  erasedLines(lastNo: number): Promise<number>;
  /** Finds the business of a record; undefined if the record has none or does not exist. */
  businessOf(recordId: string): Promise<string | undefined>;
}

export interface AuditDigests {
  /**
   * Appends a digest of the new lines, if there are any. `more`: there are more lines to digest. If several processes call this,
   * only one does the work.
   */
  append(atMs: number): Promise<{ readonly more: boolean }>;
}

export interface AuditStore extends AuditLog, AuditReads, AuditDigests {}
