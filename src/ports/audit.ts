// The audit log: entries are only added and form a hash chain. Every change writes its entry in its own commit. `record` is for
// actions that change nothing: sign-ins, and reads of a business's data by the operator.
import type { AuditHead, ChainedEntry } from '../domain/audit/audit-chain.ts';

export interface AuditEntry {
  readonly actor: string;
  readonly atMs: number;
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
  /** The start of the action's name. The filter accepts all actions whose names start with it. */
  readonly action?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Only entries with a lower number are returned. */
  readonly beforeNo?: number | undefined;
  readonly limit: number;
}

/** The database transactions whose timeline lines a digest covers. The range includes `from` and excludes `to`. */
export interface ActivityRange {
  readonly from: string;
  readonly to: string;
  /**
   * Timeline lines after this time do not count, because they were written after the database restarted its numbering. Null:
   * all lines count.
   */
  readonly newest: string | null;
}

export interface ActivityDigest {
  readonly rows: number;
  readonly sha256: string;
  /** The time of the newest timeline line; null if the range has no lines. */
  readonly newest: string | null;
}

export interface ErasedDigest {
  readonly rows: number;
  readonly sha256: string;
}

export interface AuditReads {
  /** Newest first. */
  list(filter: AuditFilter): Promise<readonly ChainedEntry[]>;
  /**
   * Returns entries with exactly one of these actions, newest first. If `beforeNo` is null, the list starts with the newest
   * entry.
   */
  newestOf(
    actions: readonly string[],
    beforeNo: number | null,
    limit: number,
  ): Promise<readonly ChainedEntry[]>;
  entriesFrom(no: number, limit: number): Promise<readonly ChainedEntry[]>;
  /**
   * Reads the head of the chain and the highest entry number at the same instant. An empty hash means that a person removed the
   * head.
   */
  head(): Promise<AuditHead & { readonly lastNo: number }>;
  /**
   * Returns the head of the chain to the first caller on that day (such as `2026-11-14`). The result is undefined for all later
   * callers, and while the log is empty.
   */
  headOfDay(day: string): Promise<AuditHead | undefined>;
  digestOf(range: ActivityRange): Promise<ActivityDigest>;
  erasedOf(batch: string): Promise<ErasedDigest>;
  /** Returns how many rows of the timeline and of transactions were erased, in all batches up to this entry. */
  erasedLines(lastNo: number): Promise<number>;
  /** Finds the business that a record belongs to. Undefined if the record has no business or does not exist. */
  businessOf(recordId: string): Promise<string | undefined>;
}

export interface AuditDigests {
  /**
   * Appends a digest of the new timeline lines, if there are any. `more` tells whether further lines wait for a digest. If
   * several processes call this function, only one does the work.
   */
  append(atMs: number): Promise<{ readonly more: boolean }>;
}

export interface AuditStore extends AuditLog, AuditReads, AuditDigests {}
