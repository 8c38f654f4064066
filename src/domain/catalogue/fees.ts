// The fee of a transaction: a flat part, basis points and a cap. A rule is for one business or for all, and applies from its
// start time. The fee is fixed when the transaction is accepted; a later change never affects it.
import type { TransactionType } from '../records/states.ts';

export interface FeeRule {
  /** The business; null: every business without its own rule for that product. */
  readonly businessId: string | null;
  readonly product: TransactionType;
  readonly flatMinor: bigint;
  readonly feeBps: number;
  /** The maximum fee, including the flat part; null: no cap. */
  readonly capMinor: bigint | null;
  readonly fromMs: number;
}

/** The rules of one mode by business, each list in the order of addition. */
export type FeeSchedule = ReadonlyMap<string | null, readonly FeeRule[]>;

export const MAX_FEE_BPS = 5_000;

/** Takes rules in the order of addition: of two rules with the same start time, the one added last applies. */
export function feeSchedule(rules: readonly FeeRule[]): FeeSchedule {
  return Map.groupBy(rules, ({ businessId }) => businessId);
}

/**
 * The fee in kobo, by the newest active rule of the business, or else by the newest active default rule. Without a rule it is
 * zero. The part in basis points is rounded down to the kobo, in the customer's favour; then the cap is applied.
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

/** The rule that applies to a business at that time; undefined: there is no fee. */
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
