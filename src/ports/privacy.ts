// Personal data of customers in the database: where it is, what of it is due to be erased, and what is about one person.
import type { HashKind, PersonQuery } from '../domain/privacy/person-query.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The keyed hash of a value. Equal values have equal hashes for as long as the key file lives. */
export type PersonalHash = (kind: HashKind, value: string) => string;

/** A row that holds, or held, personal data. */
export interface PersonalRow {
  /** The table. */
  readonly place: string;
  readonly key: readonly string[];
  readonly mode: Mode | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  /** The time at which its subject finished; null: it is open. */
  readonly overSinceMs: number | null;
  /** Everything personal in it was erased before. */
  readonly erased: boolean;
  /** Personal columns as readers see them. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface PersonalRowKeys {
  readonly transactionIds: readonly string[];
  readonly creditIds: readonly string[];
  /** The keys of rows that belong to neither a transaction nor a credit. */
  readonly keys: readonly Pick<PersonalRow, 'place' | 'key'>[];
}

export interface ErasedBatch {
  /** Rows that were looked at. */
  readonly seen: number;
  readonly erased: number;
}

export interface PrivacyProgress {
  readonly place: string;
  /** Rows whose personal data was replaced, ever. */
  readonly erased: number;
  /** Rows that wait until what they are about is over for long enough. */
  readonly waiting: number;
}

export interface PrivacyStore {
  /** The place that the worker goes through, one batch at a time. */
  readonly places: readonly string[];
  /**
   * Erases one batch of what was over before `overBeforeMs`. Of several processes one does it. Nothing was seen: all of the place was gone
   * through for now.
   */
  eraseDue(place: string, overBeforeMs: number, nowMs: number): Promise<ErasedBatch>;
  /** Erases what was asked for and is over since then; the rest goes on waiting. */
  eraseRequested(overBeforeMs: number, nowMs: number): Promise<ErasedBatch>;
  progress(): Promise<readonly PrivacyProgress[]>;
  /** Rows that name this person, erased ones included. */
  find(person: PersonQuery, mode: Mode | null): Promise<readonly PersonalRow[]>;
  /** Finds every row that belongs to these. */
  rowsOf(rows: PersonalRowKeys): Promise<readonly PersonalRow[]>;
  /** Rows with the number that are never erased, by table: entries of the audit log, proposals. */
  kept(account: string): Promise<Readonly<Record<string, readonly string[]>>>;
}
