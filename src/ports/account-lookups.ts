// Account lookups at banks: the queue of sells to look up, and how many lookups a business may make.
import type { AccountLookup } from '../domain/records/account-lookup.ts';
import type { LeaseRequest } from './store/queues.ts';
import type { BusinessScope } from './store/reads.ts';

/** A sell that the caller may look up until its lease ends. */
export interface DueAccountLookup {
  readonly transactionId: string;
  /** Every lease raises it: an answer under an older lease is not stored. */
  readonly tries: number;
}

export interface AccountLookups {
  /** Adds sells to look up. A sell that is already in the queue, or has ended, is not added again. */
  add(transactionIds: readonly string[], atMs: number): Promise<void>;
  lease(request: LeaseRequest): Promise<readonly DueAccountLookup[]>;
  /** Stores the answer; false: another process has the lease now. */
  answer(due: DueAccountLookup, enquiry: AccountLookup): Promise<boolean>;
  /** Postpones the lookup until this time; null: it is never repeated. */
  putOff(due: DueAccountLookup, dueAtMs: number | null): Promise<void>;
  /** Lists the answered lookups, newest first. */
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
  /** The number of lookups that may be made at once. */
  readonly burst: number;
}

/** Counts lookups in the database: one limit for all processes. */
export interface LookupTurns {
  /** 0: the lookup is allowed and counted; otherwise the time to wait. */
  take(scope: BusinessScope, limit: LookupLimit): Promise<number>;
  /** Counts further turns for a lookup that was already made. */
  charge(scope: BusinessScope, limit: LookupLimit, turns: number): Promise<void>;
}
