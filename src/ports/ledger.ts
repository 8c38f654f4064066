// The ledger as people browse it, never more than a page at a time, and as the audit checks it.
import type { LedgerAccountName } from '../domain/ledger/chart-of-accounts.ts';
import type { LedgerEvent } from '../domain/ledger/ledger.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp } from './back-office.ts';

/**
 * The ledger as people browse it: balances, the postings of an account, one entry, and the entries about a
 * record. It reads, and never more than a page.
 */
export interface BookAccount {
  readonly id: number;
  readonly key: string;
  readonly mode: Mode;
  readonly asset: string;
  readonly name: LedgerAccountName;
  readonly side: 'debit' | 'credit';
  /** Debits positive. */
  readonly balanceMinor: bigint;
}

/** The description of an entry. */
export interface EntryHead {
  readonly id: bigint;
  readonly mode: Mode;
  readonly event: LedgerEvent;
  /** The transaction, credit, deposit, movement or funding that it explains. */
  readonly subjectId: string;
  /** The transaction that the subject belongs to, or is; null: none. */
  readonly transactionId: string | null;
  readonly atMs: number;
}

/** One posting of an account, with its entry. Debits positive. */
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
  /** Reads all accounts of one mode at one instant. */
  accounts(mode: Mode): Promise<readonly BookAccount[]>;
  account(mode: Mode, id: number): Promise<BookAccount | undefined>;
  /** The highest entry number first; null: from the highest there is. */
  postings(accountId: number, beforeEntry: bigint | null, limit: number): Promise<readonly BookPosting[]>;
  entry(id: bigint): Promise<BookEntry | undefined>;
  /** Reads the entries of a record and its related records, oldest first. */
  entriesAbout(recordId: string, limit: number): Promise<readonly BookEntry[]>;
}

/**
 * The ledger as an auditor sees it: every account's balance beside what its postings add up to, and the
 * halts that stop sends when the two differ. It reads and remembers how far; app/ledger/judge-ledger.ts
 * says what is wrong.
 */
export interface AccountBalance {
  readonly key: string;
  readonly mode: Mode;
  readonly asset: string;
  readonly name: LedgerAccountName;
  readonly side: 'debit' | 'credit';
  /** Debits positive. */
  readonly balanceMinor: bigint;
}

export interface AuditedAccount extends AccountBalance {
  /** What its postings add up to at the same instant. */
  readonly postedMinor: bigint;
  /** The part that earlier checks noted wrongly; only a recount shows it. */
  readonly misnotedMinor: bigint;
}

export interface LedgerReading {
  readonly accounts: readonly AuditedAccount[];
  /** Entries the checkpoints have moved past: each of them once, in whichever process checks, and again after a recount. */
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
   * Counts what is new since the last check, and remembers it. The past costs nothing. What is too much for one statement is counted
   * in pieces; when that is interrupted, the next check goes on where it was.
   */
  check(onProgress?: () => void): Promise<LedgerReading>;
  /** Counts every posting there is, while the ledger goes on. Balances that were right become the new checkpoints. */
  recount(onProgress: (postings: number) => void): Promise<LedgerReading>;
  balances(): Promise<readonly AccountBalance[]>;
  /** Tokens at deposit addresses that are not known to be in the treasury yet, by `mode network`. */
  unswept(): Promise<ReadonlyMap<string, bigint>>;
  /** Tokens set aside for movements of which no signed bytes are in progress: they lie in the wallet. By `mode network`. */
  idle(): Promise<ReadonlyMap<string, bigint>>;
  /** The entries of a transaction, credit, deposit or movement and of what belongs to it, oldest first. */
  explain(subjectId: string): Promise<readonly ExplainedEntry[]>;

  /** Halts an asset; false: it was already halted. */
  halt(halt: Halt): Promise<boolean>;
  listHalts(): Promise<readonly Halt[]>;
  /** An entry in the audit log about something done to the ledger by hand. */
  note(action: string, detail: Readonly<Record<string, string>>, doing: AuditStamp): Promise<void>;
}
