// Personal data of customers in the database: where it is, which data must be erased now, and which belongs to one person.
import type { HashKind, PersonQuery } from '../domain/privacy/person-query.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The keyed hash of a value. While the key file exists, equal values have equal hashes. */
export type PersonalHash = (kind: HashKind, value: string) => string;

/** A row with personal data, present or erased. */
export interface PersonalRow {
  /** The name of the table. */
  readonly place: string;
  readonly key: readonly string[];
  readonly mode: Mode | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  /** The time when its record ended; null while the record is open. */
  readonly overSinceMs: number | null;
  /** Whether all personal data in the row is already erased. */
  readonly erased: boolean;
  /** The personal columns as shown to readers. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface PersonalRowKeys {
  readonly transactionIds: readonly string[];
  readonly creditIds: readonly string[];
  /** The keys of rows that belong to neither a transaction nor a credit. */
  readonly keys: readonly Pick<PersonalRow, 'place' | 'key'>[];
}

export interface ErasedBatch {
  /** The number of rows that were checked. */
  readonly seen: number;
  readonly erased: number;
}

export interface PrivacyProgress {
  readonly place: string;
  /** The number of rows whose personal data has ever been erased. */
  readonly erased: number;
  /** The number of rows that cannot be erased yet, because their record is still open or ended too recently. */
  readonly waiting: number;
}

export interface PrivacyStore {
  /** The tables that the worker processes, one batch at a time. */
  readonly places: readonly string[];
  /**
   * Erases one batch of rows whose records ended before `overBeforeMs`. If several processes call this, only one does the work.
   * If no rows were checked, the table is finished for now.
   */
  eraseDue(place: string, overBeforeMs: number, nowMs: number): Promise<ErasedBatch>;
  /** Erases the requested rows whose records have ended; the other rows wait. */
  eraseRequested(overBeforeMs: number, nowMs: number): Promise<ErasedBatch>;
  progress(): Promise<readonly PrivacyProgress[]>;
  /** Rows that contain data of this person, including erased rows. */
  find(person: PersonQuery, mode: Mode | null): Promise<readonly PersonalRow[]>;
  /** Finds every row of these records. */
  rowsOf(rows: PersonalRowKeys): Promise<readonly PersonalRow[]>;
  /** Rows with this account number that are never erased, by table: entries of the audit log, and proposals. */
  kept(account: string): Promise<Readonly<Record<string, readonly string[]>>>;
}
