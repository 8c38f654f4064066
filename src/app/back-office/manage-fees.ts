// Sets what buys and sells cost. A fee is never edited: a newer one takes over from its time on, and what was accepted
// before keeps the fee it was accepted with.
import { MAX_FEE_BPS } from '../../domain/catalogue/fees.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { StoredFee } from '../../ports/back-office.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

export async function setFee(
  deps: BackOfficeDeps,
  given: Omit<StoredFee, 'fromMs'> & {
    /** Null: from now on. */
    readonly fromMs: number | null;
  },
): Promise<Result<StoredFee, string>> {
  const { businessId, flatMinor, feeBps, capMinor } = given;
  if (flatMinor < 0n) return fail('The flat part must not be below zero.');
  if (!Number.isInteger(feeBps) || feeBps < 0 || feeBps > MAX_FEE_BPS) {
    return fail(`The fee must be a whole number of basis points from 0 to ${MAX_FEE_BPS}.`);
  }
  if (capMinor !== null && capMinor < flatMinor) return fail('The cap must not be below the flat part.');
  const now = deps.clock.now();
  // One dated back would stand behind those added since and never hold: said here, rather than charged wrong.
  if (given.fromMs !== null && given.fromMs < now) {
    return fail('A fee cannot begin in the past; leave the time out for now.');
  }
  const businesses = await deps.backOffice.listBusinesses();
  if (businessId !== null && !businesses.some(({ id }) => id === businessId)) {
    return fail(`There is no business ${businessId}.`);
  }
  const fee: StoredFee = { ...given, fromMs: given.fromMs ?? now };
  await deps.backOffice.addFee(fee, { actor: deps.actor, atMs: now });
  return ok(fee);
}
