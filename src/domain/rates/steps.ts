// How far a price may move on the word of one source: 5 % from the last accepted value, and 5 % either way in a day however many steps it takes.
// A move of the naira that two sources confirm for the dollar carries the other currencies with it.
import { isJump } from './agreement.ts';
import { farFromReference } from './bounds.ts';
import type { Accepted, Footing } from './decision.ts';
import { distanceText, rateText, shiftText } from './rate-words.ts';
import type { Currency } from './rates.ts';

/** Shorter than the day in which prices set by one person are counted together (price-change.ts), so that a price which was allowed there is not refused here. */
const ANCHOR_MS = 23 * 3_600_000;

export interface Step {
  readonly currency: Currency;
  readonly valueE4: bigint;
  readonly last: Accepted | null;
  /** The dollar's new value when two sources stand behind it. */
  readonly dollarE4: bigint | null;
  readonly nowMs: number;
}

/** The reason why one source alone may not move the price this far; null: it may. */
export function tooFarAlone(step: Step): string | null {
  const { currency, valueE4, last } = step;
  if (last === null) {
    const far = farFromReference(currency, valueE4);
    return far === null ? null : `${far} A second source or a second person must confirm it.`;
  }
  const before = beforeDeskOf(last);
  if (before !== null && tooFarFrom(step, before) === null) return null;
  return tooFarFrom(step, last);
}

function tooFarFrom(step: Step, last: Accepted): string | null {
  const { valueE4, nowMs } = step;
  // Within the day only the value it began with counts: a number that lied by nearly 5 % is more than 5 % from the truth, and the
  // way back would need a second source forever. In two steps the same source could come as far.
  const isAnchored = isInWindow(last.anchor, nowMs) && last.anchor.valueE4 !== last.valueE4;
  const [base, name] = isAnchored
    ? ([last.anchor, 'the value of the last 24 h'] as const)
    : ([last, 'the last accepted value'] as const);
  if (isNear(step, base)) return null;
  return `${rateText(valueE4)} is ${distanceText(valueE4, base.valueE4)} from ${rateText(base.valueE4)}, ${name}; more than 5 % needs a second source or a second person.${shiftText(valueE4, base.valueE4)}`;
}

/** Near the base as it was, or as the dollar's move since then carries it. */
function isNear({ valueE4, dollarE4 }: Step, base: Footing): boolean {
  return !isJump(valueE4, base.valueE4) || !isJump(valueE4, carried(base, dollarE4));
}

/** The base, moved as the dollar moved since. */
function carried({ valueE4, dollarE4 }: Footing, dollarNowE4: bigint | null): bigint {
  if (dollarE4 === null || dollarNowE4 === null) return valueE4;
  return (valueE4 * dollarNowE4) / dollarE4;
}

export interface Acceptance {
  readonly step: Step;
  readonly footing: Footing;
  /** Whether two witnesses support it. */
  readonly isBacked: boolean;
  /** Whether it comes only from the desk. */
  readonly isOfDesk: boolean;
}

/** The value for the next decision to compare with. Two witnesses, or a day, start a new count of steps. */
export function acceptedAfter(acceptance: Acceptance): Accepted {
  const { step, footing, isOfDesk } = acceptance;
  const anchor = anchorAfter(acceptance);
  return isOfDesk ? { ...footing, anchor, beforeDesk: beforeDesk(step.last) } : { ...footing, anchor };
}

function beforeDesk(last: Accepted | null): NonNullable<Accepted['beforeDesk']> | null {
  if (last === null || last.beforeDesk !== undefined) return last?.beforeDesk ?? null;
  const { valueE4, dollarE4, atMs, anchor } = last;
  return { valueE4, dollarE4, atMs, anchor };
}

/** The value accepted before the desk set another price; null: it set none, or there was none. */
function beforeDeskOf({ beforeDesk: before }: Accepted): Accepted | null {
  if (before === undefined || before === null) return null;
  const { valueE4, dollarE4, atMs } = before;
  return { valueE4, dollarE4, atMs, anchor: before.anchor ?? { valueE4, dollarE4, atMs } };
}

function anchorAfter(acceptance: Acceptance): Footing {
  const { step, footing, isBacked } = acceptance;
  const { last, valueE4, dollarE4, nowMs } = step;
  if (isBacked || last === null || !isInWindow(last.anchor, nowMs)) return footing;
  if (!isJump(valueE4, last.anchor.valueE4)) return last.anchor;
  const before = beforeDeskOf(last);
  // Back to where it was before the desk set another price: the count goes on as if it had not.
  if (before !== null && tooFarFrom(step, before) === null)
    return anchorAfter({ ...acceptance, step: { ...step, last: before } });
  // The dollar has moved, and carries the count with it.
  return { valueE4: carried(last.anchor, dollarE4), dollarE4, atMs: last.anchor.atMs };
}

function isInWindow(anchor: Footing, nowMs: number): boolean {
  return nowMs - anchor.atMs < ANCHOR_MS;
}
