// Plans the prices of the desk: a person sets a price with an end time, or ends it early. This file checks the fields of a
// price. app/rates decides from the price whether one person is enough.
import type { PriceInput, SettingRequest } from '../../domain/back-office/setting.ts';
import { CURRENCIES, type Currency, parseRate } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { CheckedRates } from '../../ports/setting-store.ts';
import { type CurrencyPrice, judgePrices } from '../rates/judge-prices.ts';
import type { PlannedSetting, SettingDeps } from './setting-deps.ts';

type RateSettingRequest<Name> = Extract<SettingRequest, { readonly setting: Name }>;

/** The maximum validity of a price. A longer validity is a mistake. */
const MAX_VALID_FOR_MS = 31 * 86_400_000;

export async function planRates(
  deps: SettingDeps,
  request: RateSettingRequest<'rates_set'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { mode, product, validForMs, override } = request;
  if (!Number.isInteger(validForMs) || validForMs <= 0 || validForMs > MAX_VALID_FOR_MS)
    return refuse('invalid', 'A price must be valid for more than zero and at most 31 days.');
  const prices = parsePrices(request.prices);
  if (!prices.ok) return prices;
  const { sources } = deps.ratePlan.planOf(mode, product);
  if (!override && !sources.includes(DESK))
    return refuse(
      'not_possible',
      `${mode} ${product} is priced from ${sources.join(', ')}, not from the desk: only an override has an effect.`,
    );
  const judged = await judgePrices(deps, { mode, product, prices: prices.value });
  if (!judged.ok) return refuse('invalid', judged.error);
  const rates: CheckedRates = { mode, product, prices: prices.value, validForMs, override };
  return ok({ mode, write: { setting: 'rates_set', rates }, whyTwo: judged.value });
}

function parsePrices(given: readonly PriceInput[]): Result<readonly CurrencyPrice[], ReviewRefusal> {
  const prices: CurrencyPrice[] = [];
  for (const { currency: code, price } of given) {
    const currency = findCurrency(code);
    if (currency === undefined) return refuseUnknownCurrency(code);
    if (prices.some((each) => each.currency === currency))
      return refuse('invalid', `${currency} appears twice. Name each currency once.`);
    const valueE4 = parseRate(price);
    if (valueE4 === undefined)
      return refuse('invalid', `${code} must be a number above zero with at most 4 decimals.`);
    prices.push({ currency, valueE4 });
  }
  if (prices.length === 0) return refuse('invalid', 'Set at least one price, for example USD=1361.5.');
  return ok(prices);
}

export async function planRatesWithdrawal(
  { rateStore, clock }: SettingDeps,
  request: RateSettingRequest<'rates_withdrawn'>,
): Promise<Result<PlannedSetting, ReviewRefusal>> {
  const { mode, product } = request;
  const desk = await rateStore.currentDeskPrices(mode, product);
  const currencies: Currency[] = [];
  for (const code of new Set(request.currencies)) {
    const currency = findCurrency(code);
    if (currency === undefined) return refuseUnknownCurrency(code);
    const price = desk.find((each) => each.currency === currency);
    if (price === undefined || (price.validUntilMs !== null && price.validUntilMs <= clock.now()))
      return refuse('not_possible', `There is no valid ${mode} ${product} desk price of ${currency}.`);
    currencies.push(currency);
  }
  if (currencies.length === 0) return refuse('invalid', 'Name at least one currency, for example USD.');
  return ok({ mode, write: { setting: 'rates_withdrawn', mode, product, currencies } });
}

function findCurrency(code: string): Currency | undefined {
  return CURRENCIES.find((each) => each === code);
}

function refuseUnknownCurrency(code: string) {
  return refuse('invalid', `${code} is not one of ${CURRENCIES.join(', ')}.`);
}
