// How often a business may ask about bank accounts, and from which value on a transfer of tokens gets a Travel-Rule record.
import type { SettingReader } from '../setting-reader.ts';

export interface EnquiriesConfig {
  readonly accountQuestionsPerMinute: number;
  readonly travelRuleMinimumMinor: bigint;
}

/** US$1,000 at 1,500 naira. */
const TRAVEL_RULE_MINIMUM_MINOR = 150_000_000n;

export function readEnquiriesConfig(settings: SettingReader): EnquiriesConfig {
  return {
    accountQuestionsPerMinute: settings.integer('ACCOUNT_QUESTIONS_PER_MINUTE', {
      ...{ fallback: 30, min: 1, max: 600 },
    }),
    travelRuleMinimumMinor: settings.naira('TRAVEL_RULE_MINIMUM', TRAVEL_RULE_MINIMUM_MINOR),
  };
}
