// The only write of settlement: changes, each as a whole or not at all, together with the position of the feed that they came
// from.
import type { Change } from '../../domain/records/change.ts';

export type CommitOutcome =
  | { readonly kind: 'committed' }
  /** A record has a newer version: read again and decide again. */
  | { readonly kind: 'stale' }
  | RefusedCommit;

/** A rule of the database itself forbids the change, and nothing of it was written. */
export interface RefusedCommit {
  readonly kind: 'refused';
  readonly rule: CommitRule;
  /** The rule's name in the database, for logs and operators. Code uses `rule`. */
  readonly constraint: string;
}

export type CommitRule =
  /** The business would exceed its limit. */
  | 'limit_exceeded'
  /** An account would become negative that must not be. */
  | 'account_negative'
  /** A condition of the change is not met: the balances have changed since the decision. Decide again. */
  | 'condition_broken'
  /** The movement was already recorded as returned. */
  | 'returned_before'
  /** Another source gives value for the account, or its rule has changed since the decision about the credit. Decide again. */
  | 'other_source'
  /** A credit with this session id exists: it is the same transfer. */
  | 'session_known'
  /** The source already reported it as a report or as a credit, and it cannot become the other. */
  | 'recorded_before'
  /** The report cannot be counted as a credit, because a credit exists that it may describe. */
  | 'fits_credit'
  /** Another report of that source is already linked to the credit. Decide again. */
  | 'linked_before'
  /** The proposal was already decided. */
  | 'decided_before'
  /** The author of the proposal would also decide it. */
  | 'same_person'
  /** The decider is not a known person. */
  | 'not_a_person'
  /** The decider is disabled, or has no role that may decide. */
  | 'not_allowed'
  /** The author is disabled, or no longer has a role that may propose. */
  | 'proposer_not_allowed'
  /** The approval has no second factor that this person gave for this proposal. */
  | 'step_up_needed'
  /** The second factor is older than five minutes. */
  | 'step_up_old'
  /** Another decision already uses the second factor. */
  | 'step_up_used'
  /** A refusal that no use case handles specifically. */
  | 'other';

/** The right to read one feed, for a limited time. */
export interface FeedLease {
  readonly name: string;
  /** Every new holder raises it. */
  readonly fence: number;
  /** The position up to which it was read; null: never. */
  readonly position: string | null;
}

export interface CommitStore {
  /**
   * Writes each change as a whole or not at all, in any order; returns the results in the given order. A change whose
   * data is already recorded is `stale`. The position of the feed moves with the changes, unless another reader has
   * taken over or a change was refused: the caller keeps the refused changes, and moves the position with them.
   */
  commit(
    changes: readonly Change[],
    feed?: { readonly hold: FeedLease; readonly position: string },
  ): Promise<readonly CommitOutcome[]>;
  /** Takes or renews the right to read a feed; undefined: another process has it. */
  holdFeed(name: string, holder: string, atMs: number, leaseMs: number): Promise<FeedLease | undefined>;
}
