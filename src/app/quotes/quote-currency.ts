// The currency of a quote: naira, or a currency that the OTC desk sells.
import { CURRENCIES, type Currency } from '../../domain/rates/rates.ts';
import type { TransactionType } from '../../domain/records/states.ts';
import type { FieldErrors } from '../input/field-rules.ts';

export const QUOTE_CURRENCIES = ['NGN', ...CURRENCIES] as const;
export type QuoteCurrency = Currency | 'NGN';

/** The currency in its usual spelling; unchanged when it is unknown. Naira by default. */
export function normaliseCurrency(text: string | undefined): string {
  return findCurrency(text) ?? text!;
}

function findCurrency(text = 'NGN'): QuoteCurrency | undefined {
  return QUOTE_CURRENCIES.find((each) => each === text.toUpperCase());
}

/** The OTC desk sells currencies and buys none, so a sell is quoted only in naira. */
export function checkCurrency(
  errors: FieldErrors,
  side: TransactionType | undefined,
  text: string | undefined,
): QuoteCurrency | undefined {
  const currency = findCurrency(text);
  if (currency === undefined)
    return errors.add(
      'currency',
      'currency_unknown',
      `currency must be one of ${QUOTE_CURRENCIES.join(', ')}.`,
    );
  if (side !== 'sell' || currency === 'NGN') return currency;
  return errors.add(
    'currency',
    'currency_not_for_sells',
    'currency must be NGN or absent for a sell: only buys are quoted in other currencies.',
  );
}
