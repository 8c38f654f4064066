// The only write of settlement. It writes each change completely or not at all. The position of the feed that the changes came
// from is written in the same commit.
import type { Change } from '../../domain/records/change.ts';

export type CommitOutcome =
  | { readonly kind: 'committed' }
  /** A record has a newer version: the caller must read it again and decide again. */
  | { readonly kind: 'stale' }
  | RefusedCommit;

/** A rule of the database forbids the change, so no part of the change was written. */
export interface RefusedCommit {
  readonly kind: 'refused';
  readonly rule: CommitRule;
  /** The name of the rule in the database, for logs and operators. Code uses `rule`. */
  readonly constraint: string;
}

export type CommitRule =
  | 'limit_exceeded'
  /** The change would make an account negative that must not become negative. */
  | 'account_negative'
  /**
   * A condition of the change is not met, because the balances have changed since the decision. The caller must decide again.
   */
  | 'condition_broken'
  /** The movement was already recorded as returned. */
  | 'returned_before'
  /**
   * Another source gives value for the account, or the rule of the account has changed since the decision about the credit. The
   * caller must decide again.
   */
  | 'other_source'
  /** A credit with this session id already exists: both credits are the same transfer. */
  | 'session_known'
  /** The source has already reported this transfer, as a report or as a credit. This cannot change into the other kind. */
  | 'recorded_before'
  /** The report cannot count as a credit, because it may describe a credit that already exists. */
  | 'fits_credit'
  /** Another report from the same source is already linked to the credit. The caller must decide again. */
  | 'linked_before'
  | 'decided_before'
  /** The person who decides is the author of the proposal. */
  | 'same_person'
  /** The service does not know the person who decides. */
  | 'not_a_person'
  /** The person who decides is disabled, or has no role that may decide. */
  | 'not_allowed'
  /** The author of the proposal is disabled, or no longer has a role that may propose. */
  | 'proposer_not_allowed'
  /** The person who approves gave no second factor for this proposal. */
  | 'step_up_needed'
  /** The second factor of the approval is older than five minutes. */
  | 'step_up_old'
  /** Another decision already uses this second factor. */
  | 'step_up_used'
  /** A refusal to which no use case reacts in a special way. */
  | 'other';

export interface FeedLease {
  readonly name: string;
  /** Every new holder of the feed increases this number. */
  readonly fence: number;
  /** The position up to which the feed was read; null if the feed was never read. */
  readonly position: string | null;
}

export interface CommitStore {
  /**
   * Writes each change completely or not at all, in any order, and returns the results in the order of the changes. A change
   * whose data is already recorded is `stale`. The position of the feed moves together with the changes, unless another reader
   * has taken over or a change was refused. After a refusal, the caller keeps the refused changes, and moves the position when
   * it commits them.
   */
  commit(
    changes: readonly Change[],
    feed?: { readonly hold: FeedLease; readonly position: string },
  ): Promise<readonly CommitOutcome[]>;
  /** Takes or renews the right to read a feed; undefined if another process has this right. */
  holdFeed(name: string, holder: string, atMs: number, leaseMs: number): Promise<FeedLease | undefined>;
}
