// Defines the actions of reviewers on money that settlement could not match automatically, and the rule that people never
// approve their own proposals. The other files in this folder compute the changes that the actions make.
import type { StepUp } from '../people/people-needed.ts';
import type { Change } from '../records/change.ts';
import type { PublicReason } from '../records/move-reasons.ts';
import type { AccountDestination, WalletDestination } from '../records/movement.ts';
import type { NairaFacts } from '../records/naira-move.ts';
import type { Mode } from '../values/mode.ts';
import { fail } from '../values/result.ts';

export type RefundTarget = AccountDestination | WalletDestination;

export type ReviewRequest =
  | {
      readonly action: 'match';
      readonly subjectId: string;
      readonly detail: { readonly transactionId: string };
    }
  | {
      readonly action: 'split';
      readonly subjectId: string;
      readonly detail: { readonly partsMinor: readonly bigint[] };
    }
  | {
      readonly action: 'refund';
      readonly subjectId: string;
      readonly detail: RefundDetail;
    }
  | { readonly action: 'write_off'; readonly subjectId: string; readonly detail: NoDetail }
  /** The tokens are the operator's own, and they were sent to a treasury. */
  | { readonly action: 'own_funds'; readonly subjectId: string; readonly detail: NoDetail }
  /** Takes tokens out of a treasury. The subject is the id of the new movement. */
  | { readonly action: 'withdraw'; readonly subjectId: string; readonly detail: WithdrawalDetail }
  /**
   * Books tokens that arrived in a treasury without the service seeing their arrival. The subject is the id of the new funding.
   */
  | { readonly action: 'fund'; readonly subjectId: string; readonly detail: FundingDetail }
  | { readonly action: 'unfund'; readonly subjectId: string; readonly detail: UnfundingDetail }
  /** Books naira that people moved at a bank. The subject is the id of the new naira move. */
  | { readonly action: 'naira'; readonly subjectId: string; readonly detail: NairaFacts }
  /** Resumes the sends of a halted asset. Tokens that left without an order are booked as lost. */
  | {
      readonly action: 'resume';
      readonly subjectId: string;
      readonly detail: { readonly mode: Mode; readonly asset: string };
    }
  | { readonly action: 'release'; readonly subjectId: string; readonly detail: NoDetail }
  /** `loss`: the bank took back money whose value is lost. `dismiss`: the bank reported something that changes nothing. */
  | { readonly action: 'loss'; readonly subjectId: string; readonly detail: NoDetail }
  | { readonly action: 'dismiss'; readonly subjectId: string; readonly detail: NoDetail }
  /** Pays a returned payout or refund to the account that two people name. */
  | {
      readonly action: 'pay_again';
      readonly subjectId: string;
      readonly detail: { readonly account: AccountDestination };
    }
  /**
   * Records the outcome of a payout or a bank refund if its rail does not report it. `paid`: it was paid. `unpaid`: it was not
   * paid and never will be.
   */
  | { readonly action: 'paid' | 'unpaid'; readonly subjectId: string; readonly detail: NoDetail }
  /** The money of a case was recovered. It is in the bank account of ours that the detail names. */
  | { readonly action: 'recovered'; readonly subjectId: string; readonly detail: RecoveredDetail }
  /** The money of a case is lost. */
  | { readonly action: 'accepted'; readonly subjectId: string; readonly detail: NoDetail }
  /** A payout that was returned and then paid counts as the payout. An unmatched report counts as a credit. */
  | { readonly action: 'counted'; readonly subjectId: string; readonly detail: NoDetail }
  /** People know the explanation of a report or a difference, so nothing is booked. */
  | { readonly action: 'explained'; readonly subjectId: string; readonly detail: NoDetail }
  /** The same for the open cases about one statement file. The subject is the id of the file. */
  | { readonly action: 'explained_all'; readonly subjectId: string; readonly detail: ExplainedAllDetail };

export interface ExplainedAllDetail {
  readonly cases: number;
  /** The digest of the ids and amounts of these cases. */
  readonly digest: string;
}

export interface RecoveredDetail {
  /** Null: the account of the simulated bank, which has no number. */
  readonly into: { readonly bankCode: string; readonly accountNumber: string } | null;
}

export interface RefundDetail {
  /** Null: the refund goes to the payer that the bank named, or to the wallet that the business named. */
  readonly target: RefundTarget | null;
  /** The reason that the business sees. Only a refund for a transaction has one. */
  readonly publicReason?: PublicReason;
}

export interface WithdrawalDetail {
  readonly mode: Mode;
  readonly network: string;
  readonly address: string;
  readonly nairaMinor: bigint;
}

export interface FundingDetail {
  readonly mode: Mode;
  readonly asset: string;
  /** The amount in whole tokens, as exact decimal text. Both people see this text. */
  readonly amount: string;
}

export interface UnfundingDetail extends FundingDetail {
  readonly fundingId: string;
}

type NoDetail = Readonly<Record<never, never>>;

export interface ProposalDecision {
  /** The person who decided. For a withdrawn proposal, this is its author. */
  readonly decidedBy: string;
  readonly approved: boolean;
  readonly withdrawn: boolean;
  readonly reason: string;
  readonly atMs: number;
}

export interface Proposal {
  readonly id: string;
  readonly mode: Mode;
  readonly request: ReviewRequest;
  /**
   * The amount in kobo at the time of the proposal. For tokens, it is their value. If the amount changes, a new proposal is
   * needed.
   */
  readonly amountMinor: bigint;
  readonly proposedBy: string;
  readonly proposedAtMs: number;
  /** Null: no person has decided on the proposal yet. */
  readonly decision: ProposalDecision | null;
}

export interface ReviewRefusal {
  readonly code:
    | 'not_found'
    | 'invalid'
    | 'not_possible'
    | 'changed'
    | 'sign_in_needed'
    | 'not_a_person'
    | 'not_allowed'
    | 'same_person'
    | 'step_up_needed'
    | 'step_up_old'
    | 'step_up_used'
    | 'already_decided'
    /** Settlement is working on the record right now. The person can try again. */
    | 'busy';
  readonly message: string;
}

export function refuse(code: ReviewRefusal['code'], message: string) {
  return fail<ReviewRefusal>({ code, message });
}

export interface Decider {
  readonly actor: string;
  readonly atMs: number;
}

export interface Approver extends Decider {
  readonly stepUp: StepUp;
}

export interface Plan {
  readonly mode: Mode;
  readonly amountMinor: bigint;
  readonly change: Change;
}

export function attachDecision(
  change: Change,
  { id, proposedBy }: Proposal,
  by: Approver,
  reason: string,
): Change {
  const { transactions } = change;
  const signed = transactions?.map((move) => ({
    ...move,
    line: move.line && {
      ...move.line,
      evidence: { ...move.line.evidence, proposal: id, proposed_by: proposedBy },
    },
  }));
  return {
    ...change,
    ...(signed !== undefined && { transactions: signed }),
    decision: { proposalId: id, proposedBy, decidedBy: by.actor, approved: true, reason, stepUp: by.stepUp },
  };
}
