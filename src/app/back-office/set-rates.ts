// Sets an operator's rates: values and spread of one book. A live book ages and must be renewed; an old number is
// never quoted.

import {
  CURRENCIES,
  type Currency,
  MAX_SPREAD_BPS,
  parseRate,
  type RateBook,
  type RateProduct,
} from '../../domain/catalogue/rates.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

export async function setRates(
  deps: BackOfficeDeps,
  given: {
    readonly mode: Mode;
    readonly product: RateProduct;
    /** Decimal text by currency code; codes left out keep their value. */
    readonly values: Readonly<Record<string, string>>;
    readonly spreadBps?: number;
    readonly validForMs: number | null;
  },
): Promise<Result<RateBook, string>> {
  const now = deps.clock.now();
  const stored = await deps.backOffice.readRateBook(given.mode, given.product);
  // An old number is never quoted again because another one was renewed.
  const stale = stored !== undefined && stored.validUntilMs !== null && now >= stored.validUntilMs;
  const valuesE4 = { ...(stale ? undefined : stored?.valuesE4) } as Record<Currency, bigint>;
  if (Object.keys(given.values).length === 0) return fail('Give at least one rate, for example USD=1361.5.');
  for (const [code, text] of Object.entries(given.values)) {
    const currency = CURRENCIES.find((each) => each === code);
    if (currency === undefined) return fail(`${code} is not one of ${CURRENCIES.join(', ')}.`);
    const value = parseRate(text);
    if (value === undefined) return fail(`${code} must be a number above zero with at most 4 decimals.`);
    valuesE4[currency] = value;
  }
  const missing = CURRENCIES.filter((currency) => valuesE4[currency] === undefined);
  if (missing.length > 0) {
    const why = stale ? 'The rates have run out, so all nine are needed' : 'A new book needs all nine codes';
    return fail(`${why}; missing: ${missing.join(', ')}.`);
  }
  const spreadBps = given.spreadBps ?? stored?.spreadBps ?? 0;
  if (!Number.isInteger(spreadBps) || spreadBps < 0 || spreadBps > MAX_SPREAD_BPS) {
    return fail(`The spread must be a whole number of basis points from 0 to ${MAX_SPREAD_BPS}.`);
  }
  const book: RateBook = {
    product: given.product,
    spreadBps,
    valuesE4,
    updatedAtMs: now,
    validUntilMs: given.validForMs === null ? null : now + given.validForMs,
  };
  await deps.backOffice.saveRateBook(given.mode, book, { actor: deps.actor, atMs: now });
  return ok(book);
}
