// Reads the ticker of an exchange for USDT against naira (Quidax, markets/tickers/usdtngn). A USDT counts as a dollar. The rate
// is the midpoint of the best bid and the best ask. The last trade is not used, because its time is not known.
import { fieldOf } from '../json.ts';
import { decimalIn, parseAnswerJson, unixTimeIn } from './answer-json.ts';
import { compareDecimals, type Decimal, middleOf, toE4 } from './decimal.ts';
import { MEBIBYTE, type SourceKind, sourceRefusal, unreadableAnswer } from './source-kind.ts';

/**
 * The maximum difference between bid and ask, as a percentage of the bid. With a larger difference, no trade happens at the
 * midpoint.
 */
const WIDEST_PERCENT = 5n;

export const exchangeTicker: SourceKind = {
  mostBytes: MEBIBYTE,
  options: {},
  parse: ({ text }) => {
    const answer = parseAnswerJson(text);
    const status = fieldOf(answer, 'status');
    if (status === 'error') throw sourceRefusal('The source answers with an error.');
    if (status !== 'success') throw unreadableAnswer('The answer has no "status" that is "success".');
    const data = fieldOf(answer, 'data');
    const asOfMs = unixTimeIn(fieldOf(data, 'at'));
    if (asOfMs === undefined) throw unreadableAnswer('"data.at" is not a Unix time.');
    const ticker = fieldOf(data, 'ticker');
    const buy = offerIn(ticker, 'buy');
    const sell = offerIn(ticker, 'sell');
    const valueE4 = toE4(priceBetween(buy, sell));
    if (valueE4 === undefined) throw unreadableAnswer('"buy" and "sell" are too large for a rate.');
    return [{ currency: 'USD', valueE4, asOfMs }];
  },
};

function offerIn(ticker: unknown, name: 'buy' | 'sell'): Decimal {
  const offer = decimalIn(fieldOf(ticker, name));
  if (offer === undefined) throw unreadableAnswer(`"data.ticker.${name}" is not a number.`);
  return offer;
}

function priceBetween(buy: Decimal, sell: Decimal): Decimal {
  const [lower, upper] = compareDecimals(buy, sell) <= 0 ? [buy, sell] : [sell, buy];
  // Zero means that there is no bid or no ask. The zero is reported unchanged, so that the rate book shows it. The midpoint of
  // zero and the other price would be wrong.
  if (lower.units <= 0n) return lower;
  if (lower !== buy) throw unreadableAnswer('The offer to buy is above the offer to sell.');
  const widest = { units: buy.units * (100n + WIDEST_PERCENT), scale: buy.scale + 2 };
  if (compareDecimals(upper, widest) > 0)
    throw unreadableAnswer(`The offers to buy and to sell are more than ${WIDEST_PERCENT} % apart.`);
  return middleOf(buy, sell);
}
