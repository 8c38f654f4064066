// Questions to banks about accounts: the queue of sells that are asked about, and how many questions a business may ask.
import type { AccountLookup } from '../domain/records/account-lookup.ts';
import type { LeaseRequest } from './store/queues.ts';
import type { BusinessScope } from './store/reads.ts';

/** A sell that the caller asks about until its lease ends. */
export interface DueAccountLookup {
  readonly transactionId: string;
  /** Raised by every lease: an answer under an older one is not stored. */
  readonly tries: number;
}

export interface AccountLookups {
  /** Sells to ask about. One that is known, or has ended, is not added again. */
  add(transactionIds: readonly string[], atMs: number): Promise<void>;
  lease(request: LeaseRequest): Promise<readonly DueAccountLookup[]>;
  /** Stores the answer; false when another process holds the lease by now. */
  answer(due: DueAccountLookup, enquiry: AccountLookup): Promise<boolean>;
  /** Postpones the question until this time; null: it is never asked again. */
  putOff(due: DueAccountLookup, dueAtMs: number | null): Promise<void>;
  /** Lists the answered enquiries, newest first. */
  list(filter: AccountLookupFilter): Promise<readonly AccountLookup[]>;
}

export interface AccountLookupFilter {
  readonly transactionId?: string | undefined;
  readonly verdict?: AccountLookup['verdict'] | undefined;
  readonly limit: number;
}

export interface LookupLimit {
  /** The time in which a business earns one more question. */
  readonly everyMs: number;
  /** Questions that may be asked at once. */
  readonly burst: number;
}

/** Counts in the database: one limit for all processes. */
export interface LookupTurns {
  /** 0: the turn is taken; otherwise how long to wait for it. */
  take(scope: BusinessScope, limit: LookupLimit, atMs: number): Promise<number>;
  /** Further turns for a question that was asked already. */
  charge(scope: BusinessScope, limit: LookupLimit, turns: number): Promise<void>;
}
