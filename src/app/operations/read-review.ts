// Reads a record in review or a proposal, with everything that the page of a reviewer shows about it.
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

export interface ShownProposal {
  readonly found: AnyProposal;
  readonly what: string;
  readonly proposedByName: string;
  /** Null while the proposal is open. */
  readonly decidedByName: string | null;
  /** The reason why the proposal cannot be approved now. Null if it can be approved, or if it is already decided. */
  readonly obstacle: string | null;
  /** The preview of an open proposal that can still be carried out. Null for any other proposal. */
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
 * The review of one record as a reviewer sees it: the record with its related records, the buys that a credit may pay, the
 * possible actions, and the waiting proposals with their postings.
 */
export interface RecordReview {
  readonly found: RecordWithRelated;
  /** The buys that a bank credit may pay, the best candidate first. */
  readonly candidates: readonly ComparedClaim[];
  readonly actions: readonly PossibleAction[];
  readonly proposals: readonly ShownProposal[];
}

/** Returns undefined if no record has this id. `compareWith` is a transaction that the reviewer also wants to compare. */
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
