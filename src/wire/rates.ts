// Opens the rate sources of this process and decides which of them set the price of each product. In test mode, and in live
// mode without RATES_FILE, only the desk sets prices.
import { openSource } from '../adapters/rates/fetch-answer.ts';
import { readRatesFile } from '../adapters/rates/settings/rates-file.ts';
import type { Config } from '../config.ts';
import { DESK } from '../domain/rates/reading.ts';
import type { Clock } from '../ports/clock.ts';
import type { RatePlan } from '../ports/rates.ts';
import { lazy } from './lazy.ts';
import { VERSION } from './version.ts';

/**
 * The user agent starts like that of a browser, because some rate sources refuse other clients. It also contains the name of
 * this program.
 */
const USER_AGENT = `Mozilla/5.0 (compatible; Sliproad/${VERSION})`;

/**
 * Opening the plan makes no call to a rate source. If the file is invalid, it throws a SettingsError with a message for the
 * operator: at once, or with `lazily` on first use. A command that stops money must work even if the file is invalid.
 */
export function openRatePlan(
  { rates }: Pick<Config, 'rates'>,
  clock: Clock,
  { lazily = false }: { readonly lazily?: boolean } = {},
): RatePlan {
  const deps = { clock, userAgent: USER_AGENT };
  const opened = lazy(() => {
    const file = rates === null ? null : readRatesFile(rates.file, rates.variable);
    return {
      products: file?.products,
      sources: (file?.sources ?? []).map((settings) => openSource(settings, deps)),
    };
  });
  if (!lazily) opened();
  return {
    get sources() {
      return opened().sources;
    },
    planOf: (mode, product) => {
      const configured = mode === 'live' ? opened().products?.get(product) : undefined;
      return configured ?? { product, sources: [DESK], minimum: 1 };
    },
  };
}
