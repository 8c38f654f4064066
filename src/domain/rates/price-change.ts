// Decides whether one person may set a desk price. A price far from all known values needs a second person. The prices that one
// person set within a day count together, so the last of many small steps also needs a second person.
import { isJump } from './agreement.ts';
import { findBoundsProblem, findReferenceProblem } from './bounds.ts';
import { describeDecimalShift, distanceText, rateText } from './rate-words.ts';
import type { Currency } from './rates.ts';

/** The prices that one person sets within this period count together. A price that two people confirmed starts a new count. */
export const ONE_PERSON_WINDOW_MS = 24 * 3_600_000;

export interface PriceChange {
  readonly currency: Currency;
  readonly valueE4: bigint;
  readonly lastAcceptedE4: bigint | null;
  /** The median of the other live sources. Null: no other source is live. */
  readonly othersE4: bigint | null;
  /** The prices set by one person alone in the window, since the last price that two people confirmed. */
  readonly setAlone: readonly bigint[];
}

export type PriceJudgement =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'one_person' }
  | { readonly kind: 'two_people'; readonly why: string };

export function judgePrice(change: PriceChange): PriceJudgement {
  const { currency, valueE4, lastAcceptedE4, othersE4, setAlone } = change;
  const impossible = findBoundsProblem(currency, valueE4, 'confirmed');
  if (impossible !== null) return { kind: 'refused', why: impossible };
  const known: readonly (readonly [bigint | null, string])[] = [
    [lastAcceptedE4, 'the last accepted value'],
    [othersE4, 'the median of the other sources'],
    ...setAlone.map((price) => [price, 'a price that one person set within 24 h'] as const),
  ];
  let isKnown = false;
  for (const [base, name] of known) {
    if (base === null) continue;
    isKnown = true;
    if (isJump(valueE4, base)) return { kind: 'two_people', why: describeDistance(valueE4, base, name) };
  }
  const far = isKnown
    ? findBoundsProblem(currency, valueE4, 'alone')
    : findReferenceProblem(currency, valueE4);
  return far === null ? { kind: 'one_person' } : { kind: 'two_people', why: far };
}

function describeDistance(valueE4: bigint, base: bigint, name: string): string {
  return `${rateText(valueE4)} is ${distanceText(valueE4, base)} from ${rateText(base)}, ${name}; more than 5 % needs a second person.${describeDecimalShift(valueE4, base)}`;
}
