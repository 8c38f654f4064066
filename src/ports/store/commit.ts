// The only write of settlement: it writes each change completely or not at all, together with the position of the feed that the
// changes came from.
import type { Change } from '../../domain/records/change.ts';

export type CommitOutcome =
  | { readonly kind: 'committed' }
  /** A record has a newer version: the caller must read again and decide again. */
  | { readonly kind: 'stale' }
  | RefusedCommit;

/** A rule of the database forbids the change, and no part of it was written. */
export interface RefusedCommit {
  readonly kind: 'refused';
  readonly rule: CommitRule;
  /** The rule's name in the database, for logs and operators. Code uses `rule`. */
  readonly constraint: string;
}

export type CommitRule =
  /** The business would exceed its limit. */
  | 'limit_exceeded'
  /** An account that must not become negative would become negative. */
  | 'account_negative'
  /** A condition of the change is not met: the balances have changed since the decision. Decide again. */
  | 'condition_broken'
  /** The movement was already recorded as returned. */
  | 'returned_before'
  /**
   * Another source gives value for the account, or the rule of the account has changed since the decision about the credit.
   * Decide again.
   */
  | 'other_source'
  /** A credit with this session id already exists: both are the same transfer. */
  | 'session_known'
  /** The source already reported this transfer as a report or as a credit, and it cannot become the other kind. */
  | 'recorded_before'
  /** The report cannot count as a credit, because it may describe a credit that already exists. */
  | 'fits_credit'
  /** Another report from that source is already linked to the credit. Decide again. */
  | 'linked_before'
  /** The proposal was already decided. */
  | 'decided_before'
  /** The author of the proposal tries to decide it. */
  | 'same_person'
  /** The person who decides is not known. */
  | 'not_a_person'
  /** The person who decides is disabled, or has no role that may decide. */
  | 'not_allowed'
  /** The author is disabled, or no longer has a role that may propose. */
  | 'proposer_not_allowed'
  /** The approval has no second factor that this person gave for this proposal. */
  | 'step_up_needed'
  /** The second factor is older than five minutes. */
  | 'step_up_old'
  /** Another decision already uses the second factor. */
  | 'step_up_used'
  /** A refusal for which no use case has a special reaction. */
  | 'other';

/** The right to read one feed for a limited time. */
export interface FeedLease {
  readonly name: string;
  /** Every new holder increases this number. */
  readonly fence: number;
  /** The position up to which the feed was read; null if it was never read. */
  readonly position: string | null;
}

export interface CommitStore {
  /**
   * Writes each change completely or not at all, in any order; returns the results in the order of the changes. A change whose
   * data is already recorded is `stale`. The position of the feed moves together with the changes, unless another reader has
   * taken over or a change was refused. In the second case the caller keeps the refused changes, and moves the position when it
   * commits them.
   */
  commit(
    changes: readonly Change[],
    feed?: { readonly hold: FeedLease; readonly position: string },
  ): Promise<readonly CommitOutcome[]>;
  /** Takes or renews the right to read a feed; undefined if another process has it. */
  holdFeed(name: string, holder: string, atMs: number, leaseMs: number): Promise<FeedLease | undefined>;
}
