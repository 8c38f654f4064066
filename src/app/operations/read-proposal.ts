// One proposal as the second person sees it: who proposed what, whether it could be approved now, and what that would post.
import {
  type AnyProposal,
  describeProposal,
  findProposal,
  type ProposalDeps,
} from '../review/decide-proposal.ts';
import { obstacleTo } from '../review/list-proposals.ts';
import { type Preview, previewReview } from './preview-review.ts';

export interface ShownProposal {
  readonly found: AnyProposal;
  readonly what: string;
  readonly proposedByName: string;
  /** Null while it is open. */
  readonly decidedByName: string | null;
  /** Why it could not be approved now; null: it could, or it is decided. */
  readonly obstacle: string | null;
  /** Of an open review that can still be carried out. */
  readonly preview: Preview | null;
}

export async function readProposal(deps: ProposalDeps, id: string): Promise<ShownProposal | undefined> {
  const found = await findProposal(deps, id);
  return found && showProposal(deps, found);
}

export async function showProposal(deps: ProposalDeps, found: AnyProposal): Promise<ShownProposal> {
  const { proposedBy, decision } = found.proposal;
  const people = decision === null ? [proposedBy] : [proposedBy, decision.decidedBy];
  const names = await deps.proposalDesk.namesOf(people);
  const nameOf = (person: string) => names.get(person) ?? person;
  return {
    found,
    what: describeProposal(found),
    proposedByName: nameOf(proposedBy),
    decidedByName: decision === null ? null : nameOf(decision.decidedBy),
    ...(decision === null ? await judged(deps, found) : { obstacle: null, preview: null }),
  };
}

async function judged(
  deps: ProposalDeps,
  found: AnyProposal,
): Promise<Pick<ShownProposal, 'obstacle' | 'preview'>> {
  const obstacle = await obstacleTo(deps, found);
  if (found.kind === 'setting') return { obstacle, preview: null };
  const { request, proposedBy } = found.proposal;
  const preview = await previewReview(deps, request, proposedBy);
  return { obstacle, preview: preview.ok ? preview.value : null };
}
