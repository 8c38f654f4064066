// How long a quote holds, and how much one business may have open.
import type { SettingReader } from './setting-reader.ts';

export interface QuotesConfig {
  readonly quoteValidMs: number;
  /** Per business and mode. */
  readonly quoteLimits: { readonly maxOpenMinor: bigint; readonly maxOpenQuotes: number };
}

const DAY_SECONDS = 86_400;
const MAX_OPEN_MINOR = 100_000_000_000n;

export function readQuotesConfig(settings: SettingReader): QuotesConfig {
  return {
    quoteValidMs:
      settings.integer('QUOTE_VALID_SECONDS', { fallback: 600, min: 10, max: DAY_SECONDS }) * 1_000,
    quoteLimits: {
      maxOpenMinor: settings.naira('QUOTE_EXPOSURE_MAX', MAX_OPEN_MINOR),
      maxOpenQuotes: settings.integer('QUOTE_OPEN_MAX', { fallback: 10_000, min: 1, max: 1_000_000 }),
    },
  };
}
