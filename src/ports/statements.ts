// Statement files: how they are read, and where their rows are kept.
import type { DayVerdict, StatementDayState } from '../domain/statements/judge-day.ts';
import type { AddedRow, DayRow } from '../domain/statements/merge-day.ts';
import type { ListingScope, RowProblem, StatementItem, StatementRow } from '../domain/statements/row.ts';
import type { Mode } from '../domain/values/mode.ts';

/**
 * Reads a statement file as a stream, whatever its format. No call throws because of what a file holds,
 * except UnreadableStatement.
 */
export const STATEMENT_FORMATS = ['csv', 'html', 'mt940', 'camt.053', 'camt.054', 'ofx'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** The file as a whole cannot be read. The message says why and what to do. */
export class UnreadableStatement extends Error {
  override readonly name = 'UnreadableStatement';
}

export interface OpenedStatement {
  readonly format: StatementFormat;
  /** The column profile; the other formats have one profile each, with the name of the format. */
  readonly profile: string;
  readonly listing: ListingScope;
  /** The rows in the order of the file, in small groups. */
  readonly items: AsyncIterable<readonly StatementItem[]>;
}

export interface ProfileSummary {
  readonly name: string;
  readonly title: string;
  /** The header names that it looks for, one for each column that it reads. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly isOwn: boolean;
}

export interface StatementReaders {
  /** `profile`: null: chosen by the header of the file. Throws UnreadableStatement. */
  open(bytes: AsyncIterable<Uint8Array>, profile: string | null): Promise<OpenedStatement>;
  profiles(): readonly ProfileSummary[];
}

/**
 * Where statement files, their rows and their days are kept. Rows of one account are written by one
 * importer at a time.
 */
export interface ProblemList {
  readonly total: number;
  /** The first of them. */
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
  readonly rowsRead: number;
  readonly rowsNew: number;
  readonly rowsKnown: number;
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly problems: ProblemList;
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

/** A row of the file that is read, with its identity. */
export interface StagedRow {
  readonly seq: number;
  readonly key: string;
  readonly row: StatementRow;
}

export interface StoredVerdict extends DayVerdict {
  readonly complete: boolean;
  readonly profile: string;
  /** A file contradicted itself about the direction of a row of the day; null: none did. */
  readonly doubt: string | null;
}

/** The stored rows of a day, and the rows that the file shows. */
export interface DayToMerge {
  readonly stored: readonly DayRow[];
  /** Whether all stored rows came from one file. */
  readonly isOnePiece: boolean;
  /** The oldest row first. */
  readonly shown: readonly (DayRow & { readonly seq: number; readonly line: number })[];
  /** Null: nothing is stored about the day. */
  readonly before: StoredVerdict | null;
  readonly previousClosingMinor: bigint | null;
  readonly nextOpeningMinor: bigint | null;
}

export interface DayWrite {
  readonly day: string;
  readonly add: readonly (AddedRow & { readonly seq: number })[];
  readonly verdict: DayVerdict;
  /** The reason to hold the day, whatever the balances are. */
  readonly doubt: string | null;
  readonly complete: boolean;
  readonly rows: number;
}

/** One import, which has exclusive use of the account. */
export interface ImportSession {
  /** The profile of the last file of the account that was imported. */
  lastProfile(): Promise<string | null>;
  begin(file: StatementFile): Promise<void>;
  stage(rows: readonly StagedRow[]): Promise<void>;
  /** Finds an earlier import of a file with the same bytes. */
  sameFile(digest: string): Promise<StatementFile | null>;
  /** The balance at the end of the last day before it; null: it is not known, or not proved. */
  closingBefore(day: string): Promise<bigint | null>;
  /** `newestFirst`: the file lists the newest row first. */
  dayAtHand(day: string, newestFirst: boolean): Promise<DayToMerge>;
  /** Rows and the state of their day in one transaction; rows that may be are released. */
  writeDay(file: StatementFile, write: DayWrite, newestFirst: boolean, atMs: number): Promise<void>;
  /** The first day after it that has rows. */
  nextDay(day: string): Promise<string | null>;
  end(file: StatementFile): Promise<void>;
}

/** A reversal that fits no credit, or several, and a credit that says it is one: people look at them. */
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

/** A released payment of an earlier version, which took the direction of some files for certain when it was not. */
export interface UncertainRow {
  readonly mode: Mode;
  readonly account: string;
  readonly day: string;
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly fileId: string;
  readonly line: number;
  readonly profile: string;
  /** The credit made from it; null: there is none. */
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
  /** Starts an import; undefined: another import has the account. */
  withImport<T>(
    mode: Mode,
    account: string,
    work: (session: ImportSession) => Promise<T>,
  ): Promise<T | undefined>;
  /** Newest first. */
  listFiles(filter: FileFilter): Promise<readonly StatementFile[]>;
  findFile(id: string): Promise<StatementFile | null>;
  /** Newest first. `onlyOpen`: those that are not complete, or a gap. */
  listDays(filter: StatementDayFilter): Promise<readonly StatementDay[]>;
  listDoubts(mode: Mode | null, limit: number): Promise<readonly StatementDoubt[]>;
  /** Oldest first. `findCertainProfiles`: whose files always said the direction of their rows. */
  listUncertain(filter: {
    readonly mode: Mode | null;
    readonly certainProfiles: readonly string[];
    readonly limit: number;
  }): Promise<readonly UncertainRow[]>;
}
