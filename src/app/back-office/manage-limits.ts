// Sets how much a business may move before a person looks at it, or how much everyone may who has no limits of their
// own.
import { type Limit, type LimitRule, limitFor } from '../../domain/catalogue/limits.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

/**
 * Limits left out keep their value; null takes one away. A business's first limits of its own begin as the default
 * ones: setting one must not lift the others unseen.
 */
export async function setLimit(
  deps: BackOfficeDeps,
  given: { readonly businessId: string | null; readonly mode: Mode } & Partial<Limit>,
): Promise<Result<LimitRule, string>> {
  const { businessId, mode, ...changes } = given;
  const values = Object.values(changes);
  if (values.length === 0) return fail('Give at least one limit, or none to take it away.');
  if (values.some((value) => value !== null && value <= 0n)) {
    return fail('A limit must be above zero; none takes it away.');
  }
  const businesses = await deps.backOffice.listBusinesses();
  if (businessId !== null && !businesses.some(({ id }) => id === businessId)) {
    return fail(`There is no business ${businessId}.`);
  }
  const stored = await deps.backOffice.listLimits();
  const before = limitFor(stored, { businessId, mode });
  const limit: LimitRule = { ...before, ...changes, businessId, mode };
  await deps.backOffice.saveLimit(limit, { actor: deps.actor, atMs: deps.clock.now() });
  return ok(limit);
}
