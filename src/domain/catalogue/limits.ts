// Limits how much a business may move before a person must review it: per transaction, per day and per month in the Lagos
// calendar. A transaction over a limit is held and never refused.
import type { Mode } from '../values/mode.ts';

/** The limits of one rule. Null: the rule has no limit of that kind. */
export interface Limit {
  readonly perTransactionMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  readonly perMonthMinor: bigint | null;
}

export interface LimitRule extends Limit {
  /** Null: the rule is for every business without its own rule. */
  readonly businessId: string | null;
  readonly mode: Mode;
}

const NO_LIMIT: Limit = { perTransactionMinor: null, perDayMinor: null, perMonthMinor: null };

/**
 * A business's own limit rule replaces the whole default rule, so a null in the own rule means that there is no limit. If no
 * business is given, the default rule applies.
 */
export function limitFor(
  rules: readonly LimitRule[],
  { businessId, mode }: { readonly businessId: string | null; readonly mode: Mode },
): Limit {
  const ruleOf = (id: string | null) => rules.find((rule) => rule.mode === mode && rule.businessId === id);
  return ruleOf(businessId) ?? ruleOf(null) ?? NO_LIMIT;
}

export type BrokenLimit = 'limit_transaction' | 'limit_day' | 'limit_month';

/** The first limit that this amount and the earlier amounts exceed together. A sum that equals the limit does not exceed it. */
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
