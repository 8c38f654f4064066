// How statement files are read, and where their rows are stored. Only one importer at a time writes the rows of an account.
import type { DayVerdict, StatementDayState } from '../domain/statements/judge-day.ts';
import type { AddedRow, DayRow } from '../domain/statements/merge-day.ts';
import type { StoredDayRow } from '../domain/statements/notice-rows.ts';
import type { ListingScope, RowProblem, StatementItem, StatementRow } from '../domain/statements/row.ts';
import type { Mode } from '../domain/values/mode.ts';

/**
 * The formats of statement files. Every file is read as a stream. The content of a file can cause only one error:
 * UnreadableStatement.
 */
export const STATEMENT_FORMATS = ['csv', 'html', 'xlsx', 'mt940', 'camt.053', 'camt.054', 'ofx'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** The whole statement file is unreadable. The message gives the reason and says what to do. */
export class UnreadableStatement extends Error {
  override readonly name = 'UnreadableStatement';
}

/** As many files are being read as the service allows at the same time. */
export class StatementReadersBusy extends Error {
  override readonly name = 'StatementReadersBusy';
}

export interface OpenedStatement {
  readonly format: StatementFormat;
  /**
   * The column profile of the statement file. Every format without columns has exactly one profile with the name of the format.
   */
  readonly profile: string;
  /** The profile was never compared with a file of the bank. Two people must confirm the first file of each account. */
  readonly isUnverified: boolean;
  readonly listing: ListingScope;
  /** The rows in the order of the file, in small groups. */
  readonly items: AsyncIterable<readonly StatementItem[]>;
}

export interface OpenedFile extends OpenedStatement {
  /** Must be called in the end, even if not all items were read. */
  close(): Promise<void>;
}

export interface ProfileSummary {
  readonly name: string;
  readonly title: string;
  /** Where its header names come from; null: it does not say it. */
  readonly source: string | null;
  readonly isUnverified: boolean;
  /** The header names that the profile accepts for each column that it reads. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly isOwn: boolean;
}

export interface StatementReaders {
  /**
   * If `profile` is null, the header of the file decides the profile; the `preferred` one is used if it fits. Throws
   * UnreadableStatement, and StatementReadersBusy. The items throw UnreadableStatement.
   */
  open(
    bytes: AsyncIterable<Uint8Array>,
    profile: string | null,
    preferred?: string | null,
  ): Promise<OpenedFile>;
  profiles(): readonly ProfileSummary[];
}

/** The problems of a statement file: their number, and a list of the first problems. */
export interface ProblemList {
  readonly total: number;
  /** Contains only the first problems. */
  readonly list: readonly RowProblem[];
}

export interface StatementFile {
  readonly id: string;
  readonly mode: Mode;
  readonly account: string;
  readonly vendorId: string | null;
  readonly name: string;
  readonly digest: string | null;
  readonly format: StatementFormat;
  readonly profile: string;
  readonly importedBy: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly state: 'reading' | 'done' | 'failed';
  /** While the file is being read: the rows read so far. */
  readonly rowsRead: number;
  /** The bytes read so far, and the size of the file; null if the sender did not state the size. */
  readonly bytesRead: number;
  readonly bytesTotal: number | null;
  readonly rowsNew: number;
  readonly rowsKnown: number;
  readonly fromDay: string | null;
  readonly toDay: string | null;
  /** The sums of all rows of the file; null: an earlier version imported the file, or it was not read to its end. */
  readonly totals: StatementTotals | null;
  /** Nothing of the file was stored, because its profile is unverified and was not confirmed for the account. */
  readonly awaitsConfirmation: boolean;
  readonly problems: ProblemList;
}

/** The sums of money in and of money out, both positive. */
export interface StatementTotals {
  readonly inMinor: bigint;
  readonly outMinor: bigint;
}

export interface StatementDay {
  readonly mode: Mode;
  readonly account: string;
  readonly day: string;
  readonly complete: boolean;
  readonly state: StatementDayState;
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
  readonly rows: number;
  readonly gap: string | null;
}

export interface StagedRow {
  readonly seq: number;
  readonly key: string;
  readonly row: StatementRow;
}

export interface StoredVerdict extends DayVerdict {
  readonly complete: boolean;
  readonly profile: string;
  /** Why a file contradicts itself about the direction of a row of this day; null if no file does. */
  readonly doubt: string | null;
}

export interface DayToMerge {
  readonly stored: readonly StoredDayRow[];
  /** Whether all stored rows of the day came from one file. */
  readonly isOnePiece: boolean;
  /** The rows of the file, the oldest row first. */
  readonly shown: readonly (DayRow & { readonly seq: number; readonly line: number })[];
  /** The stored verdict on the day; null if nothing is stored about the day. */
  readonly before: StoredVerdict | null;
  readonly previousClosingMinor: bigint | null;
  readonly nextOpeningMinor: bigint | null;
}

export interface DayWrite {
  readonly day: string;
  readonly add: readonly (AddedRow & { readonly seq: number })[];
  readonly verdict: DayVerdict;
  /** The reason to hold the day even if its balances are correct; null if there is no such reason. */
  readonly doubt: string | null;
  readonly complete: boolean;
  readonly rows: number;
}

/** One import of a statement file, with exclusive access to the account. */
export interface ImportSession {
  lastProfile(): Promise<string | null>;
  begin(file: StatementFile): Promise<void>;
  stage(rows: readonly StagedRow[]): Promise<void>;
  /** Stores how much of the file has been read, so that pages can show it. */
  noteProgress(fileId: string, progress: Pick<StatementFile, 'rowsRead' | 'bytesRead'>): Promise<void>;
  /** Finds an earlier import of a file with the same bytes; null if there is none. */
  sameFile(digest: string): Promise<StatementFile | null>;
  /** Returns another account for which a file with the same bytes was imported; null if there is none. */
  otherAccountOf(digest: string): Promise<string | null>;
  /** Whether two people confirmed the totals of the profile's first file of this account. */
  isProfileConfirmed(profile: string): Promise<boolean>;
  /** Returns the balance at the end of the last earlier day; null if this balance is unknown or not proven. */
  closingBefore(day: string): Promise<bigint | null>;
  /** `newestFirst`: the file lists the newest row first. */
  dayAtHand(day: string, newestFirst: boolean): Promise<DayToMerge>;
  /** Writes the rows and the state of their day in one database transaction, and releases the rows that may become credits. */
  writeDay(file: StatementFile, write: DayWrite, newestFirst: boolean, atMs: number): Promise<void>;
  nextDay(day: string): Promise<string | null>;
  end(file: StatementFile): Promise<void>;
}

/** A reversal that fits no credit or several credits, or a credit that the bank marked as a reversal. People must review it. */
export interface StatementDoubt {
  readonly mode: Mode;
  readonly account: string;
  readonly day: string;
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly fileId: string;
  readonly line: number;
  readonly why: string;
}

/**
 * A payment that an earlier version of the service released. That version treated the direction in some files as certain
 * although it was not.
 */
export interface UncertainRow {
  readonly mode: Mode;
  readonly account: string;
  readonly day: string;
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly fileId: string;
  readonly line: number;
  readonly profile: string;
  /** The credit that was created from the row; null if the row created no credit. */
  readonly credit: {
    readonly id: string;
    readonly state: string;
    readonly transactionId: string | null;
  } | null;
}

export interface FileFilter {
  readonly mode?: Mode | undefined;
  readonly account?: string | undefined;
  readonly limit: number;
}

export interface StatementDayFilter {
  readonly mode?: Mode | undefined;
  readonly account?: string | undefined;
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
  readonly onlyOpen?: boolean;
  readonly limit: number;
}

export interface StatementStore {
  /** Runs an import. The result is undefined if another import is using the account. */
  withImport<T>(
    mode: Mode,
    account: string,
    work: (session: ImportSession) => Promise<T>,
  ): Promise<T | undefined>;
  /** Newest first. */
  listFiles(filter: FileFilter): Promise<readonly StatementFile[]>;
  findFile(id: string): Promise<StatementFile | null>;
  /** Lists days, newest first. `onlyOpen`: only days that are incomplete or have a gap. */
  listDays(filter: StatementDayFilter): Promise<readonly StatementDay[]>;
  listDoubts(mode: Mode | null, limit: number): Promise<readonly StatementDoubt[]>;
  /** Lists rows, oldest first. `certainProfiles`: the profiles whose files always stated the direction of their rows. */
  listUncertain(filter: {
    readonly mode: Mode | null;
    readonly certainProfiles: readonly string[];
    readonly limit: number;
  }): Promise<readonly UncertainRow[]>;
}
