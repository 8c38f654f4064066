// How far a price may move on the word of one source: 5 % from the last accepted value, and 5 % either way in a day however many steps it takes.
// A move of the naira that two sources confirm for the dollar carries the other currencies with it.
import { isJump } from './agreement.ts';
import { findReferenceProblem } from './bounds.ts';
import type { AcceptedValue, ValueWithDollar } from './rate-decision.ts';
import { describeDecimalShift, distanceText, rateText } from './rate-words.ts';
import type { Currency } from './rates.ts';

/** Shorter than the day in which prices set by one person are counted together (price-change.ts), so that a price which was allowed there is not refused here. */
const ANCHOR_MS = 23 * 3_600_000;

export interface PriceStep {
  readonly currency: Currency;
  readonly valueE4: bigint;
  readonly last: AcceptedValue | null;
  /** The dollar's new value when two sources stand behind it. */
  readonly dollarE4: bigint | null;
  readonly nowMs: number;
}

/** The reason why one source alone may not move the price this far; null: it may. */
export function explainTooFar(step: PriceStep): string | null {
  const { currency, valueE4, last } = step;
  if (last === null) {
    const far = findReferenceProblem(currency, valueE4);
    return far === null ? null : `${far} A second source or a second person must confirm it.`;
  }
  const before = readBeforeDesk(last);
  if (before !== null && explainTooFarFrom(step, before) === null) return null;
  return explainTooFarFrom(step, last);
}

function explainTooFarFrom(step: PriceStep, last: AcceptedValue): string | null {
  const { valueE4, nowMs } = step;
  // Within the day only the value it began with counts: a number that lied by nearly 5 % is more than 5 % from the truth, and the
  // way back would need a second source forever. In two steps the same source could come as far.
  const isAnchored = isInWindow(last.anchor, nowMs) && last.anchor.valueE4 !== last.valueE4;
  const [base, name] = isAnchored
    ? ([last.anchor, 'the value of the last 24 h'] as const)
    : ([last, 'the last accepted value'] as const);
  if (isNearBase(step, base)) return null;
  return `${rateText(valueE4)} is ${distanceText(valueE4, base.valueE4)} from ${rateText(base.valueE4)}, ${name}; more than 5 % needs a second source or a second person.${describeDecimalShift(valueE4, base.valueE4)}`;
}

/**
 * Near the base as it was, or as the dollar's move since then carries it, or between the two: a price of the desk may have followed a
 * devaluation in part before the dollar did. One source alone comes no farther this way than to one of the two ends.
 */
function isNearBase({ valueE4, dollarE4 }: PriceStep, base: ValueWithDollar): boolean {
  const carriedE4 = carryWithDollar(base, dollarE4);
  if (!isJump(valueE4, base.valueE4) || !isJump(valueE4, carriedE4)) return true;
  return base.valueE4 < valueE4 === valueE4 < carriedE4;
}

/** The base, moved as the dollar moved since. */
function carryWithDollar({ valueE4, dollarE4 }: ValueWithDollar, dollarNowE4: bigint | null): bigint {
  if (dollarE4 === null || dollarNowE4 === null) return valueE4;
  return (valueE4 * dollarNowE4) / dollarE4;
}

export interface PriceAcceptance {
  readonly step: PriceStep;
  readonly footing: ValueWithDollar;
  /** Whether two witnesses support it. */
  readonly isBacked: boolean;
  /** Whether it comes only from the desk. */
  readonly isOfDesk: boolean;
}

/** The value for the next decision to compare with. Two witnesses, or a day, start a new count of steps. */
export function makeAcceptedValue(acceptance: PriceAcceptance): AcceptedValue {
  const { step, footing, isOfDesk } = acceptance;
  const anchor = chooseAnchor(acceptance);
  return isOfDesk ? { ...footing, anchor, beforeDesk: keepBeforeDesk(step.last) } : { ...footing, anchor };
}

function keepBeforeDesk(last: AcceptedValue | null): NonNullable<AcceptedValue['beforeDesk']> | null {
  if (last === null || last.beforeDesk !== undefined) return last?.beforeDesk ?? null;
  const { valueE4, dollarE4, atMs, anchor } = last;
  return { valueE4, dollarE4, atMs, anchor };
}

/** The value accepted before the desk set another price; null: it set none, or there was none. */
function readBeforeDesk({ beforeDesk: before }: AcceptedValue): AcceptedValue | null {
  if (before === undefined || before === null) return null;
  const { valueE4, dollarE4, atMs } = before;
  return { valueE4, dollarE4, atMs, anchor: before.anchor ?? { valueE4, dollarE4, atMs } };
}

function chooseAnchor(acceptance: PriceAcceptance): ValueWithDollar {
  const { step, footing, isBacked } = acceptance;
  const { last, valueE4, dollarE4, nowMs } = step;
  if (isBacked || last === null || !isInWindow(last.anchor, nowMs)) return footing;
  if (!isJump(valueE4, last.anchor.valueE4)) return last.anchor;
  const before = readBeforeDesk(last);
  // Back to where it was before the desk set another price: the count goes on as if it had not.
  if (before !== null && explainTooFarFrom(step, before) === null)
    return chooseAnchor({ ...acceptance, step: { ...step, last: before } });
  // The dollar has moved, and carries the count with it. A value far from both ends becomes the one to count from.
  const carriedE4 = carryWithDollar(last.anchor, dollarE4);
  return {
    valueE4: isJump(valueE4, carriedE4) ? valueE4 : carriedE4,
    dollarE4,
    atMs: last.anchor.atMs,
  };
}

function isInWindow(anchor: ValueWithDollar, nowMs: number): boolean {
  return nowMs - anchor.atMs < ANCHOR_MS;
}
