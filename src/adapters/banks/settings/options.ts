// Options that several kinds of rails have in BANKS_FILE, and what they mean.
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { leastConfirmMs, type RailTerms, REPEATS, termsOfRail } from '../../../domain/rails/terms.ts';
import { lagosDay } from '../../../domain/values/calendar.ts';
import type { Problems } from '../../settings/problems.ts';
import { readBy, text, whole, withRule } from '../../settings/schema.ts';
import { safeUrl, urlIn } from '../../settings/urls.ts';

export type Options<Fields extends Record<string, TSchema>> = Static<TObject<Fields>>;

/** The address that paths are added to. */
export const BASE_URL = withRule(
  safeUrl(),
  (value) => `${urlIn(value)?.search ?? ''}${urlIn(value)?.hash ?? ''}` === '',
  () => 'must end with its path: no ? and no #',
);

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** One text for several words. */
export function splitAtCommas(list: string | undefined): ReadonlySet<string> {
  return new Set(list?.split(','));
}

/** Those that a rail calls from. */
export const ADDRESSES = Type.Optional(
  text(
    /^\d{1,3}(?:\.\d{1,3}){3}(?:,\d{1,3}(?:\.\d{1,3}){3})*$/,
    'IPv4 addresses such as "35.242.133.146", with commas between',
  ),
);

/** From which on a rail reads money that came in. A day that the month does not have would be read as one of the next month. */
export const CREDITS_FROM = Type.Optional(
  withRule(
    text(/^20\d\d-[01]\d-[0-3]\d$/, 'a date such as "2026-11-30"'),
    (date) => !Number.isNaN(midnightOf(date)) && lagosDay(midnightOf(date)) === date,
    () => 'must be a date of the calendar',
  ),
);

/** In Lagos. */
function midnightOf(date: string): number {
  return Date.parse(`${date}T00:00:00+01:00`);
}

/** Null: it is left out, and nothing is read. */
export function creditsFromMs({ credits_from: date }: { readonly credits_from?: string }): number | null {
  return date === undefined ? null : midnightOf(date);
}

const LONGEST_CONFIRM_SECONDS = 86_400;

/**
 * What every rail that pays has: how long a call takes, how long and by which codes a refusal is doubted, and whether a reference that the
 * rail gets twice is paid once. Each can only be made stricter than the rules of the service.
 */
export const TERMS = {
  timeout_seconds: whole(1, 120, 60),
  confirm_after_seconds: Type.Optional(whole(0, LONGEST_CONFIRM_SECONDS)),
  repeats: Type.Enum([...REPEATS], {
    default: 'not_promised',
    description:
      '"not_promised", or "paid_once" where the bank promises in writing that a reference it gets twice is paid once',
  }),
  unsure_codes: Type.Optional(
    text(
      /^[\w-]{1,60}(?:,[\w-]{1,60})*$/,
      'codes or words of the bank with commas between them, such as "06,12"',
    ),
  ),
};

interface Terms {
  readonly timeoutMs: number;
  readonly terms: RailTerms;
  readonly unsureCodes: ReadonlySet<string>;
}

/** `repeatAfterMs`: how long at least after an order the rail may get it again. */
export function readTerms(options: Options<typeof TERMS>, at: Problems, repeatAfterMs = 0): Terms {
  const timeoutMs = options.timeout_seconds * 1_000;
  const leastSeconds = leastConfirmMs(timeoutMs) / 1_000;
  const seconds = options.confirm_after_seconds ?? leastSeconds;
  readBy(whole(leastSeconds, LONGEST_CONFIRM_SECONDS), seconds, at.at('confirm_after_seconds'));
  return {
    timeoutMs,
    terms: termsOfRail({
      timeoutMs,
      confirmAfterMs: seconds * 1_000,
      repeats: options.repeats,
      repeatAfterMs,
    }),
    unsureCodes: splitAtCommas(options.unsure_codes),
  };
}
