// The author of a proposal takes it back. It was not decided, so nothing changes.

import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { alreadyDecided } from '../back-office/check-decision.ts';
import { checkPerson, checkReason } from '../back-office/person.ts';
import { type AnyProposal, findProposal, type ProposalDeps } from './decide-proposal.ts';

export async function withdrawProposal(
  deps: ProposalDeps,
  given: { readonly proposalId: string; readonly actor: string; readonly reason: string },
): Promise<Result<AnyProposal, ReviewRefusal>> {
  const { proposalId: id, actor } = given;
  const person = checkPerson(actor);
  if (!person.ok) return person;
  const reason = checkReason(given.reason);
  if (!reason.ok) return reason;
  const found = await findProposal(deps, id);
  if (found === undefined) return refuse('not_found', `There is no proposal ${id}.`);
  const { proposedBy, decision } = found.proposal;
  if (decision !== null) return alreadyDecided(found.proposal);
  if (proposedBy !== actor)
    return refuse('not_possible', `${id} was proposed by ${proposedBy}: decline it instead.`);
  if (await deps.proposalDesk.withdraw(id, actor, reason.value, deps.clock.now())) return ok(found);
  return alreadyDecided((await findProposal(deps, id))!.proposal);
}
