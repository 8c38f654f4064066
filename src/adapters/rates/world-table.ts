// Reads a table of currency units per dollar, which is updated once a day (open.er-api.com/v6/latest/USD). Naira per unit is
// naira per dollar divided by units per dollar.
import { CURRENCIES } from '../../domain/rates/rates.ts';
import type { ReportedRate } from '../../domain/rates/reading.ts';
import { fieldOf } from '../json.ts';
import { decimalIn, parseAnswerJson, unixTimeIn } from './answer-json.ts';
import { quotientE4 } from './decimal.ts';
import { MEBIBYTE, type SourceKind, sourceRefusal, unreadableAnswer } from './source-kind.ts';

const ERROR_TYPE = /^[a-z][a-z-]{0,39}$/;

export const worldTable: SourceKind = {
  mostBytes: MEBIBYTE,
  options: {},
  parse: ({ text }) => {
    const answer = parseAnswerJson(text);
    const result = fieldOf(answer, 'result');
    if (result === 'error') throw sourceRefusal(`The source answers with an error${errorIn(answer)}.`);
    if (result !== 'success') throw unreadableAnswer('The answer has no "result" that is "success".');
    if (fieldOf(answer, 'base_code') !== 'USD')
      throw unreadableAnswer('"base_code" is not "USD": the URL must ask for the rates of the dollar.');
    const asOfMs = unixTimeIn(fieldOf(answer, 'time_last_update_unix'));
    if (asOfMs === undefined) throw unreadableAnswer('"time_last_update_unix" is not a Unix time.');
    return ratesIn(fieldOf(answer, 'rates'), asOfMs);
  },
};

function ratesIn(table: unknown, asOfMs: number): ReportedRate[] {
  const naira = decimalIn(fieldOf(table, 'NGN'));
  if (naira === undefined) throw unreadableAnswer('"rates" has no number for NGN.');
  const rates = CURRENCIES.flatMap((currency): ReportedRate[] => {
    const units = decimalIn(fieldOf(table, currency));
    const valueE4 = units === undefined ? undefined : quotientE4(naira, units);
    return valueE4 === undefined ? [] : [{ currency, valueE4, asOfMs }];
  });
  if (rates.length === 0) throw unreadableAnswer('"rates" has no number for any currency that is served.');
  return rates;
}

function errorIn(answer: unknown): string {
  const type = fieldOf(answer, 'error-type');
  return typeof type === 'string' && ERROR_TYPE.test(type) ? `: ${type}` : '';
}
