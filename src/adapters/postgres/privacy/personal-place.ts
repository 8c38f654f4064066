// What is said about one place of personal data: the table, its personal columns, how each is erased, and whether the law requires
// its rows.
import type { HashKind } from '../../../domain/privacy/person-query.ts';
import type { IdPrefix } from '../../../domain/values/ids.ts';

/** `json`: the whole value becomes one hash. `removed`: it becomes null. An object: only the values of its keys become hashes. */
export type ErasureMethod = HashKind | 'json' | 'removed' | Readonly<Record<string, HashKind>>;

export interface PersonalPlace {
  readonly table: string;
  /** The primary key with its types. The worker processes the table in this order. */
  readonly key: Readonly<Record<string, 'text' | 'integer' | 'bigint'>>;
  /** The prefix of the ids, if ids contain their time and are the first key column; null if the time is in the column `time`. */
  readonly ids: IdPrefix | null;
  readonly time?: string;
  readonly columns: Readonly<Record<string, ErasureMethod>>;
  /** SQL conditions on a row `t`: the column is personal only in these rows. */
  readonly onlyIf?: Readonly<Record<string, string>>;
  /** The arguments of over_since (migrations) for a row: the kind, and the column. */
  readonly over: readonly [
    kind:
      | 'transaction'
      | 'credit'
      | 'movement'
      | 'report'
      | 'notice'
      | 'time'
      | 'row'
      | 'event'
      | 'file'
      | 'line'
      | 'order',
    column: string,
  ];
  /**
   * Whether the row is a record that the law requires: in live mode it is erased only after the time that the law sets. Text: an
   * SQL condition on a row `t`. Rows of no record are erased at once.
   */
  readonly byLaw: boolean | string;
  /** Nothing about the row is written after its end, so that a request need not wait for that. */
  readonly atOnce?: true;
  /** SQL on a row `t`: its records, its mode, and the bank of its account number. */
  readonly transaction?: string;
  readonly credit?: string;
  /** SQL that finds rows by transactions or credits ($1) with an index, if the column itself has none. */
  readonly ofTransactions?: string;
  readonly ofCredits?: string;
  readonly mode: string;
  readonly bank?: string;
  /** SQL condition: only these rows hold personal data. */
  readonly only?: string;
  /** The erasure also raises this column, so that a writer with older data cannot overwrite the erased row. */
  readonly raises?: 'version';
  /** The content that activity digests cover: the version of the row, and its line. */
  readonly digested?: { readonly version: string; readonly line: string };
  /** These rows are erased only for a request about one person: `forgotten` rows are deleted after some days by another worker. */
  readonly onlyAsked?: 'forgotten' | 'simulated';
}
