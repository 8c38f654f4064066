// The ledger as people browse it, at most one page at a time, and as the audit checks it. The audit reads the ledger, and
// stores only its progress and halts. app/ledger/judge-ledger.ts decides what is wrong.
import type { LedgerAccountName } from '../domain/ledger/chart-of-accounts.ts';
import type { LedgerEvent } from '../domain/ledger/ledger.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { AuditStamp } from './back-office.ts';

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

export interface EntryHead {
  readonly id: bigint;
  readonly mode: Mode;
  readonly event: LedgerEvent;
  /** The transaction, credit, deposit, movement or treasury funding that the entry explains. */
  readonly subjectId: string;
  /** The transaction of the explained record, or this record itself if it is a transaction; null if there is no transaction. */
  readonly transactionId: string | null;
  readonly atMs: number;
}

/** One posting of an account, with its ledger entry. Debits are positive. */
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
  /** Returns postings with the highest entry number first. If `beforeEntry` is null, the page starts at the highest number. */
  postings(accountId: number, beforeEntry: bigint | null, limit: number): Promise<readonly BookPosting[]>;
  entry(id: bigint): Promise<BookEntry | undefined>;
  /** Reads the ledger entries of a record and its related records, oldest first. */
  entriesAbout(recordId: string, limit: number): Promise<readonly BookEntry[]>;
}

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
  /** The sum of the account's postings at the same instant. */
  readonly postedMinor: bigint;
  /** The difference between the sum that earlier checks recorded and the true sum. Only a recount can find this difference. */
  readonly misnotedMinor: bigint;
}

export interface LedgerReading {
  readonly accounts: readonly AuditedAccount[];
  /**
   * The number of ledger entries that the checkpoints have passed. Each entry counts once, no matter which process checks it,
   * and once more after a recount.
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
   * Counts the postings since the last check and stores the progress, so that older postings are not counted again. If there
   * are too many postings for one statement, it counts them in parts. After an interruption, the next check continues from the
   * last stored part.
   */
  check(onProgress?: () => void): Promise<LedgerReading>;
  /** Counts all postings while the ledger stays in use. Correct balances become the new checkpoints. */
  recount(onProgress: (postings: number) => void): Promise<LedgerReading>;
  balances(): Promise<readonly AccountBalance[]>;
  /** Returns the tokens at deposit addresses that have not certainly reached the treasury yet, by `mode network`. */
  unswept(): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Returns the reserved tokens of movements that have no signed payment in progress, by `mode network`. These tokens are still
   * in the wallet.
   */
  idle(): Promise<ReadonlyMap<string, bigint>>;
  /** Returns the ledger entries of a transaction, credit, deposit or movement and of its related records, oldest first. */
  explain(subjectId: string): Promise<readonly ExplainedEntry[]>;

  /** Halts an asset; the result is false if the asset was already halted. */
  halt(halt: Halt): Promise<boolean>;
  listHalts(): Promise<readonly Halt[]>;
  note(action: string, detail: Readonly<Record<string, string>>, doing: AuditStamp): Promise<void>;
}
