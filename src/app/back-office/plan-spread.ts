// Plans the spread of a product and the tier of a business. A spread may apply to only one tier. No person edits a spread: a
// newer one applies from its start time on. A spread of zero is valid; if there is no spread, the service quotes no rate.
import type { SettingRequest } from '../../domain/back-office/setting.ts';
import { CURRENCIES, MAX_SPREAD_BPS } from '../../domain/rates/rates.ts';
import { TIER_NAME } from '../../domain/rates/spread.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

type SpreadSettingRequest<Name> = Extract<SettingRequest, { readonly setting: Name }>;

export async function planSpread(
  { rateStore }: SettingDeps,
  { mode, product, currency, tier, spreadBps }: SpreadSettingRequest<'spread_set'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  if (!Number.isInteger(spreadBps) || spreadBps < 0 || spreadBps > MAX_SPREAD_BPS)
    return refuse(
      'invalid',
      `The spread must be a whole number of basis points from 0 to ${MAX_SPREAD_BPS}.`,
    );
  if (currency !== null && !CURRENCIES.includes(currency))
    return refuse('invalid', `${currency} is not one of ${CURRENCIES.join(', ')}.`);
  if (tier !== null && !TIER_NAME.test(tier)) return refuseInvalidTier(tier);
  const same = (await rateStore.listSpreads(mode)).findLast(
    (rule) => rule.product === product && rule.currency === currency && rule.tier === tier,
  );
  if (same?.spreadBps === spreadBps) return refuse('not_possible', `The spread is already ${spreadBps} bps.`);
  return ok({ mode, write: { setting: 'spread_set', spread: { mode, product, currency, tier, spreadBps } } });
}

/** A tier applies in both modes, so the rules for live settings apply. */
export async function planTier(
  { backOffice }: SettingDeps,
  request: SpreadSettingRequest<'tier_set'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { businessId, tier } = request;
  if (!TIER_NAME.test(tier)) return refuseInvalidTier(tier);
  const business = (await backOffice.listBusinesses()).find(({ id }) => id === businessId);
  if (business === undefined) return refuse('not_found', `There is no business ${businessId}.`);
  if (business.tier === tier) return refuse('not_possible', `${businessId} is already in the tier ${tier}.`);
  return ok({ mode: 'live', write: request });
}

function refuseInvalidTier(tier: string) {
  return refuse(
    'invalid',
    `The tier "${tier}" must have 1 to 32 characters of a-z, 0-9, hyphen and underscore, and start with a letter.`,
  );
}
