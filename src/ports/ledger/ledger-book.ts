// The ledger as people browse it: balances, the postings of an account, one entry, and the entries about a record. It reads, and
// never more than a page.
import type { AccountName, LedgerEvent } from '../../domain/ledger/ledger.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface BookAccount {
  readonly id: number;
  readonly key: string;
  readonly mode: Mode;
  readonly asset: string;
  readonly name: AccountName;
  readonly side: 'debit' | 'credit';
  /** Debits positive. */
  readonly balanceMinor: bigint;
}

/** What an entry says of itself. */
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
  /** All of one mode, at one instant. */
  accounts(mode: Mode): Promise<readonly BookAccount[]>;
  account(mode: Mode, id: number): Promise<BookAccount | undefined>;
  /** The highest entry number first; null: from the highest there is. */
  postings(accountId: number, beforeEntry: bigint | null, limit: number): Promise<readonly BookPosting[]>;
  entry(id: bigint): Promise<BookEntry | undefined>;
  /** Of a record and of what belongs to it, oldest first. */
  entriesAbout(recordId: string, limit: number): Promise<readonly BookEntry[]>;
}
