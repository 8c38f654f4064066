// Questions to banks about accounts: the queue of sells that are asked about, and how many questions a business may ask.
import type { Enquiry } from '../domain/records/enquiry.ts';
import type { LeaseRequest } from './store/queues.ts';
import type { Scope } from './store/reads.ts';

/** A sell that the caller asks about until its lease ends. */
export interface DueEnquiry {
  readonly transactionId: string;
  /** Raised by every lease: an answer under an older one is not stored. */
  readonly tries: number;
}

export interface Enquiries {
  /** Sells to ask about. One that is known, or has ended, is not added again. */
  add(transactionIds: readonly string[], atMs: number): Promise<void>;
  lease(request: LeaseRequest): Promise<readonly DueEnquiry[]>;
  /** Stores the answer; false when another process holds the lease by now. */
  answer(due: DueEnquiry, enquiry: Enquiry): Promise<boolean>;
  /** Postpones the question until this time; null: it is never asked again. */
  putOff(due: DueEnquiry, dueAtMs: number | null): Promise<void>;
  /** Lists the answered enquiries, newest first. */
  list(filter: EnquiryFilter): Promise<readonly Enquiry[]>;
}

export interface EnquiryFilter {
  readonly transactionId?: string | undefined;
  readonly verdict?: Enquiry['verdict'] | undefined;
  readonly limit: number;
}

export interface QuestionLimit {
  /** The time in which a business earns one more question. */
  readonly everyMs: number;
  /** Questions that may be asked at once. */
  readonly burst: number;
}

/** Counts in the database: one limit for all processes. */
export interface QuestionTurns {
  /** 0: the turn is taken; otherwise how long to wait for it. */
  take(scope: Scope, limit: QuestionLimit, atMs: number): Promise<number>;
  /** Further turns for a question that was asked already. */
  charge(scope: Scope, limit: QuestionLimit, turns: number): Promise<void>;
}
