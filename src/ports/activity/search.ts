// Finding transactions of a business by what people have at hand, and the deliveries of its events.
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Scope, TransactionFilter } from '../store/reads.ts';

export interface SearchTerms {
  /** As it was typed: an id, a reference, an account number. */
  readonly text: string;
  /** How the networks may spell it, when it is an address. */
  readonly wallets: readonly string[];
  /** How the networks may spell it, when it is a hash. */
  readonly hashes: readonly string[];
  /** Networks on which the hash may be. */
  readonly networks: readonly string[];
  /** When it is an amount. */
  readonly amountMinor: bigint | null;
}

export interface SearchFilter extends TransactionFilter {
  readonly network?: string;
  readonly amountMinor?: bigint;
  readonly terms?: SearchTerms;
}

export interface SearchPage {
  readonly transactions: readonly Transaction[];
  /** The last one that was looked at when the search stopped before the page was full; null: it has seen all. */
  readonly stoppedAt: string | null;
}

export interface TransactionSearch {
  /** Newest first. It looks at a bounded number of transactions, so a page may be short and still not be the last. */
  find(scope: Scope, filter: SearchFilter): Promise<SearchPage>;
  /** Deliveries of these events to endpoints of the business, newest first. */
  deliveriesOf(
    scope: Scope,
    eventIds: readonly string[],
    limit: number,
  ): Promise<readonly (Delivery & { readonly url: string })[]>;
}
