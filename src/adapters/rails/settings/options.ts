// Defines the options in BANKS_FILE that several kinds of rails share.
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { leastConfirmMs, type RailTerms, REPEAT_PROMISES, termsOfRail } from '../../../domain/rails/terms.ts';
import { lagosDay } from '../../../domain/values/calendar.ts';
import type { SettingsProblems } from '../../settings-problems.ts';
import {
  integerSchema,
  parseUrl,
  readBySchema,
  safeUrlSchema,
  textSchema,
  withRule,
} from '../../settings-reader.ts';

export type Options<Fields extends Record<string, TSchema>> = Static<TObject<Fields>>;

/** The base URL to which paths are added. A trailing slash is removed when the URL is read. */
export const BASE_URL = withRule(
  safeUrlSchema(),
  (value) => `${parseUrl(value)?.search ?? ''}${parseUrl(value)?.hash ?? ''}` === '',
  () => 'must end with its path: no ? and no #',
);

export function splitAtCommas(list: string | undefined): ReadonlySet<string> {
  return new Set(list?.split(','));
}

export const ADDRESSES = Type.Optional(
  textSchema(
    /^\d{1,3}(?:\.\d{1,3}){3}(?:,\d{1,3}(?:\.\d{1,3}){3})*$/,
    'IPv4 addresses such as "35.242.133.146", separated by commas',
  ),
);

/**
 * The date from which a rail reads incoming money. The date must exist in the calendar. Otherwise it would be read as a day of
 * the next month.
 */
export const CREDITS_FROM = Type.Optional(
  withRule(
    textSchema(/^20\d\d-[01]\d-[0-3]\d$/, 'a date such as "2026-11-30"'),
    (date) => !Number.isNaN(midnightOf(date)) && lagosDay(midnightOf(date)) === date,
    () => 'must be a date that exists',
  ),
);

function midnightOf(date: string): number {
  return Date.parse(`${date}T00:00:00+01:00`);
}

/**
 * Returns the start of the day in CREDITS_FROM. Returns null if the option is omitted; then the rail reads no incoming money.
 */
export function creditsFromMs({ credits_from: date }: { readonly credits_from?: string }): number | null {
  return date === undefined ? null : midnightOf(date);
}

export const CREDIT_OPTIONS = {
  credits_from: CREDITS_FROM,
  credits_lag_seconds: integerSchema(0, 600, 20),
  event_addresses: ADDRESSES,
};

export interface CreditSettings {
  /** Money that came in before this time is not read. If this is null, the rail reports no incoming money. */
  readonly creditsFromMs: number | null;
  /** The minimum age of a transaction before it is read. Until then, an earlier transaction may still appear. */
  readonly creditsLagMs: number;
  /** The addresses from which events may come. If the set is empty, every address is allowed. */
  readonly eventAddresses: ReadonlySet<string>;
}

export function readCreditSettings(options: Options<typeof CREDIT_OPTIONS>): CreditSettings {
  return {
    creditsFromMs: creditsFromMs(options),
    creditsLagMs: options.credits_lag_seconds * 1_000,
    eventAddresses: splitAtCommas(options.event_addresses),
  };
}

const LONGEST_CONFIRM_SECONDS = 86_400;

/**
 * The options of every rail that pays. The operator can only make the rules about refusals stricter: how long a refusal is
 * doubted, and for which codes. `repeats` sets whether the rail promises to pay a repeated reference only once.
 */
export const PAYING_OPTIONS = {
  base_url: BASE_URL,
  narration: textSchema(/^[A-Za-z0-9 ]{1,40}$/, 'up to 40 letters, digits and spaces', 'Payout'),
  timeout_seconds: integerSchema(1, 120, 60),
  confirm_after_seconds: Type.Optional(integerSchema(0, LONGEST_CONFIRM_SECONDS)),
  repeats: Type.Enum([...REPEAT_PROMISES], {
    default: 'not_promised',
    description:
      '"not_promised", or "paid_once" where the bank promises in writing that it pays a repeated reference only once',
  }),
  unsure_codes: Type.Optional(
    textSchema(
      /^[\w-]{1,60}(?:,[\w-]{1,60})*$/,
      'codes or words of the bank with commas between them, such as "06,12"',
    ),
  ),
  max_bytes: integerSchema(1_024, 16_777_216, 1_048_576),
};

export interface PayingSettings {
  readonly baseUrl: string;
  readonly narration: string;
  readonly timeoutMs: number;
  /** If this is missing, the minimum terms of the service apply. */
  readonly terms?: RailTerms;
  /**
   * Codes and words that do not count as a refusal on this rail, even if the table of codes says so. If this is missing, there
   * are none.
   */
  readonly unsureCodes?: ReadonlySet<string>;
  readonly mostBytes: number;
}

/** `repeatAfterMs` is the minimum time before an order is sent to the rail again. */
export function readPayingSettings(
  options: Options<typeof PAYING_OPTIONS>,
  at: SettingsProblems,
  repeatAfterMs = 0,
): Required<PayingSettings> {
  const timeoutMs = options.timeout_seconds * 1_000;
  const leastSeconds = leastConfirmMs(timeoutMs) / 1_000;
  const { repeats, confirm_after_seconds: seconds = leastSeconds } = options;
  readBySchema(integerSchema(leastSeconds, LONGEST_CONFIRM_SECONDS), seconds, at.at('confirm_after_seconds'));
  return {
    baseUrl: options.base_url.replace(/\/+$/, ''),
    narration: options.narration,
    timeoutMs,
    terms: termsOfRail({ timeoutMs, confirmAfterMs: seconds * 1_000, repeats, repeatAfterMs }),
    unsureCodes: splitAtCommas(options.unsure_codes),
    mostBytes: options.max_bytes,
  };
}
