// Parts that the routes for reviews and settings share: amounts as people write them, and the refusals of decisions.
import { Type } from 'typebox';
import type { ReviewRefusal } from '../../../../domain/review/proposal.ts';
import { MAX_WIRE_MINOR, parseAmount } from '../../../../domain/values/money.ts';
import { fail } from '../../../../domain/values/result.ts';
import { type ConsoleRefusal, NOT_SIGNED_IN } from '../../refusals.ts';

/** The amount is a text, because the body reader does not keep the source text of nested numbers. */
export const nairaField = Type.String({
  pattern: '^(0|[1-9][0-9]{0,12})([.][0-9]{1,2})?$',
  description: 'an amount in naira as a text, for example "1500.50".',
});

/** The schema has already checked that the text is an amount. */
export function parseNaira(text: string): bigint {
  const parsed = parseAmount(text, { minMinor: 0n, maxMinor: MAX_WIRE_MINOR });
  if (!parsed.ok) throw new Error('an amount that the schema allows cannot be read');
  return parsed.value;
}

export function reviewFailure({ code, message }: ReviewRefusal): {
  readonly ok: false;
  readonly error: ConsoleRefusal;
} {
  return code === 'sign_in_needed' ? fail(NOT_SIGNED_IN) : fail({ code, message });
}
