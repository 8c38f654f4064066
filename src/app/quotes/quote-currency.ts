// Checks the currency of a quote: naira, or a currency that the desk sells.
import { CURRENCIES, type Currency } from '../../domain/rates/rates.ts';
import type { TransactionType } from '../../domain/records/states.ts';
import type { FieldErrors } from '../input/field-rules.ts';

export const QUOTE_CURRENCIES = ['NGN', ...CURRENCIES] as const;
export type QuoteCurrency = Currency | 'NGN';

/** Returns the currency in its usual spelling, or the text unchanged if the currency is unknown. The default is naira. */
export function normaliseCurrency(text: string | undefined): string {
  return findCurrency(text) ?? text!;
}

function findCurrency(text = 'NGN'): QuoteCurrency | undefined {
  return QUOTE_CURRENCIES.find((each) => each === text.toUpperCase());
}

/** The desk sells currencies and buys none, so the service quotes a sell only in naira. */
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
