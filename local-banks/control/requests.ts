// Parses and checks each field of a request to the control port of the local banks.
import { type CreditPayer, type LocalRailName, RAILS } from '../books/entries.ts';
import { bankByAnyCode } from '../books/known-banks.ts';
import { type Kobo, parseNairaAsKobo } from '../books/money.ts';
import { BANK_OPERATIONS, type BankFault, FAULT_KINDS } from '../faults/kinds.ts';

/** The caller gets the message of this error with status 400. */
export class BadRequestError extends Error {
  override readonly name = 'BadRequest';
}

export type RequestFields = Readonly<Record<string, unknown>>;

export function readRail({ rail }: RequestFields): LocalRailName {
  return requireOneOf('rail', rail, RAILS);
}

export function readAmount(fields: RequestFields, field = 'amount'): Kobo {
  const kobo = parseNairaAsKobo(fields[field]);
  if (kobo === undefined) throw new BadRequestError(`${field} must be naira as text, such as "15000.00".`);
  return kobo;
}

export function readText(fields: RequestFields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string' || value === '') throw new BadRequestError(`${field} must be a text.`);
  return value;
}

export function readAccountNumber(fields: RequestFields, field: string): string {
  const number = readText(fields, field);
  if (!/^\d{10}$/.test(number)) throw new BadRequestError(`${field} must be ten digits.`);
  return number;
}

export function readDay(fields: RequestFields, field: string): string | undefined {
  if (fields[field] === undefined) return undefined;
  const day = readText(fields, field);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day))
    throw new BadRequestError(`${field} must be a day such as 2026-11-16.`);
  return day;
}

export function readNip(fields: RequestFields): string {
  const code = readText(fields, 'bankCode');
  const known = bankByAnyCode(code);
  if (known === undefined)
    throw new BadRequestError(`bankCode ${code} is no bank: give its CBN, NIP or Paystack code.`);
  return known.nip;
}

export function readPayer(fields: RequestFields): CreditPayer {
  if (typeof fields.payer !== 'object' || fields.payer === null)
    throw new BadRequestError('payer must be an object with accountNumber, name and bankCode.');
  const payer = fields.payer as RequestFields;
  const shown = payer.shown === undefined ? 'usual' : requireOneOf('payer.shown', payer.shown, SHOWN);
  return {
    nip: readNip(payer),
    number: readAccountNumber(payer, 'accountNumber'),
    name: readText(payer, 'name'),
    shown,
  };
}

const SHOWN = ['usual', 'full', 'blank', 'null'] as const;

export function readUrl({ url }: RequestFields): string | null {
  if (url === null) return null;
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new BadRequestError('url must be a URL, or null for none.');
  return url;
}

const NUMBERS = ['times', 'forSeconds', 'probability', 'seed', 'seconds'] as const;
const TEXTS = ['account', 'reference', 'value'] as const;

export function readFault(fields: RequestFields): BankFault {
  const fault: Record<string, unknown> = { kind: requireOneOf('kind', fields.kind, FAULT_KINDS) };
  if (fields.rail !== undefined) fault.rail = readRail(fields);
  if (fields.operation !== undefined)
    fault.operation = requireOneOf('operation', fields.operation, [...BANK_OPERATIONS, '*'] as const);
  for (const field of NUMBERS) {
    if (fields[field] === undefined) continue;
    if (typeof fields[field] !== 'number') throw new BadRequestError(`${field} must be a number.`);
    fault[field] = fields[field];
  }
  for (const field of TEXTS) if (fields[field] !== undefined) fault[field] = readText(fields, field);
  if (fields.worked !== undefined) fault.worked = fields.worked === true;
  return fault as unknown as BankFault;
}

function requireOneOf<Value extends string>(field: string, value: unknown, all: readonly Value[]): Value {
  const found = all.find((each) => each === value);
  if (found === undefined) throw new BadRequestError(`${field} must be one of ${all.join(', ')}.`);
  return found;
}
