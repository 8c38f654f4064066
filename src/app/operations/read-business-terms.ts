// Reads the current terms of a business in one mode: its limits, its fees, and whether it is frozen. A term that the business
// does not have itself is the default term.
import { type FeeRule, feeRuleFor, feeSchedule } from '../../domain/catalogue/fees.ts';
import { type Limit, limitFor } from '../../domain/catalogue/limits.ts';
import { TRANSACTION_TYPES, type TransactionType } from '../../domain/records/states.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { BackOffice, Freeze } from '../../ports/back-office.ts';
import type { Clock } from '../../ports/clock.ts';

export interface BusinessTerms {
  readonly limits: Limit & { readonly own: boolean };
  readonly fees: readonly {
    readonly product: TransactionType;
    /** Null if there is no fee. */
    readonly rule: FeeRule | null;
    readonly own: boolean;
  }[];
  readonly freeze: Freeze | null;
}

export async function readBusinessTerms(
  { backOffice, clock }: { readonly backOffice: BusinessTermsReads; readonly clock: Clock },
  mode: Mode,
): Promise<(businessId: string) => BusinessTerms> {
  const [limits, fees, freezes] = await Promise.all([
    backOffice.listLimits(),
    backOffice.listFees(),
    backOffice.listFreezes(),
  ]);
  const schedule = feeSchedule(fees.filter((fee) => fee.mode === mode));
  const atMs = clock.now();
  return (businessId) => ({
    limits: {
      ...limitFor(limits, { businessId, mode }),
      own: limits.some((rule) => rule.businessId === businessId && rule.mode === mode),
    },
    fees: TRANSACTION_TYPES.map((product) => {
      const rule = feeRuleFor(schedule, { businessId, product, atMs }) ?? null;
      return { product, rule, own: rule?.businessId === businessId };
    }),
    freeze: freezes.find((each) => each.businessId === businessId && each.mode === mode) ?? null,
  });
}

type BusinessTermsReads = Pick<BackOffice, 'listLimits' | 'listFees' | 'listFreezes'>;
