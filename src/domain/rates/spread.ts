// The spread in basis points. A rule is for a product, and can be limited to a currency, a tier of businesses, or both. The
// most specific active rule applies. Without a rule nothing is quoted, because people must decide even on a spread of zero.
import type { Currency, RateProduct } from './rates.ts';

/** Every business has one tier: `standard`, unless an operator has set another tier. */
export const STANDARD_TIER = 'standard';
export const TIER_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

export interface SpreadRule {
  readonly product: RateProduct;
  /** Null: the rule is for all currencies without their own rule. */
  readonly currency: Currency | null;
  /** Null: the rule is for all tiers without their own rule. */
  readonly tier: string | null;
  readonly spreadBps: number;
  readonly fromMs: number;
}

export interface SpreadQuestion {
  readonly product: RateProduct;
  readonly currency: Currency;
  readonly tier: string;
  readonly atMs: number;
}

/**
 * Prefers a rule for tier and currency, then for tier, then for currency, then for all. Of equally specific rules, the newest
 * active one applies. If two have the same start time, the one added last applies. Undefined: no rule applies.
 */
export function spreadFor(rules: readonly SpreadRule[], asked: SpreadQuestion): number | undefined {
  let best: SpreadRule | undefined;
  for (const rule of rules) {
    if (!ruleApplies(rule, asked)) continue;
    if (best === undefined || isOutrankedBy(best, rule)) best = rule;
  }
  return best?.spreadBps;
}

function ruleApplies(rule: SpreadRule, { product, currency, tier, atMs }: SpreadQuestion): boolean {
  if (rule.product !== product || rule.fromMs > atMs) return false;
  return (rule.currency ?? currency) === currency && (rule.tier ?? tier) === tier;
}

function isOutrankedBy(best: SpreadRule, rule: SpreadRule): boolean {
  const width = specificity(rule) - specificity(best);
  return width > 0 || (width === 0 && rule.fromMs >= best.fromMs);
}

function specificity({ tier, currency }: SpreadRule): number {
  return (tier === null ? 0 : 2) + (currency === null ? 0 : 1);
}
