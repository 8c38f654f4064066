// Lets the second of two people approve or decline a setting. The service checks an approval against the current records and
// writes it in one database transaction with the change. It refuses the approval if the setting has changed since the proposal.
import type { SettingProposal } from '../../domain/back-office/setting.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { SettingDecision, SettingWrite } from '../../ports/setting-store.ts';
import { refuseUnwrittenSetting } from './change-setting.ts';
import {
  checkDecision,
  type DecisionRequest,
  refuseByRule,
  refuseDecidedProposal,
  refuseSamePerson,
  refuseWithoutStepUp,
} from './check-decision.ts';
import { planSetting } from './plan-setting.ts';
import type { SettingDeps } from './setting-deps.ts';

export async function decideSetting(
  deps: SettingDeps,
  request: DecisionRequest,
): Promise<Result<SettingProposal, ReviewRefusal>> {
  const reason = checkDecision(request);
  if (!reason.ok) return reason;
  const { proposalId, actor, approve } = request;
  const proposal = await deps.settingDesk.findProposal(proposalId);
  if (proposal === undefined) return refuse('not_found', `There is no proposal ${proposalId}.`);
  if (proposal.decision !== null) return refuseDecidedProposal(proposal);
  if (proposal.proposedBy === actor) return refuseSamePerson(proposal);
  if (approve && request.stepUp === null) return refuseWithoutStepUp();
  const decision: SettingDecision = {
    decidedBy: actor,
    approved: approve,
    reason: reason.value,
    atMs: deps.clock.now(),
    stepUp: approve ? request.stepUp : null,
  };
  if (!approve) return writeDecision(deps, proposal, decision, null);
  const planned = await planSetting(deps, proposal.request);
  if (planned.ok) return writeDecision(deps, proposal, decision, planned.value.write);
  return (await refuseIfDecided(deps, proposalId)) ?? planned;
}

/**
 * If another person decided the proposal first, the caller learns that decision, even if there are other reasons to refuse this
 * one.
 */
async function refuseIfDecided({ settingDesk }: SettingDeps, proposalId: string) {
  const now = await settingDesk.findProposal(proposalId);
  return now === undefined || now.decision === null ? undefined : refuseDecidedProposal(now);
}

async function writeDecision(
  deps: SettingDeps,
  proposal: SettingProposal,
  decision: SettingDecision,
  write: SettingWrite | null,
): Promise<Result<SettingProposal, ReviewRefusal>> {
  const outcome = await deps.settingDesk.decide(proposal, decision, write);
  if (outcome.kind === 'decided') {
    const { stepUp: _, ...facts } = decision;
    return ok({ ...proposal, decision: { ...facts, withdrawn: false } });
  }
  const faster = await refuseIfDecided(deps, proposal.id);
  if (faster !== undefined) return faster;
  if (outcome.kind === 'refused') return refuseByRule(outcome, proposal);
  if (outcome.kind === 'not_possible') return refuseUnwrittenSetting(outcome.why);
  return refuse(
    'changed',
    'The setting has changed since the proposal. Decline the proposal and make a new one.',
  );
}
