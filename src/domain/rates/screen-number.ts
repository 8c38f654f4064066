// Checks a number before it is compared with the numbers of other sources. The number must be fresh, must not be from the
// future, and must have a plausible size.
import { findBoundsProblem } from './bounds.ts';
import type { LastAcceptedValues, NumberVerdict } from './rate-decision.ts';
import { describeDecimalShift, durationText, rateText } from './rate-words.ts';
import type { Currency } from './rates.ts';
import type { SourceNumber } from './source-numbers.ts';

/** A number with its verdict so far: `used` until a rule changes it. */
export interface ScreenedNumber extends SourceNumber {
  readonly verdict: NumberVerdict;
  readonly why: string;
}

const MAX_AHEAD_MS = 5 * 60_000;
/**
 * A number counts as a misplaced decimal point if it is more than this many times as large or as small as the last accepted
 * value. This holds even if several sources agree, because no devaluation between two decisions is this large. Only a price
 * that two people confirmed may differ more.
 */
const SLIP_FACTOR = 5n;

export interface ScreenContext {
  readonly lastAccepted: LastAcceptedValues;
  readonly nowMs: number;
}

export function screenNumber(
  currency: Currency,
  number: SourceNumber,
  context: ScreenContext,
): ScreenedNumber {
  const { nowMs, lastAccepted } = context;
  const reject = (verdict: NumberVerdict, why: string): ScreenedNumber => ({ ...number, verdict, why });
  if (number.asOfMs > nowMs + MAX_AHEAD_MS) {
    return reject(
      'from_the_future',
      `It is dated ${durationText(number.asOfMs - nowMs)} ahead of this service's clock; at most ${durationText(MAX_AHEAD_MS)} are allowed.`,
    );
  }
  if (number.endMs !== null && nowMs >= number.endMs) {
    return reject('stale', `It expired ${durationText(nowMs - number.endMs)} ago.`);
  }
  const last = lastAccepted[currency]?.valueE4;
  const bounds = findBoundsProblem(currency, number.valueE4, number.weight < 2 ? 'alone' : 'confirmed');
  if (bounds !== null) {
    return reject(
      'out_of_bounds',
      last === undefined ? bounds : `${bounds}${describeShiftFromLast(number.valueE4, last)}`,
    );
  }
  if (last !== undefined && number.weight < 2 && isDecimalSlip(number.valueE4, last)) {
    return reject(
      'out_of_bounds',
      `The last accepted value is ${rateText(last)}; a number more than ${SLIP_FACTOR} times as large or as small is used only when two people confirm it.${describeDecimalShift(number.valueE4, last)}`,
    );
  }
  return reject('used', 'It passed all checks.');
}

function describeShiftFromLast(valueE4: bigint, lastE4: bigint): string {
  const shift = describeDecimalShift(valueE4, lastE4);
  return shift === '' ? '' : ` The last accepted value is ${rateText(lastE4)}.${shift}`;
}

function isDecimalSlip(valueE4: bigint, lastE4: bigint): boolean {
  return valueE4 > lastE4 * SLIP_FACTOR || valueE4 * SLIP_FACTOR < lastE4;
}
