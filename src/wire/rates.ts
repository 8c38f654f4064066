// The rate sources of this process, and which of them set the price of each product. In test mode, and in live mode without
// RATES_FILE, only the desk sets prices.
import { openSource } from '../adapters/rates/fetch-answer.ts';
import { readRatesFile } from '../adapters/rates/settings/rates-file.ts';
import type { Config } from '../config.ts';
import { DESK } from '../domain/rates/reading.ts';
import type { Clock } from '../ports/clock.ts';
import type { RatePlan } from '../ports/rates.ts';
import { lazy } from './lazy.ts';
import { VERSION } from './version.ts';

/**
 * It starts like the user agent of a browser, because some sources refuse other clients, and it contains the name of the program.
 */
const USER_AGENT = `Mozilla/5.0 (compatible; Sliproad/${VERSION})`;

/**
 * Makes no call. Throws a SettingsError, with a message for the operator, if the file is invalid: at once, or with `lazily` on
 * first use. A command that stops money must work even if the file is invalid.
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
