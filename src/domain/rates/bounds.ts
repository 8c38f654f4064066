// The range of possible naira prices. The reference values are from a fixed date. They catch a number of the wrong size if
// there is no newer value, and live mode never quotes them.
import { rateText } from './rate-words.ts';
import { CURRENCIES, type Currency, parseRate } from './rates.ts';

/** The price of each currency in naira per unit, on 11 June 2026. */
export const REFERENCE_RATES: Readonly<Record<Currency, string>> = {
  USD: '1361.5',
  GBP: '1826.5',
  EUR: '1576.3',
  TRY: '29.46',
  CNY: '200.93',
  CHF: '1712.6',
  CAD: '975.1',
  AED: '370.69',
  KES: '10.5',
};
const REFERENCE_DATE = '11 June 2026';

/**
 * `alone`: the range for one source or one person. It allows any devaluation of the past, but not a misplaced decimal point.
 * `confirmed`: the wider range in which two people may set a price.
 */
const BOUND_FACTORS = { alone: 8n, confirmed: 25n } as const;
export type Backing = keyof typeof BOUND_FACTORS;

const REFERENCES_E4 = new Map(CURRENCIES.map((code) => [code, parseRate(REFERENCE_RATES[code])!]));

export function referenceE4(currency: Currency): bigint {
  return REFERENCES_E4.get(currency)!;
}

export function boundsE4(
  currency: Currency,
  backing: Backing,
): { readonly lowE4: bigint; readonly highE4: bigint } {
  const reference = referenceE4(currency);
  return { lowE4: reference / BOUND_FACTORS[backing], highE4: reference * BOUND_FACTORS[backing] };
}

/** The reason why a number cannot be a price of this currency. Null: it can be a price. */
export function findBoundsProblem(currency: Currency, valueE4: bigint, backing: Backing): string | null {
  if (valueE4 <= 0n) return `A price must be above zero; this one is ${rateText(valueE4)}.`;
  const { lowE4, highE4 } = boundsE4(currency, backing);
  if (valueE4 >= lowE4 && valueE4 <= highE4) return null;
  const without = backing === 'alone' ? 'unless two people confirm another price' : 'in any case';
  return `One ${currency} must be between ${rateText(lowE4)} and ${rateText(highE4)} naira, ${without}; ${rateText(valueE4)} is not.`;
}

/**
 * The reason why a number of one source or one person is too far from the reference. Null: the number is between half and
 * double the reference.
 */
export function findReferenceProblem(currency: Currency, valueE4: bigint): string | null {
  const reference = referenceE4(currency);
  if (valueE4 * 2n >= reference && valueE4 <= reference * 2n) return null;
  return `${rateText(valueE4)} is not between half and twice ${rateText(reference)}, the value of ${REFERENCE_DATE}, and there is no newer value to compare with.`;
}
