// Lets the first of two people propose the new value of a setting. The setting does not change yet. If the change is not
// allowed now, the service refuses the proposal at once.
import {
  type SettingProposal,
  type SettingRequest,
  settingSubject,
} from '../../domain/back-office/setting.ts';
import { needsTwoPeople } from '../../domain/people/people-needed.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { AuditStamp } from '../../ports/back-office.ts';
import { checkPerson } from './check-decision.ts';
import { planSetting } from './plan-setting.ts';
import type { SettingDeps } from './setting-deps.ts';

export async function proposeSetting(
  deps: SettingDeps,
  request: SettingRequest,
  { actor }: Pick<AuditStamp, 'actor'>,
): Promise<Result<SettingProposal, ReviewRefusal>> {
  const planned = await planSetting(deps, request);
  if (!planned.ok) return planned;
  const { mode, whyTwo: why = null } = planned.value;
  if (why === null && !needsTwoPeople(request.setting, mode))
    return refuse('not_possible', 'One person is enough for this change: make it without a proposal.');
  return proposePlannedSetting(deps, { request, mode, why, actor });
}

export async function proposePlannedSetting(
  deps: SettingDeps,
  asked: Pick<SettingProposal, 'request' | 'mode' | 'why'> & { readonly actor: string },
): Promise<Result<SettingProposal, ReviewRefusal>> {
  const { request, mode, why, actor } = asked;
  const person = checkPerson(actor);
  if (!person.ok)
    return why === null
      ? person
      : refuse(person.error.code, `This needs two people: ${why} ${person.error.message}`);
  const before = await deps.settingDesk.before(request);
  // If the same person sends the same proposal twice, the service returns the first one.
  const others = await deps.settingDesk.proposalsOn(settingSubject(request));
  const same = others.find(
    (each) =>
      each.decision === null &&
      each.proposedBy === actor &&
      each.before === before &&
      serialiseRequest(each.request) === serialiseRequest(request),
  );
  if (same !== undefined) return ok(same);
  const atMs = deps.clock.now();
  const proposal: SettingProposal = {
    id: makeId('prp', atMs, deps.entropy.bytes(ID_RANDOM_BYTES)),
    mode,
    request,
    before,
    why,
    proposedBy: actor,
    proposedAtMs: atMs,
    decision: null,
  };
  await deps.settingDesk.addProposal(proposal);
  return ok(proposal);
}

/** The fields are sorted by name, so that equal requests give the same text. */
function serialiseRequest(request: SettingRequest): string {
  return JSON.stringify(request, (_, value) => {
    if (typeof value === 'bigint') return value.toString();
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
