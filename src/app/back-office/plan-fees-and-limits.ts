// Plans a change of a business's fee or limits. The result is what the change would write, or why the service refuses it.
import type { FeeInput, LimitInput } from '../../domain/back-office/setting.ts';
import { MAX_FEE_BPS } from '../../domain/catalogue/fees.ts';
import { type LimitRule, limitFor } from '../../domain/catalogue/limits.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

/**
 * Plans the fees of buys and sells. No person edits a fee: a newer fee applies from its start time on, and transactions that
 * were accepted earlier keep their fee.
 */
export async function planFee(
  deps: SettingDeps,
  given: FeeInput,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { businessId, flatMinor, feeBps, capMinor, mode } = given;
  if (flatMinor < 0n) return refuse('invalid', 'The flat fee must not be negative.');
  if (!Number.isInteger(feeBps) || feeBps < 0 || feeBps > MAX_FEE_BPS) {
    return refuse('invalid', `The fee must be a whole number of basis points from 0 to ${MAX_FEE_BPS}.`);
  }
  if (capMinor !== null && capMinor < flatMinor)
    return refuse('invalid', 'The cap must not be below the flat fee.');
  const now = deps.clock.now();
  // A fee that starts in the past would rank below fees that were added later, and would never apply. The service refuses such
  // a fee, so that it charges no wrong fee.
  if (given.fromMs !== null && given.fromMs < now) {
    return refuse('invalid', 'A fee cannot start in the past. Omit the time to start now.');
  }
  const businesses = await deps.backOffice.listBusinesses();
  if (businessId !== null && !businesses.some(({ id }) => id === businessId)) {
    return refuse('not_found', `There is no business ${businessId}.`);
  }
  return ok({ mode, write: { setting: 'fee_set', fee: { ...given, fromMs: given.fromMs ?? now } } });
}

// Plans the amounts that a business may move before a person reviews its transactions. Without a business, these are the limits
// of all businesses that have none of their own.

/**
 * An omitted limit keeps its value, and null removes a limit. The first limits of a business start with the default limits, so
 * that setting one limit does not silently remove the others.
 */
export async function planLimit(
  { backOffice }: SettingDeps,
  { businessId, mode, ...changes }: LimitInput,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const values = Object.values(changes);
  if (values.length === 0) return refuse('invalid', 'Set at least one limit, or "none" to remove one.');
  if (values.some((value) => value !== null && value <= 0n)) {
    return refuse('invalid', 'A limit must be above zero; "none" removes it.');
  }
  const businesses = await backOffice.listBusinesses();
  if (businessId !== null && !businesses.some(({ id }) => id === businessId)) {
    return refuse('not_found', `There is no business ${businessId}.`);
  }
  const before = limitFor(await backOffice.listLimits(), { businessId, mode });
  const limit: LimitRule = { ...before, ...changes, businessId, mode };
  return ok({ mode, write: { setting: 'limit_set', limit } });
}
