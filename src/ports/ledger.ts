// The ledger as people browse it, one page at a time, and as the audit checks it.
import type { LedgerAccountName } from '../domain/ledger/chart-of-accounts.ts';
import type { LedgerEvent } from '../domain/ledger/ledger.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp } from './back-office.ts';

/**
 * The ledger as people browse it: balances, the postings of an account, one entry, and the entries about a record. It only reads,
 * and returns at most one page.
 */
export interface BookAccount {
  readonly id: number;
  readonly key: string;
  readonly mode: Mode;
  readonly asset: string;
  readonly name: LedgerAccountName;
  readonly side: 'debit' | 'credit';
  /** Debits are positive. */
  readonly balanceMinor: bigint;
}

/** The facts of an entry without its postings. */
export interface EntryHead {
  readonly id: bigint;
  readonly mode: Mode;
  readonly event: LedgerEvent;
  /** The transaction, credit, deposit, movement or funding that the entry explains. */
  readonly subjectId: string;
  /** The transaction of the subject, or the subject itself if it is a transaction; null if there is none. */
  readonly transactionId: string | null;
  readonly atMs: number;
}

/** One posting of an account, with its entry. Debits are positive. */
export interface BookPosting extends EntryHead {
  readonly amountMinor: bigint;
}

export interface BookEntry extends EntryHead {
  /** Debits first. */
  readonly postings: readonly {
    readonly account: Omit<BookAccount, 'balanceMinor'>;
    readonly amountMinor: bigint;
  }[];
}

export interface LedgerBook {
  /** Reads all accounts of one mode at the same instant. */
  accounts(mode: Mode): Promise<readonly BookAccount[]>;
  account(mode: Mode, id: number): Promise<BookAccount | undefined>;
  /** The highest entry number comes first; with null, the page starts at the highest. */
  postings(accountId: number, beforeEntry: bigint | null, limit: number): Promise<readonly BookPosting[]>;
  entry(id: bigint): Promise<BookEntry | undefined>;
  /** Reads the entries of a record and its related records, oldest first. */
  entriesAbout(recordId: string, limit: number): Promise<readonly BookEntry[]>;
}

/**
 * The ledger as an auditor sees it: the balance of every account, the sum of its postings, and the halts that stop sends if the
 * two differ. It reads, and stores only its progress; app/ledger/judge-ledger.ts decides what is wrong.
 */
export interface AccountBalance {
  readonly key: string;
  readonly mode: Mode;
  readonly asset: string;
  readonly name: LedgerAccountName;
  readonly side: 'debit' | 'credit';
  /** Debits are positive. */
  readonly balanceMinor: bigint;
}

export interface AuditedAccount extends AccountBalance {
  /** The sum of its postings at the same instant. */
  readonly postedMinor: bigint;
  /** The amount by which earlier checks recorded a wrong sum; only a recount shows it. */
  readonly misnotedMinor: bigint;
}

export interface LedgerReading {
  readonly accounts: readonly AuditedAccount[];
  /**
   * The number of entries that the checkpoints have passed: each entry counts once, no matter which process checks it, and again
   * after a recount.
   */
  readonly newEntries: number;
}

export interface Halt {
  readonly mode: Mode;
  readonly asset: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface ExplainedEntry {
  readonly id: bigint;
  readonly event: LedgerEvent;
  readonly subjectId: string;
  readonly atMs: number;
  readonly postings: readonly { readonly account: string; readonly amountMinor: bigint }[];
}

export interface LedgerAudit {
  /**
   * Counts the postings since the last check and stores the progress, so that older postings are not counted again. If there are
   * too many postings for one statement, they are counted in parts; after an interruption, the next check continues from the last
   * stored part.
   */
  check(onProgress?: () => void): Promise<LedgerReading>;
  /** Counts all postings while the ledger stays in use. Correct balances become the new checkpoints. */
  recount(onProgress: (postings: number) => void): Promise<LedgerReading>;
  balances(): Promise<readonly AccountBalance[]>;
  /** Tokens at deposit addresses that have not certainly reached the treasury yet, by `mode network`. */
  unswept(): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Reserved tokens of movements that have no signed payment in progress: these tokens are still in the wallet. By `mode
   * network`.
   */
  idle(): Promise<ReadonlyMap<string, bigint>>;
  /** The entries of a transaction, credit, deposit or movement and of its related records, oldest first. */
  explain(subjectId: string): Promise<readonly ExplainedEntry[]>;

  /** Halts an asset; false if it was already halted. */
  halt(halt: Halt): Promise<boolean>;
  listHalts(): Promise<readonly Halt[]>;
  /** Adds an audit-log entry about a manual action on the ledger. */
  note(action: string, detail: Readonly<Record<string, string>>, doing: AuditStamp): Promise<void>;
}
