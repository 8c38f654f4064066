// Account lookups at banks: the queue of sells whose accounts the service must look up, and the number of lookups that a
// business may make.
import type { AccountLookup } from '../domain/records/account-lookup.ts';
import type { LeaseRequest } from './store/queues.ts';
import type { BusinessScope } from './store/reads.ts';

/** A sell whose bank account the caller may look up until the lease ends. */
export interface DueAccountLookup {
  readonly transactionId: string;
  /** Every lease increases this number. The service does not store the result of an older lease. */
  readonly tries: number;
}

export interface AccountLookups {
  /** Adds sells whose accounts must be looked up. It skips a sell that is already in the queue or has ended. */
  add(transactionIds: readonly string[], atMs: number): Promise<void>;
  lease(request: LeaseRequest): Promise<readonly DueAccountLookup[]>;
  /** Stores the bank's response to a lookup. The result is false if another process has the lease now. */
  answer(due: DueAccountLookup, enquiry: AccountLookup): Promise<boolean>;
  /** Postpones the lookup until this time. Null means that the lookup is never repeated. */
  putOff(due: DueAccountLookup, dueAtMs: number | null): Promise<void>;
  /** Lists the completed lookups, newest first. */
  list(filter: AccountLookupFilter): Promise<readonly AccountLookup[]>;
}

export interface AccountLookupFilter {
  readonly transactionId?: string | undefined;
  readonly verdict?: AccountLookup['verdict'] | undefined;
  readonly limit: number;
}

export interface LookupLimit {
  /** A business may make one more lookup after each interval of this length. */
  readonly everyMs: number;
  /** The maximum number of lookups that a business may make at once. */
  readonly burst: number;
}

/** Counts lookups in the database, so that all processes share one limit. */
export interface LookupTurns {
  /** Returns 0 and counts the lookup if the business may make it; otherwise returns the milliseconds to wait. */
  take(scope: BusinessScope, limit: LookupLimit): Promise<number>;
  /** Counts additional lookups for a lookup that the service has already made. */
  charge(scope: BusinessScope, limit: LookupLimit, turns: number): Promise<void>;
}
