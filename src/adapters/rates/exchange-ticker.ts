// The ticker of an exchange for USDT against naira (Quidax, markets/tickers/usdtngn). A USDT counts as a dollar. The rate is the
// middle between the best offer to buy and the best offer to sell; the last trade is not used, because its time is not known.
import { fieldOf } from '../json.ts';
import { decimalIn, jsonOf, unixTimeIn } from './answer-json.ts';
import { compare, type Decimal, middleOf, toE4 } from './decimal.ts';
import { MEBIBYTE, refused, type SourceKind, unreadable } from './source-kind.ts';

/** In percent of the offer to buy: in a market further apart, the middle is a price at which no one trades. */
const WIDEST_PERCENT = 5n;

export const exchangeTicker: SourceKind = {
  mostBytes: MEBIBYTE,
  options: {},
  parse: ({ text }) => {
    const answer = jsonOf(text);
    const status = fieldOf(answer, 'status');
    if (status === 'error') throw refused('The source answers with an error.');
    if (status !== 'success') throw unreadable('The answer has no "status" that is "success".');
    const data = fieldOf(answer, 'data');
    const asOfMs = unixTimeIn(fieldOf(data, 'at'));
    if (asOfMs === undefined) throw unreadable('"data.at" is not a Unix time.');
    const ticker = fieldOf(data, 'ticker');
    const buy = offerIn(ticker, 'buy');
    const sell = offerIn(ticker, 'sell');
    const valueE4 = toE4(priceBetween(buy, sell));
    if (valueE4 === undefined) throw unreadable('"buy" and "sell" are too large for a rate.');
    return [{ currency: 'USD', valueE4, asOfMs }];
  },
};

function offerIn(ticker: unknown, name: 'buy' | 'sell'): Decimal {
  const offer = decimalIn(fieldOf(ticker, name));
  if (offer === undefined) throw unreadable(`"data.ticker.${name}" is not a number.`);
  return offer;
}

function priceBetween(buy: Decimal, sell: Decimal): Decimal {
  const [lower, upper] = compare(buy, sell) <= 0 ? [buy, sell] : [sell, buy];
  // Zero stands for no offer. It is reported as it is, so that the book shows it; the half of the other offer is no price.
  if (lower.units <= 0n) return lower;
  if (lower !== buy) throw unreadable('The offer to buy is above the offer to sell.');
  const widest = { units: buy.units * (100n + WIDEST_PERCENT), scale: buy.scale + 2 };
  if (compare(upper, widest) > 0)
    throw unreadable(`The offers to buy and to sell are more than ${WIDEST_PERCENT} % apart.`);
  return middleOf(buy, sell);
}
