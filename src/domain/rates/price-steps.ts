// Limits how far one source may move a price: 5 % from the last accepted value. Within a day, any number of steps may add up to
// 5 % up or down. If two sources confirm that the naira has moved against the dollar, the other currencies move with the
// dollar.
import { isJump } from './agreement.ts';
import { findReferenceProblem } from './bounds.ts';
import type { AcceptedValue, ValueWithDollar } from './rate-decision.ts';
import { describeDecimalShift, distanceText, rateText } from './rate-words.ts';
import type { Currency } from './rates.ts';

/**
 * This time is shorter than the day in which the prices of one person count together (price-change.ts). A price that is allowed
 * there is therefore not refused here.
 */
const ANCHOR_MS = 23 * 3_600_000;

export interface PriceStep {
  readonly currency: Currency;
  readonly valueE4: bigint;
  readonly last: AcceptedValue | null;
  /** The new value of the dollar, if two sources support it. */
  readonly dollarE4: bigint | null;
  readonly nowMs: number;
}

/** The reason why one source alone may not move the price this far. Null: the source may move it. */
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
  const { anchor } = last;
  // Within the day, only the value at the start of the day counts. Otherwise a source that was wrong by nearly 5 % could not
  // correct itself, because the correct value would be more than 5 % away. A source gains no freedom from this rule, because
  // two steps could already move the price as far.
  const isAnchored = isInWindow(last.anchor, nowMs);
  const hasMoved = isAnchored && anchor.valueE4 !== last.valueE4;
  // The last value can be the same number as the anchor with another dollar: the desk moved the dollar, and the sources had not yet
  // followed. Then both dollars count. A source gains nothing: a step of one ten-thousandth is always allowed, and after it the
  // anchor counts.
  const isNearAnchor = isAnchored && isNearBase(step, anchor);
  if (isNearAnchor || (!hasMoved && isNearBase(step, last))) return null;
  const [base, name] = hasMoved
    ? ([anchor, 'the base value of the last 24 h'] as const)
    : ([last, 'the last accepted value'] as const);
  return `${rateText(valueE4)} is ${distanceText(valueE4, base.valueE4)} from ${rateText(base.valueE4)}, ${name}; more than 5 % needs a second source or a second person.${describeDecimalShift(valueE4, base.valueE4)}`;
}

/**
 * Whether the value is near the base, near the base moved with the dollar since then, or between the two. A desk price may have
 * followed a part of a devaluation before the dollar did. Between the two, a single source can move the price only as far as
 * one of them.
 */
function isNearBase({ valueE4, dollarE4 }: PriceStep, base: ValueWithDollar): boolean {
  const carriedE4 = carryWithDollar(base, dollarE4);
  if (!isJump(valueE4, base.valueE4) || !isJump(valueE4, carriedE4)) return true;
  return base.valueE4 < valueE4 === valueE4 < carriedE4;
}

function carryWithDollar({ valueE4, dollarE4 }: ValueWithDollar, dollarNowE4: bigint | null): bigint {
  if (dollarE4 === null || dollarNowE4 === null) return valueE4;
  return (valueE4 * dollarNowE4) / dollarE4;
}

export interface PriceAcceptance {
  readonly step: PriceStep;
  readonly footing: ValueWithDollar;
  /** Whether two sources support the value. */
  readonly isBacked: boolean;
  readonly isOfDesk: boolean;
}

/**
 * The value with which the next decision compares. A new count of steps starts when two sources support the value, or when the
 * window ends.
 */
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

/** The value that was accepted before the desk set another price. Null: the desk set no price, or there was no value before. */
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
  // The value returns to its level before the desk price. The count of steps continues as if the desk had set no price.
  if (before !== null && explainTooFarFrom(step, before) === null)
    return chooseAnchor({ ...acceptance, step: { ...step, last: before } });
  // The dollar has moved, so the base of the count moves by the same ratio. A value far from both the old base and the moved
  // base becomes the new base.
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
