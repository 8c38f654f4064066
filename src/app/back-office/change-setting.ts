// Changes a setting, or proposes the change if it needs two people (domain/people/people-needed.ts). There is no other way to
// change a setting. In decide-setting.ts, a change that needs two people is written together with the second person's decision.
import type { SettingProposal, SettingRequest } from '../../domain/back-office/setting.ts';
import { isJudgedEachTime, needsTwoPeople } from '../../domain/people/people-needed.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { AuditStamp } from '../../ports/back-office.ts';
import type { SettingWrite, WriteOutcome } from '../../ports/setting-store.ts';
import { planSetting } from './plan-setting.ts';
import { proposePlannedSetting } from './propose-setting.ts';
import type { SettingDeps } from './setting-deps.ts';

export type SettingOutcome =
  | { readonly kind: 'done'; readonly write: SettingWrite }
  | { readonly kind: 'proposed'; readonly proposal: SettingProposal };

export async function changeSetting(
  deps: SettingDeps,
  request: SettingRequest,
  { actor }: Pick<AuditStamp, 'actor'>,
): Promise<Result<SettingOutcome, ReviewRefusal>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // The service reads the old value before it decides. If the setting changes after this read, the service does not write the
    // decision.
    const before = isJudgedEachTime(request.setting) ? await deps.settingDesk.before(request) : undefined;
    const planned = await planSetting(deps, request);
    if (!planned.ok) return planned;
    const { mode, write, whyTwo: why = null } = planned.value;
    if (why !== null || needsTwoPeople(request.setting, mode)) {
      const proposed = await proposePlannedSetting(deps, { request, mode, why, actor });
      return proposed.ok ? ok({ kind: 'proposed', proposal: proposed.value }) : proposed;
    }
    const doing = { actor, atMs: deps.clock.now() };
    const judged = before === undefined ? undefined : { request, before };
    const outcome = await deps.settingDesk.apply(write, doing, judged);
    if (outcome === 'done') return ok({ kind: 'done', write });
    if (outcome !== 'changed') return refuseUnwrittenSetting(outcome);
  }
  return refuse('busy', 'Other people are changing the same setting. Try again.');
}

const MAX_ATTEMPTS = 5;

export function refuseUnwrittenSetting(why: Exclude<WriteOutcome, 'done'>) {
  return refuse(
    'not_possible',
    why === 'account_taken'
      ? 'Another active vendor of this mode has this account.'
      : 'There is nothing left to change. Check the current setting.',
  );
}
