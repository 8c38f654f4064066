// What buys and sells cost. A fee is never edited: a newer one takes over from its time on, and what was accepted before
// keeps the fee it was accepted with.
import type { GivenFee } from '../../domain/back-office/setting.ts';
import { MAX_FEE_BPS } from '../../domain/catalogue/fees.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

export async function planFee(
  deps: SettingDeps,
  given: GivenFee,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { businessId, flatMinor, feeBps, capMinor, mode } = given;
  if (flatMinor < 0n) return refuse('invalid', 'The flat part must not be below zero.');
  if (!Number.isInteger(feeBps) || feeBps < 0 || feeBps > MAX_FEE_BPS) {
    return refuse('invalid', `The fee must be a whole number of basis points from 0 to ${MAX_FEE_BPS}.`);
  }
  if (capMinor !== null && capMinor < flatMinor)
    return refuse('invalid', 'The cap must not be below the flat part.');
  const now = deps.clock.now();
  // One dated back would stand behind those added since and never hold: said here, rather than charged wrong.
  if (given.fromMs !== null && given.fromMs < now) {
    return refuse('invalid', 'A fee cannot begin in the past; leave the time out for now.');
  }
  const businesses = await deps.backOffice.listBusinesses();
  if (businessId !== null && !businesses.some(({ id }) => id === businessId)) {
    return refuse('not_found', `There is no business ${businessId}.`);
  }
  return ok({ mode, write: { setting: 'fee_set', fee: { ...given, fromMs: given.fromMs ?? now } } });
}
