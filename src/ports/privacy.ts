// The personal data of customers in the database: its places, the data that must be erased now, and the data that belongs to
// one person.
import type { HashKind, PersonQuery } from '../domain/privacy/person-query.ts';
import type { Mode } from '../domain/values/mode.ts';

/** Returns the keyed hash of a value. While the key file exists, the same value always has the same hash. */
export type PersonalHash = (kind: HashKind, value: string) => string;

export interface PersonalRow {
  readonly place: string;
  readonly key: readonly string[];
  readonly mode: Mode | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  /** The time when the record of the row ended; null while the record is open. */
  readonly overSinceMs: number | null;
  /** Whether the law requires the row, so that it is erased only after the time that the law sets. Never in test mode. */
  readonly isByLaw: boolean;
  /** Whether records of its transaction may still be written within an hour of its end. */
  readonly settles: boolean;
  /** The row is no record of money: it is erased alone, not with its transaction or credit. */
  readonly standsAlone: boolean;
  readonly erased: boolean;
  /** The personal columns of the row as readers see them. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface PersonalRowKeys {
  readonly transactionIds: readonly string[];
  readonly creditIds: readonly string[];
  /** The keys of rows that belong to neither a transaction nor a credit. */
  readonly keys: readonly Pick<PersonalRow, 'place' | 'key'>[];
}

export interface ErasedBatch {
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

/** What may be erased: rows whose records ended before these times. */
export interface ErasureLimits {
  readonly nowMs: number;
  readonly overBeforeMs: number;
  /** The limit for rows that the law requires. */
  readonly byLawOverBeforeMs: number;
}

/** The requests about one person that are not carried out completely. */
export interface ErasureRequest {
  /** The pseudonym; null: the request was made by a version that did not store it. */
  readonly person: string | null;
  readonly mode: Mode;
  readonly requestedBy: string;
  readonly atMs: number;
  /** The records that wait. */
  readonly waiting: number;
  /** The day on which the last of them is erased, as far as it is known; null: none is kept by law. */
  readonly keptUntilMs: number | null;
}

export interface PrivacyStore {
  /** The database tables from which the worker erases personal data, one batch at a time. */
  readonly places: readonly string[];
  /**
   * Erases one batch of rows whose records ended before the limits. If several processes call this, only one does the work.
   * If no rows were checked, the table is finished for now.
   */
  eraseDue(place: string, limits: ErasureLimits): Promise<ErasedBatch>;
  /** Erases the rows that people requested to erase, if their records have ended. All other requested rows wait. */
  eraseRequested(limits: ErasureLimits): Promise<ErasedBatch>;
  /** The requests that still wait, oldest first. */
  openRequests(): Promise<readonly ErasureRequest[]>;
  progress(): Promise<readonly PrivacyProgress[]>;
  /** Finds the rows that contain data of this person, including erased rows. */
  find(person: PersonQuery, mode: Mode | null): Promise<readonly PersonalRow[]>;
  rowsOf(rows: PersonalRowKeys): Promise<readonly PersonalRow[]>;
  /** Rows with this account number that are never erased, by table: entries of the audit log, proposals and their decisions. */
  kept(account: string): Promise<Readonly<Record<string, readonly string[]>>>;
}
