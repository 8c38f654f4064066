// The options that every rail that pays has: how long a call takes, how long and by which codes a refusal is doubted, and whether a
// reference that the rail gets twice is paid once. Each can only be made stricter than the rules of the service.
import {
  leastConfirmMs,
  type RailTerms,
  REPEATS,
  type Repeats,
  termsOfRail,
} from '../../../domain/rails/terms.ts';
import type { OptionReader } from './options.ts';

const PROMISES = {
  pattern: /^(?:not_promised|paid_once)$/,
  what: '"not_promised", or "paid_once" where the bank promises in writing that a reference it gets twice is paid once',
};
const CODES = {
  pattern: /^[\w-]{1,60}(?:,[\w-]{1,60})*$/,
  what: 'codes or words of the bank with commas between them, such as "06,12"',
};
const LONGEST_CONFIRM_SECONDS = 86_400;

/** `repeatAfterMs`: how long at least after an order the rail may get it again. */
export function readTerms(
  options: OptionReader,
  repeatAfterMs = 0,
): {
  readonly timeoutMs: number;
  readonly terms: RailTerms;
  readonly unsureCodes: ReadonlySet<string>;
} {
  const timeoutMs = options.whole('timeout_seconds', [1, 120], 60) * 1_000;
  const leastSeconds = leastConfirmMs(timeoutMs) / 1_000;
  const seconds = options.whole(
    'confirm_after_seconds',
    [leastSeconds, LONGEST_CONFIRM_SECONDS],
    leastSeconds,
  );
  const given = options.optionalText('repeats', PROMISES);
  const repeats: Repeats = REPEATS.find((each) => each === given) ?? 'not_promised';
  const unsureCodes = new Set(options.optionalText('unsure_codes', CODES)?.split(',') ?? []);
  const terms = termsOfRail({ timeoutMs, confirmAfterMs: seconds * 1_000, repeats, repeatAfterMs });
  return { timeoutMs, terms, unsureCodes };
}
