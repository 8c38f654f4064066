// Measures how many quotes and how many acceptances are committed per second. Both run on one service and one database.
import { ONRAMP, openBuy } from '../buy.ts';
import { type Ratio, type SuiteResult, suiteResult } from '../report.ts';
import { type RoundOptions, ratioOf, runRounds, type Variant } from '../rounds.ts';
import { startBenchService } from '../service-process.ts';

/**
 * One business creates all quotes, so its limits are raised. Quotes expire soon, so that the number of open quotes stays near
 * the default limit.
 */
const LIFTED = {
  QUOTE_VALID_SECONDS: '10',
  QUOTE_OPEN_MAX: '1000000',
  QUOTE_EXPOSURE_MAX: '9999999999999',
};

/** The JSON has no closing brace, because the load generator adds a reference. A quote ignores the reference. */
const quoteOf = (fields: object) => JSON.stringify({ side: 'buy', ...fields }).slice(0, -1);

export async function quotes(options: RoundOptions): Promise<SuiteResult> {
  const service = await startBenchService({ lifted: LIFTED });
  try {
    const path = '/quotes/v1';
    const variants: Variant[] = [
      { name: 'a  POST onramp', service, path: ONRAMP, body: openBuy(service) },
      { name: 'b  POST quotes, in dollars', service, path, body: quoteOf({ amount: 100, currency: 'USD' }) },
      { name: 'c  POST quotes, in naira', service, path, body: quoteOf({ amount: 15_000 }) },
    ];
    const measured = await runRounds(variants, options);
    const [a, b, c] = variants.map(({ name }) => measured.get(name)!);
    const ratios: Ratio[] = [
      { name: 'b / a', aim: 0.8, ...ratioOf(b!, a!) },
      { name: 'c / a', aim: 0.8, ...ratioOf(c!, a!) },
    ];
    const lifted = Object.entries(LIFTED).map(([name, value]) => `${name}=${value}`);
    const note = `all quotes are of one business; ${lifted.join(' ')}`;
    return suiteResult('quotes', [note], measured, ratios);
  } finally {
    await service.stop();
  }
}
