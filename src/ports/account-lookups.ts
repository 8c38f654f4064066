// Account lookups at banks: the queue of sells whose accounts must be looked up, and the number of lookups that a business may
// make.
import type { AccountLookup } from '../domain/records/account-lookup.ts';
import type { LeaseRequest } from './store/queues.ts';
import type { BusinessScope } from './store/reads.ts';

/** A sell whose account the caller may look up until its lease ends. */
export interface DueAccountLookup {
  readonly transactionId: string;
  /** Every lease increases this number: the result of an older lease is not stored. */
  readonly tries: number;
}

export interface AccountLookups {
  /** Adds sells whose accounts must be looked up. A sell that is already in the queue, or has ended, is not added again. */
  add(transactionIds: readonly string[], atMs: number): Promise<void>;
  lease(request: LeaseRequest): Promise<readonly DueAccountLookup[]>;
  /** Stores the result; false if another process has the lease now. */
  answer(due: DueAccountLookup, enquiry: AccountLookup): Promise<boolean>;
  /** Postpones the lookup until this time; with null, the lookup is never repeated. */
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
  /** The time after which a business may make one more lookup. */
  readonly everyMs: number;
  /** The maximum number of lookups at once. */
  readonly burst: number;
}

/** Counts lookups in the database: one limit for all processes. */
export interface LookupTurns {
  /** Returns 0 if the lookup is allowed, and counts it; otherwise returns the time to wait. */
  take(scope: BusinessScope, limit: LookupLimit): Promise<number>;
  /** Counts more lookups against the limit, for a lookup that was already made. */
  charge(scope: BusinessScope, limit: LookupLimit, turns: number): Promise<void>;
}
