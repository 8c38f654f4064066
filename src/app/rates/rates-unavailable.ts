// The refusal of rates that are not served, with the reason for each currency.
import type { MissingRate, UnservedReason } from '../../domain/rates/board.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';

const REASON_TEXTS: Readonly<Record<UnservedReason, string>> = {
  never_decided: 'never set',
  no_source: 'no source has a price',
  too_few_sources: 'too few live sources agree',
  jump_unconfirmed: 'a change of more than 5 % is not confirmed yet',
  expired: 'the last value has expired',
  no_spread: 'no spread is set',
};

export function ratesUnavailable(missing: readonly MissingRate[]): Refusal {
  const reasons = [...new Set(missing.map(({ why }) => why))];
  const groups = reasons.map((reason) => {
    const codes = missing.filter(({ why }) => why === reason).map(({ currency }) => currency);
    return `${codes.join(', ')} (${REASON_TEXTS[reason]})`;
  });
  return refusal(
    'rates_unavailable',
    `There is no current rate for ${groups.join(' and for ')}. Try again later, or ask the operator.`,
  );
}
