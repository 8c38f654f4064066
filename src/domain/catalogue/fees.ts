// Computes the fee of a transaction from a flat part, basis points and a cap. A fee rule is for one business or for all, and
// applies from its start time. The fee is fixed when the transaction is accepted, and a later change never affects it.
import type { TransactionType } from '../records/states.ts';

export interface FeeRule {
  /** Null: the rule is for every business without its own rule for the product. */
  readonly businessId: string | null;
  readonly product: TransactionType;
  readonly flatMinor: bigint;
  readonly feeBps: number;
  /** The maximum of the whole fee, including the flat part. Null: the fee has no cap. */
  readonly capMinor: bigint | null;
  readonly fromMs: number;
}

/** The fee rules of one mode by business. Each list is in the order in which the rules were added. */
export type FeeSchedule = ReadonlyMap<string | null, readonly FeeRule[]>;

export const MAX_FEE_BPS = 5_000;

/**
 * The rules must be in the order in which they were added. If two rules have the same start time, the one added last applies.
 */
export function feeSchedule(rules: readonly FeeRule[]): FeeSchedule {
  return Map.groupBy(rules, ({ businessId }) => businessId);
}

/**
 * Returns the fee in kobo. The newest active rule of the business applies, or else the newest active default rule. Without a
 * rule, the fee is zero. The part in basis points is rounded down to the kobo, and then the cap is applied.
 */
export function feeFor(
  schedule: FeeSchedule,
  charge: {
    readonly businessId: string;
    readonly product: TransactionType;
    readonly amountMinor: bigint;
    readonly atMs: number;
  },
): bigint {
  const rule = feeRuleFor(schedule, charge);
  if (rule === undefined) return 0n;
  const feeMinor = rule.flatMinor + (charge.amountMinor * BigInt(rule.feeBps)) / 10_000n;
  return rule.capMinor !== null && feeMinor > rule.capMinor ? rule.capMinor : feeMinor;
}

/** The fee rule that applies to a business at that time. Undefined: no rule applies, so there is no fee. */
export function feeRuleFor(
  schedule: FeeSchedule,
  { businessId, product, atMs }: Pick<Parameters<typeof feeFor>[1], 'businessId' | 'product' | 'atMs'>,
): FeeRule | undefined {
  return (
    findRuleInForce(schedule.get(businessId), product, atMs) ??
    findRuleInForce(schedule.get(null), product, atMs)
  );
}

function findRuleInForce(
  rules: readonly FeeRule[] | undefined,
  product: TransactionType,
  atMs: number,
): FeeRule | undefined {
  let newest: FeeRule | undefined;
  for (const rule of rules ?? []) {
    if (rule.product !== product || rule.fromMs > atMs) continue;
    if (newest === undefined || rule.fromMs >= newest.fromMs) newest = rule;
  }
  return newest;
}
