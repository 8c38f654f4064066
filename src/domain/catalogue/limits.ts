// How much a business may move before a person looks at it: in one transaction, in a day and in a month of the Lagos
// calendar. Being over a limit holds a transaction; it never refuses one.
import type { Mode } from '../values/mode.ts';

/** A limit rule. Null: no limit of that kind. */
export interface Limit {
  readonly perTransactionMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  readonly perMonthMinor: bigint | null;
}

export interface LimitRule extends Limit {
  /** The business; null: every business without a rule of its own. */
  readonly businessId: string | null;
  readonly mode: Mode;
}

const NO_LIMIT: Limit = { perTransactionMinor: null, perDayMinor: null, perMonthMinor: null };

/**
 * A business's own rule replaces the default whole: what is null in it is not limited. Without a business, the default.
 */
export function limitFor(
  rules: readonly LimitRule[],
  { businessId, mode }: { readonly businessId: string | null; readonly mode: Mode },
): Limit {
  const ruleOf = (id: string | null) => rules.find((rule) => rule.mode === mode && rule.businessId === id);
  return ruleOf(businessId) ?? ruleOf(null) ?? NO_LIMIT;
}

export type BrokenLimit = 'limit_transaction' | 'limit_day' | 'limit_month';

/** The first limit that this amount, on top of what was used before it, goes over; reaching a limit is within it. */
export function findBrokenLimit(
  limit: Limit,
  move: { readonly amountMinor: bigint; readonly usedDayMinor: bigint; readonly usedMonthMinor: bigint },
): BrokenLimit | null {
  const { amountMinor, usedDayMinor, usedMonthMinor } = move;
  if (isAboveLimit(amountMinor, limit.perTransactionMinor)) return 'limit_transaction';
  if (isAboveLimit(usedDayMinor + amountMinor, limit.perDayMinor)) return 'limit_day';
  if (isAboveLimit(usedMonthMinor + amountMinor, limit.perMonthMinor)) return 'limit_month';
  return null;
}

function isAboveLimit(totalMinor: bigint, limitMinor: bigint | null): boolean {
  return limitMinor !== null && totalMinor > limitMinor;
}
