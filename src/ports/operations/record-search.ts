// The search over records by a known value: an id, a reference, an account number, a hash, a wallet, a name or an amount. An
// index finds exact keys in records of any age. Names, amounts and account numbers are searched only in the newest records, and
// the result says how far back the search went.
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface RecordSearchTerms {
  readonly text: string;
  /** The search text as an amount; null if the text is not an amount. */
  readonly amountMinor: bigint | null;
  /** The networks whose hashes or addresses have the same form as the search text. */
  readonly networks: readonly string[];
  readonly limit: number;
}

export interface SearchScope {
  readonly mode: Mode;
  /** The business whose records are searched; null for all businesses. */
  readonly businessId: string | null;
}

export interface SearchResult<Found> {
  readonly found: readonly Found[];
  /**
   * The time of the oldest record that was searched for names, amounts and account numbers; null if all records were searched.
   */
  readonly backToMs: number | null;
}

export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
}

export interface RecordSearch {
  searchTransactions(scope: SearchScope, terms: RecordSearchTerms): Promise<SearchResult<Transaction>>;
  searchCredits(mode: Mode, terms: RecordSearchTerms): Promise<SearchResult<BankCredit>>;
  searchDeposits(mode: Mode, terms: RecordSearchTerms): Promise<readonly Deposit[]>;
  searchMovements(mode: Mode, terms: RecordSearchTerms): Promise<readonly Movement[]>;
  searchBusinesses(terms: RecordSearchTerms): Promise<readonly NamedRecord[]>;
  searchVendors(mode: Mode, terms: RecordSearchTerms): Promise<readonly NamedRecord[]>;
  searchPeople(terms: RecordSearchTerms): Promise<readonly NamedRecord[]>;
}
