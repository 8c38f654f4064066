// How much a business may move before a person looks at it, or how much everyone may who has no limits of their own.
import type { GivenLimit } from '../../domain/back-office/setting.ts';
import { type LimitRule, limitFor } from '../../domain/catalogue/limits.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

/**
 * Limits left out keep their value; null takes one away. A business's first limits of its own begin as the default
 * ones: setting one must not lift the others unseen.
 */
export async function planLimit(
  { backOffice }: SettingDeps,
  { businessId, mode, ...changes }: GivenLimit,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const values = Object.values(changes);
  if (values.length === 0) return refuse('invalid', 'Give at least one limit, or none to take it away.');
  if (values.some((value) => value !== null && value <= 0n)) {
    return refuse('invalid', 'A limit must be above zero; none takes it away.');
  }
  const businesses = await backOffice.listBusinesses();
  if (businessId !== null && !businesses.some(({ id }) => id === businessId)) {
    return refuse('not_found', `There is no business ${businessId}.`);
  }
  const before = limitFor(await backOffice.listLimits(), { businessId, mode });
  const limit: LimitRule = { ...before, ...changes, businessId, mode };
  return ok({ mode, write: { setting: 'limit_set', limit } });
}
