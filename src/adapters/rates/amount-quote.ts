// Reads a rate source that quotes one amount of USDC in naira (Paycrest, v1/rates/USDC/{amount}/NGN). The response is one
// number, which depends on the amount. A USDC counts as a dollar. The response contains no time, so it is dated at the time of
// the request, or earlier if a cache kept it.
import { fieldOf } from '../json.ts';
import { decimalIn, parseAnswerJson } from './answer-json.ts';
import { toE4 } from './decimal.ts';
import {
  MEBIBYTE,
  type SourceAnswer,
  type SourceKind,
  sourceRefusal,
  unreadableAnswer,
} from './source-kind.ts';

export const amountQuote: SourceKind = {
  mostBytes: MEBIBYTE,
  options: {
    amount: {
      pattern: /^(?:[1-9]\d{0,8}|0)(?:\.\d{1,6})?(?<!^0(?:\.0+)?)$/,
      what: 'an amount of dollars in quotes, such as "100"',
    },
  },
  parse: (answer) => {
    const quote = parseAnswerJson(answer.text);
    const status = fieldOf(quote, 'status');
    if (status === 'error') throw sourceRefusal('The source answers with an error.');
    if (status !== 'success') throw unreadableAnswer('The answer has no "status" that is "success".');
    const rate = decimalIn(fieldOf(quote, 'data'));
    const valueE4 = rate === undefined ? undefined : toE4(rate);
    if (valueE4 === undefined) throw unreadableAnswer('"data" is not a number.');
    return [{ currency: 'USD', valueE4, asOfMs: timeOf(answer) }];
  },
};

/** A `date` in the future is not used, because then the clock of the rate source must be wrong. */
function timeOf({ askedAtMs, datedMs, cachedForMs }: SourceAnswer): number {
  const asked = askedAtMs - cachedForMs;
  return datedMs === null ? asked : Math.min(asked, datedMs);
}
