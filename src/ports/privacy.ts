// Personal data of customers in the database: where it is, which of it is due to be erased, and which belongs to one person.
import type { HashKind, PersonQuery } from '../domain/privacy/person-query.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The keyed hash of a value. Equal values have equal hashes as long as the key file exists. */
export type PersonalHash = (kind: HashKind, value: string) => string;

/** A row with personal data, present or erased. */
export interface PersonalRow {
  /** The name of the table. */
  readonly place: string;
  readonly key: readonly string[];
  readonly mode: Mode | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  /** When its record ended; null: it is open. */
  readonly overSinceMs: number | null;
  /** Whether all personal data in it was erased before. */
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
  /** The number of rows that wait until their record has been over for long enough. */
  readonly waiting: number;
}

export interface PrivacyStore {
  /** The tables that the worker processes, one batch at a time. */
  readonly places: readonly string[];
  /**
   * Erases one batch of rows whose records ended before `overBeforeMs`. Of several processes, one does it. If no rows
   * were checked, the table is finished for now.
   */
  eraseDue(place: string, overBeforeMs: number, nowMs: number): Promise<ErasedBatch>;
  /** Erases the requested rows whose records have ended; the others keep waiting. */
  eraseRequested(overBeforeMs: number, nowMs: number): Promise<ErasedBatch>;
  progress(): Promise<readonly PrivacyProgress[]>;
  /** Rows that name this person, including erased rows. */
  find(person: PersonQuery, mode: Mode | null): Promise<readonly PersonalRow[]>;
  /** Finds every row of these records. */
  rowsOf(rows: PersonalRowKeys): Promise<readonly PersonalRow[]>;
  /** Rows with the account number that are never erased, by table: entries of the audit log, proposals. */
  kept(account: string): Promise<Readonly<Record<string, readonly string[]>>>;
}
