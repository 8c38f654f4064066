// Parses amounts as banks write them. A text is converted to kobo exactly, or it is refused.
import type { StatementSide } from './side.ts';

export type ParsedAmount =
  /** `side`: the mark CR or DR after the amount. Null: the amount has no such mark. */
  | { readonly kind: 'amount'; readonly minor: bigint; readonly side: StatementSide | null }
  | { readonly kind: 'none' }
  | { readonly kind: 'problem'; readonly reason: string };

/** An empty cell, or a cell with only the dashes that banks write instead of an amount. */
const EMPTY_CELL = /^[-\u2010-\u2015]*$/;
const SUFFIX = /\s*(CR|DR)\.?$/i;
const CURRENCY = /^(?:NGN|\u20a6|#|N(?=\s?\d))\s*/i;
const OTHER_CURRENCY = /^(?:[A-Z]{3}\s*[\d(+-]|[$\u20ac\u00a3\u00a5])|\d\s*(?!CR|DR)[A-Z]{3}$/i;
const BODY: Readonly<Record<'.' | ',', RegExp>> = {
  '.': /^(?=\D?\d)(\d*|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/,
  ',': /^(?=\D?\d)(\d*|\d{1,3}(?:\.\d{3})+)(?:,(\d*))?$/,
};
/** The maximum number of digits that the database can store. */
const MOST_DIGITS = 16;
/** No bank writes an amount or a day with more characters than this. */
const MOST_TEXT = 60;

/** `decimal`: the character between the naira and the kobo. */
export function parseStatementAmount(text: string, decimal: '.' | ',' = '.'): ParsedAmount {
  const given = text.replaceAll('\u00a0', ' ').trim();
  if (EMPTY_CELL.test(given)) return { kind: 'none' };
  if (given.length > MOST_TEXT) return { kind: 'problem', reason: 'the amount is too long' };
  const bracketed = /^\((.*)\)$/.exec(given);
  let rest = (bracketed?.[1] ?? given).trim();
  const suffix = SUFFIX.exec(rest)?.[1]?.toUpperCase();
  if (suffix !== undefined) rest = rest.replace(SUFFIX, '');
  // The sign may be before or after the currency symbol.
  const signs: string[] = [];
  const takeSign = () => {
    const sign = /^([+\-\u2212])\s*/.exec(rest);
    if (sign === null) return;
    signs.push(sign[1] === '+' ? '+' : '-');
    rest = rest.slice(sign[0].length);
  };
  takeSign();
  const plain = rest.replace(CURRENCY, '');
  if (plain === rest && OTHER_CURRENCY.test(rest))
    return { kind: 'problem', reason: 'the amount is not in naira' };
  if (plain !== rest) {
    rest = plain;
    takeSign();
  }
  const ways = signs.length + (bracketed === null ? 0 : 1) + (suffix === undefined ? 0 : 1);
  if (ways > 1) return { kind: 'problem', reason: 'the amount has two signs' };
  const body = BODY[decimal].exec(rest);
  if (body === null) return { kind: 'problem', reason: describeWrongForm(rest, decimal) };
  const minor = parseKobo(body[1]!, body[2] ?? '');
  if (typeof minor === 'string') return { kind: 'problem', reason: minor };
  const isNegative = signs[0] === '-' || bracketed !== null || suffix === 'DR';
  const side = suffix === undefined ? null : suffix === 'DR' ? 'debit' : 'credit';
  return { kind: 'amount', minor: isNegative ? -minor : minor, side };
}

/** The amount in kobo, or a text that describes the problem. */
function parseKobo(whole: string, kobo: string): bigint | string {
  if (kobo.length > 2) return 'the amount has more than two decimals';
  const naira = whole.replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  if (naira.length > MOST_DIGITS) return 'the amount is too large';
  return BigInt(naira) * 100n + BigInt(kobo.padEnd(2, '0'));
}

function describeWrongForm(text: string, decimal: '.' | ','): string {
  if (/^\d[\d.]*,\d{1,2}$/.test(text) && decimal === '.')
    return 'the amount is not written like 1,234.50 (a profile with "decimal": "," reads 1.234,50)';
  if (/^[\d.,]+e[+-]?\d+$/i.test(text))
    return 'the amount is written with an exponent, so digits may be lost';
  return `the amount is not written like ${decimal === '.' ? '1,234.50' : '1.234,50'}`;
}
