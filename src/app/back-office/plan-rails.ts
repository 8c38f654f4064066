// Plans the settings of rails. A running process must have the rail, and the bank directory must contain the banks.
import type { RouteInput, SettingRequest } from '../../domain/back-office/setting.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { checkReason } from './check-decision.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

type RailSettingRequest<Name> = Extract<SettingRequest, { readonly setting: Name }>;
type SettingPlanResult = Promise<Result<PlannedSetting, ReviewRefusal>>;

export async function planRailPause(
  deps: SettingDeps,
  request: RailSettingRequest<'rail_paused' | 'rail_resumed'>,
): SettingPlanResult {
  const { mode, rail, setting } = request;
  const reason = checkReason(request.reason);
  if (!reason.ok) return reason;
  const unknown = await refuseUnknownRail(deps, mode, rail);
  if (unknown !== null) return unknown;
  const pauses = (await deps.railDesk.settings()).pauses.filter(
    (each) => each.mode === mode && each.rail === rail,
  );
  if (setting === 'rail_resumed' && pauses.length === 0)
    return refuse('not_possible', `The ${mode} rail ${rail} is not paused.`);
  if (setting === 'rail_paused' && pauses.some(({ byHealth }) => !byHealth))
    return refuse('not_possible', `The ${mode} rail ${rail} is already paused by a person.`);
  return ok({ mode, write: { ...request, reason: reason.value } });
}

export async function planRailTrust(
  deps: SettingDeps,
  request: RailSettingRequest<'rail_trusted'>,
): SettingPlanResult {
  const { mode, rail } = request;
  const reason = checkReason(request.reason);
  if (!reason.ok) return reason;
  const unknown = await refuseUnknownRail(deps, mode, rail);
  if (unknown !== null) return unknown;
  const { doubts } = await deps.railDesk.settings();
  if (!doubts.some((each) => each.mode === mode && each.rail === rail))
    return refuse('not_possible', `The refusals of the ${mode} rail ${rail} are already trusted.`);
  return ok({ mode, write: { ...request, reason: reason.value } });
}

export async function planRoute(
  deps: SettingDeps,
  request: RailSettingRequest<'rail_route_set'>,
): SettingPlanResult {
  const { mode, route } = request;
  const wrong = findRouteProblem(route);
  if (wrong !== null) return refuse('invalid', wrong);
  const strange = route.bankCodes?.find((name) => deps.banks.resolve(name) === undefined);
  if (strange !== undefined)
    return refuse('invalid', `There is no bank ${strange}. To find its code: bin/sliproad banks search NAME`);
  const unknown = await refuseUnknownRail(deps, mode, route.rail);
  if (unknown !== null) return unknown;
  if (route.id !== null && !(await hasRoute(deps, mode, route.id))) return refuseUnknownRoute(mode, route.id);
  const codes = route.bankCodes?.map((name) => deps.banks.resolve(name)!.code);
  const bankCodes = codes === undefined ? null : [...new Set(codes)].sort();
  return ok({ mode, write: { ...request, route: { ...route, bankCodes } } });
}

export async function planRouteRemoval(
  deps: SettingDeps,
  request: RailSettingRequest<'rail_route_removed'>,
): SettingPlanResult {
  const { mode, routeId } = request;
  return (await hasRoute(deps, mode, routeId))
    ? ok({ mode, write: request })
    : refuseUnknownRoute(mode, routeId);
}

export async function planRailCap(
  deps: SettingDeps,
  request: RailSettingRequest<'rail_cap_set'>,
): SettingPlanResult {
  const { mode, rail, perDayMinor } = request;
  if (perDayMinor !== null && perDayMinor <= 0n)
    return refuse('invalid', 'The cap must be above zero; "none" removes it.');
  const unknown = await refuseUnknownRail(deps, mode, rail);
  if (unknown !== null) return unknown;
  const { caps } = await deps.railDesk.settings();
  if (perDayMinor === null && !caps.some((cap) => cap.mode === mode && cap.rail === rail))
    return refuse('not_possible', `The ${mode} rail ${rail} has no cap.`);
  return ok({ mode, write: request });
}

function findRouteProblem(route: RouteInput): string | null {
  const { priority, weight, minMinor, maxMinor, bankCodes, costMinor } = route;
  if (!isIntegerBetween(priority, 1, 999)) return 'The priority must be a whole number from 1 to 999.';
  if (!isIntegerBetween(weight, 0, 1000)) return 'The weight must be a whole number from 0 to 1000.';
  if ([minMinor, maxMinor].some((bound) => bound !== null && bound <= 0n))
    return 'The amount bounds must be above zero. Omit a bound for no limit.';
  if (minMinor !== null && maxMinor !== null && minMinor > maxMinor)
    return 'The lower amount bound is above the upper one.';
  if (costMinor !== null && costMinor < 0n) return 'The cost must not be negative.';
  return bankCodes?.length === 0 ? 'Name at least one bank, or omit the banks for all.' : null;
}

function isIntegerBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

async function refuseUnknownRail({ railDesk }: SettingDeps, mode: Mode, rail: string) {
  const names = (await railDesk.list()).flatMap((each) => (each.mode === mode ? [each.rail] : []));
  if (names.includes(rail)) return null;
  const known = names.length === 0 ? 'No payout rail is known' : `Known: ${names.join(', ')}`;
  return refuse('not_found', `There is no ${mode} rail ${rail}. ${known}.`);
}

async function hasRoute({ railDesk }: SettingDeps, mode: Mode, id: number): Promise<boolean> {
  return (await railDesk.settings()).routes.some((route) => route.mode === mode && route.id === id);
}

function refuseUnknownRoute(mode: Mode, id: number) {
  return refuse(
    'not_found',
    `There is no ${mode} route ${id}. To list them: bin/sliproad rails routes --mode ${mode}`,
  );
}
