// The one write of settlement: changes, each whole or not at all, together with the position of the feed they came from.
import type { Change } from '../../domain/records/change.ts';

export type CommitOutcome =
  | { readonly kind: 'committed' }
  /** A record has moved on: read again and decide again. */
  | { readonly kind: 'stale' }
  | RefusedCommit;

/** A rule that the database itself keeps forbids the change, and nothing of it was written. */
export interface RefusedCommit {
  readonly kind: 'refused';
  readonly rule: CommitRule;
  /** The rule's name in the database, for logs and operators. Code decides by `rule`. */
  readonly constraint: string;
}

export type CommitRule =
  /** The business would use more than its limit. */
  | 'limit_exceeded'
  /** An account that must not be negative would be. */
  | 'account_negative'
  /** A condition of the change does not hold: the balances have moved on since it was decided. Decide again. */
  | 'condition_broken'
  /** The movement has been recorded as returned before. */
  | 'returned_before'
  /** Another source gives value for the account, or that rule has changed since the credit was decided on. Decide again. */
  | 'other_source'
  /** A credit with this session id exists: it is the same transfer. */
  | 'session_known'
  /** The source reported it before, and it is a report or a credit: it does not become the other. */
  | 'recorded_before'
  /** A report cannot be counted as a credit: one that the report may be about exists. */
  | 'fits_credit'
  /** Another report of that source is about the credit already. Decide again. */
  | 'linked_before'
  /** The proposal has been decided before. */
  | 'decided_before'
  /** The same person would propose and decide. */
  | 'same_person'
  /** The one who would decide is not a person that the database knows. */
  | 'not_a_person'
  /** The one who would decide is disabled, or has no role that may. */
  | 'not_allowed'
  /** The one who proposed it is disabled, or has no role any more that may propose. */
  | 'proposer_not_allowed'
  /** An approval without a second factor that this person gave for this proposal. */
  | 'step_up_needed'
  /** The second factor was given more than five minutes before. */
  | 'step_up_old'
  /** Another decision relies on the second factor already. */
  | 'step_up_used'
  /** A refusal that no use case handles specifically. */
  | 'other';

/** The right to read one feed, for a while. */
export interface FeedLease {
  readonly name: string;
  /** Rises with every new holder. */
  readonly fence: number;
  /** The position up to which it was read; null: never. */
  readonly position: string | null;
}

export interface CommitStore {
  /**
   * Each change whole or not at all, in any order; answers in the order given. A change that records what is recorded
   * already is `stale`. The position of the feed that the changes were read from moves with them, unless another reader
   * has taken over, or a change was refused: the caller keeps what was refused, and moves the position with that.
   */
  commit(
    changes: readonly Change[],
    feed?: { readonly hold: FeedLease; readonly position: string },
  ): Promise<readonly CommitOutcome[]>;
  /** Takes or renews the right to read a feed; undefined while another holds it. */
  holdFeed(name: string, holder: string, atMs: number, leaseMs: number): Promise<FeedLease | undefined>;
}
