// What a person or a test asks of the local banks through the control port, read and checked field by field.
import type { Payer, Rail } from '../books/entries.ts';
import { RAILS } from '../books/entries.ts';
import { bankByAnyCode } from '../books/known-banks.ts';
import { type Kobo, koboOfNaira } from '../books/money.ts';
import { type Fault, KINDS, OPERATIONS } from '../faults/kinds.ts';

/** The message is for the caller: 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

export type Fields = Readonly<Record<string, unknown>>;

export function railOf({ rail }: Fields): Rail {
  return oneOf('rail', rail, RAILS);
}

export function amountOf(fields: Fields, field = 'amount'): Kobo {
  const kobo = koboOfNaira(fields[field]);
  if (kobo === undefined) throw new BadRequest(`${field} must be naira as text, such as "15000.00".`);
  return kobo;
}

export function textOf(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string' || value === '') throw new BadRequest(`${field} must be a text.`);
  return value;
}

export function accountNumberOf(fields: Fields, field: string): string {
  const number = textOf(fields, field);
  if (!/^\d{10}$/.test(number)) throw new BadRequest(`${field} must be ten digits.`);
  return number;
}

/** Undefined when it is not given. */
export function dayOfField(fields: Fields, field: string): string | undefined {
  if (fields[field] === undefined) return undefined;
  const day = textOf(fields, field);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new BadRequest(`${field} must be a day such as 2026-11-16.`);
  return day;
}

/** The NIP code of the bank, whichever of its three codes was given. */
export function nipOf(fields: Fields): string {
  const code = textOf(fields, 'bankCode');
  const known = bankByAnyCode(code);
  if (known === undefined)
    throw new BadRequest(`bankCode ${code} is no bank: give its CBN, NIP or Paystack code.`);
  return known.nip;
}

export function payerOf(fields: Fields): Payer {
  if (typeof fields.payer !== 'object' || fields.payer === null)
    throw new BadRequest('payer must be an object with accountNumber, name and bankCode.');
  const payer = fields.payer as Fields;
  const shown = payer.shown === undefined ? 'usual' : oneOf('payer.shown', payer.shown, SHOWN);
  return {
    nip: nipOf(payer),
    number: accountNumberOf(payer, 'accountNumber'),
    name: textOf(payer, 'name'),
    shown,
  };
}

const SHOWN = ['usual', 'full', 'blank', 'null'] as const;

export function urlOf({ url }: Fields): string | null {
  if (url === null) return null;
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new BadRequest('url must be a URL, or null for none.');
  return url;
}

const NUMBERS = ['times', 'forSeconds', 'probability', 'seed', 'seconds'] as const;
const TEXTS = ['account', 'reference', 'value'] as const;

export function faultOf(fields: Fields): Fault {
  const fault: Record<string, unknown> = { kind: oneOf('kind', fields.kind, KINDS) };
  if (fields.rail !== undefined) fault.rail = railOf(fields);
  if (fields.operation !== undefined)
    fault.operation = oneOf('operation', fields.operation, [...OPERATIONS, '*'] as const);
  for (const field of NUMBERS) {
    if (fields[field] === undefined) continue;
    if (typeof fields[field] !== 'number') throw new BadRequest(`${field} must be a number.`);
    fault[field] = fields[field];
  }
  for (const field of TEXTS) if (fields[field] !== undefined) fault[field] = textOf(fields, field);
  if (fields.worked !== undefined) fault.worked = fields.worked === true;
  return fault as unknown as Fault;
}

function oneOf<Value extends string>(field: string, value: unknown, all: readonly Value[]): Value {
  const found = all.find((each) => each === value);
  if (found === undefined) throw new BadRequest(`${field} must be one of ${all.join(', ')}.`);
  return found;
}
