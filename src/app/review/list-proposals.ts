// Lists the proposals of both kinds that wait for a second person, oldest first. Each has the name of its author and says
// whether it can still be approved.
import { isUnchangedSinceProposal } from '../../domain/back-office/setting.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { planSetting } from '../back-office/plan-setting.ts';
import type { AnyProposal, ProposalDeps } from './decide-proposal.ts';
import { planReview } from './plan-review.ts';

export type OpenProposal = AnyProposal & {
  /** The name of the author, or the author's id if the database has no name. */
  readonly proposedByName: string;
  /** The reason why the proposal cannot be approved now. Null if it can be approved. */
  readonly obstacle: string | null;
};

const CHANGED_OBSTACLE = 'The record has changed since the proposal.';

export async function listProposals(deps: ProposalDeps, mode?: Mode): Promise<readonly OpenProposal[]> {
  const found: AnyProposal[] = [
    ...(await deps.reviewDesk.listOpenProposals(mode)).map((proposal) => ({
      ...({ kind: 'review', proposal } as const),
    })),
    ...(await deps.settingDesk.listOpenProposals(mode)).map((proposal) => ({
      ...({ kind: 'setting', proposal } as const),
    })),
  ];
  const names = await deps.proposalDesk.namesOf(found.map(({ proposal }) => proposal.proposedBy));
  const listed: OpenProposal[] = [];
  for (const each of found.sort((a, b) => (a.proposal.id < b.proposal.id ? -1 : 1))) {
    const { proposedBy } = each.proposal;
    const proposedByName = names.get(proposedBy) ?? proposedBy;
    listed.push({ ...each, proposedByName, obstacle: await findApprovalObstacle(deps, each) });
  }
  return listed;
}

export async function findApprovalObstacle(
  deps: ProposalDeps,
  { kind, proposal }: AnyProposal,
): Promise<string | null> {
  if (kind === 'setting') {
    const planned = await planSetting(deps, proposal.request);
    if (!planned.ok) return planned.error.message;
    const { request, before } = proposal;
    return isUnchangedSinceProposal(request, before, await deps.settingDesk.before(request))
      ? null
      : CHANGED_OBSTACLE;
  }
  const by = { actor: proposal.proposedBy, atMs: deps.clock.now() };
  const planned = await planReview(deps, proposal.request, by);
  if (!planned.ok) return planned.error.message;
  return planned.value.amountMinor === proposal.amountMinor ? null : CHANGED_OBSTACLE;
}
