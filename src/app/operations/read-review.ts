// A record in review and a proposal, with everything that a page of reviewers shows about them.
import type { BankCredit } from '../../domain/records/credit.ts';
import {
  type AnyProposal,
  describeProposal,
  findProposal,
  type ProposalDeps,
} from '../review/decide-proposal.ts';
import { findApprovalObstacle } from '../review/list-proposals.ts';
import { type RecordWithRelated, readRecord } from '../review/read-record.ts';
import { type CompareCandidatesDeps, type ComparedClaim, compareCandidates } from './compare-candidates.ts';
import { listPossibleActions, type PossibleAction } from './list-possible-actions.ts';
import { previewReview, type ReviewPreview } from './preview-review.ts';

/** One proposal for the second person: its author and content, whether it can be approved now, and its postings. */
export interface ShownProposal {
  readonly found: AnyProposal;
  readonly what: string;
  readonly proposedByName: string;
  /** Null while the proposal is open. */
  readonly decidedByName: string | null;
  /** The reason why the proposal cannot be approved now; null if there is none, or if it is already decided. */
  readonly obstacle: string | null;
  /** The preview of an open review proposal that can still be carried out. */
  readonly preview: ReviewPreview | null;
}

export async function readProposal(deps: ProposalDeps, id: string): Promise<ShownProposal | undefined> {
  const found = await findProposal(deps, id);
  return found && showProposal(deps, found);
}

async function showProposal(deps: ProposalDeps, found: AnyProposal): Promise<ShownProposal> {
  const { proposedBy, decision } = found.proposal;
  const people = decision === null ? [proposedBy] : [proposedBy, decision.decidedBy];
  const names = await deps.proposalDesk.namesOf(people);
  const nameOf = (person: string) => names.get(person) ?? person;
  return {
    found,
    what: describeProposal(found),
    proposedByName: nameOf(proposedBy),
    decidedByName: decision === null ? null : nameOf(decision.decidedBy),
    ...(decision === null ? await judgeOpenProposal(deps, found) : { obstacle: null, preview: null }),
  };
}

async function judgeOpenProposal(
  deps: ProposalDeps,
  found: AnyProposal,
): Promise<Pick<ShownProposal, 'obstacle' | 'preview'>> {
  const obstacle = await findApprovalObstacle(deps, found);
  if (found.kind === 'setting') return { obstacle, preview: null };
  const { request, proposedBy } = found.proposal;
  const preview = await previewReview(deps, request, proposedBy);
  return { obstacle, preview: preview.ok ? preview.value : null };
}

/**
 * The review of one record, for the page of a reviewer: the record with its related records, the buys that a credit may pay, the
 * possible actions, and the waiting proposals, each with its postings.
 */
export interface RecordReview {
  readonly found: RecordWithRelated;
  /** The candidates of a bank credit, best first. */
  readonly candidates: readonly ComparedClaim[];
  readonly actions: readonly PossibleAction[];
  /** The open proposals. */
  readonly proposals: readonly ShownProposal[];
}

/** Undefined if no record has this id. `compareWith`: a transaction that the reviewer also wants to compare. */
export async function readReview(
  deps: ProposalDeps & CompareCandidatesDeps,
  asked: { readonly id: string; readonly actor: string; readonly compareWith: string | null },
): Promise<RecordReview | undefined> {
  const { id, actor, compareWith } = asked;
  const found = await readRecord(deps, id);
  if (found === undefined) return undefined;
  const proposals: ShownProposal[] = [];
  for (const proposal of found.proposals)
    proposals.push(await showProposal(deps, { kind: 'review', proposal }));
  return {
    found,
    candidates: id.startsWith('crd_')
      ? await compareCandidates(deps, found.record as BankCredit, actor, compareWith)
      : [],
    actions: await listPossibleActions(deps, found.record as { readonly id: string }, actor),
    proposals,
  };
}
