// The format of Paystack's responses, its documented errors, and the paging of its lists.
import type { BankRequest, LocalBankAnswer } from '../http/server.ts';

export const paystackSuccess = (message: string, data: unknown, status = 200): LocalBankAnswer => ({
  status,
  body: { status: true, message, data },
});

interface PaystackProblem {
  readonly message: string;
  readonly nextStep: string;
  readonly code: string;
}

export function paystackFailure(
  status: number,
  { message, nextStep, code }: PaystackProblem,
  type = 'validation_error',
): LocalBankAnswer {
  return { status, body: { status: false, message, meta: { nextStep }, type, code } };
}

export const paystackNotFound = (message: string, code: string): LocalBankAnswer =>
  paystackFailure(404, {
    message,
    nextStep: 'Ensure that the value passed exists on this integration',
    code,
  });

const MOST = 100;
const USUAL = 50;

export function paystackPage<Row extends { readonly at: number }>(
  { query }: BankRequest,
  rows: readonly Row[],
  { message, show }: { readonly message: string; show(row: Row): unknown },
): LocalBankAnswer {
  const [from, to] = [dateOf(query.get('from')), dateOf(query.get('to'))];
  if (from === 'invalid' || to === 'invalid') {
    const bound = from === 'invalid' ? 'from' : 'to';
    const nextStep = `Ensure you're passing the '${bound}' parameter in ISO 8601 format`;
    return paystackFailure(400, { message: `Invalid '${bound}' date`, nextStep, code: 'invalid_params' });
  }
  const inside = rows
    .filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at <= to))
    .toReversed();
  const perPage = Math.min(countOf(query.get('perPage')) ?? USUAL, MOST);
  const page = countOf(query.get('page')) ?? 1;
  const data = inside.slice((page - 1) * perPage, page * perPage).map(show);
  const total = inside.length;
  const meta = { total, skipped: (page - 1) * perPage, perPage, page, pageCount: Math.ceil(total / perPage) };
  return { status: 200, body: { status: true, message, data, meta } };
}

function countOf(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
}

function dateOf(text: string | null): number | undefined | 'invalid' {
  if (text === null || text === '') return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 'invalid' : at;
}

export const paystackIsoTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}.000Z`;
export const INTEGRATION = 463_433;
