// Returns what a change of a setting would write now, or why the service refuses it. Direct changes, proposals and approvals
// all use this function, so the same rules apply to a proposal and to its approval.
import type { SettingRequest } from '../../domain/back-office/setting.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { isPlainText } from '../input/field-rules.ts';
import { checkReason } from './check-decision.ts';
import { planNewVendor, planVendorChange, planVendorSource } from './manage-vendors.ts';
import { planFee, planLimit } from './plan-fees-and-limits.ts';
import { planRailCap, planRailPause, planRailTrust, planRoute, planRouteRemoval } from './plan-rails.ts';
import { planRates, planRatesWithdrawal } from './plan-rates.ts';
import { planSpread, planTier } from './plan-spread.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

export async function planSetting(
  deps: SettingDeps,
  request: SettingRequest,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  switch (request.setting) {
    case 'vendor_added':
      return planNewVendor(deps, request.vendor);
    case 'vendor_renamed':
    case 'vendor_enabled':
    case 'vendor_disabled':
      return planVendorChange(deps, request);
    case 'vendor_source_set':
      return planVendorSource(deps, request);
    case 'fee_set':
      return planFee(deps, request.fee);
    case 'limit_set':
      return planLimit(deps, request.limit);
    case 'wallet_set':
      return planDefaultWallet(deps, request);
    case 'business_frozen':
      return planFreeze(deps, request);
    case 'freeze_lifted':
      return planFreezeLift(deps, request);
    case 'claim_limit_lifted':
      return planClaimLimitLift(deps, request);
    case 'movements_paused':
    case 'movements_resumed':
      return planMovementsPause(deps, request);
    case 'signing_resumed':
      return ok({ mode: request.mode, write: request });
    case 'network_forgotten':
      if (request.identity === SIMULATED)
        return refuse(
          'not_possible',
          `${request.network} was simulated in this database: use a new database.`,
        );
      return ok({ mode: request.mode, write: request });
    case 'rates_set':
      return planRates(deps, request);
    case 'rates_withdrawn':
      return planRatesWithdrawal(deps, request);
    case 'spread_set':
      return planSpread(deps, request);
    case 'tier_set':
      return planTier(deps, request);
    case 'rail_paused':
    case 'rail_resumed':
      return planRailPause(deps, request);
    case 'rail_trusted':
      return planRailTrust(deps, request);
    case 'rail_route_set':
      return planRoute(deps, request);
    case 'rail_route_removed':
      return planRouteRemoval(deps, request);
    case 'rail_cap_set':
      return planRailCap(deps, request);
    case 'statement_profile_confirmed':
    case 'person_erased':
      return ok({ mode: request.mode, write: request });
  }
}

const SIMULATED = 'simulated';

type SettingRequestOf<Name> = Extract<SettingRequest, { readonly setting: Name }>;

/** The service checked the address when the person requested the change (checkDefaultWallet). */
async function planDefaultWallet(
  { backOffice }: SettingDeps,
  request: SettingRequestOf<'wallet_set'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  if (!(await backOffice.listBusinesses()).some(({ id }) => id === request.businessId))
    return refuse('not_found', `There is no business ${request.businessId}.`);
  return ok({ mode: request.mode, write: request });
}

async function planFreeze(
  { backOffice }: SettingDeps,
  { businessId, mode, reason: given }: SettingRequestOf<'business_frozen' | 'freeze_lifted'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const reason = checkReason(given);
  if (!reason.ok) return reason;
  if (!(await backOffice.listBusinesses()).some(({ id }) => id === businessId))
    return refuse('not_found', `There is no business ${businessId}.`);
  const freezes = await backOffice.listFreezes();
  if (freezes.some((each) => each.businessId === businessId && each.mode === mode))
    return refuse('not_possible', `${businessId} is already frozen in ${mode} mode.`);
  return ok({ mode, write: { setting: 'business_frozen', businessId, mode, reason: reason.value } });
}

async function planFreezeLift(
  { backOffice }: SettingDeps,
  request: SettingRequestOf<'business_frozen' | 'freeze_lifted'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { businessId, mode } = request;
  const reason = checkReason(request.reason);
  if (!reason.ok) return reason;
  const freezes = await backOffice.listFreezes();
  if (!freezes.some((each) => each.businessId === businessId && each.mode === mode))
    return refuse('not_possible', `${businessId} is not frozen in ${mode} mode.`);
  return ok({ mode, write: { ...request, reason: reason.value } });
}

/**
 * Plans to lift the limit on unpaid buys of a business. After the change, unpaid buys that have already expired no longer
 * count.
 */
async function planClaimLimitLift(
  { backOffice }: SettingDeps,
  request: SettingRequestOf<'claim_limit_lifted'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { businessId, mode } = request;
  const reason = checkReason(request.reason);
  if (!reason.ok) return reason;
  if (!(await backOffice.listBusinesses()).some(({ id }) => id === businessId))
    return refuse('not_found', `There is no business ${businessId}.`);
  return ok({ mode, write: { ...request, reason: reason.value } });
}

/** The pause applies to the movements of both modes, so the rules for live settings apply. */
async function planMovementsPause(
  { backOffice }: SettingDeps,
  request: SettingRequestOf<'movements_paused' | 'movements_resumed'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const reason = request.reason.trim();
  if (!isPlainText(reason)) return refuse('invalid', 'The reason must be one line of plain text.');
  if (request.setting === 'movements_resumed' && !(await backOffice.movementsPaused()))
    return refuse('not_possible', 'Money movements are not paused.');
  return ok({ mode: 'live', write: { ...request, reason } });
}
