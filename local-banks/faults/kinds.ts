// What can be made to go wrong at a local bank, by name. A fault meets requests of one operation of one rail, so many times,
// for a while, or with a probability that a seed makes the same again.
import type { Rail } from '../books/entries.ts';

export const OPERATIONS = [
  'login',
  'banks',
  'name',
  'recipient',
  'pay',
  'status',
  'payouts',
  'balance',
  'credits',
  'webhook',
  'validation',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The connection and the HTTP answer. Those of the second group have done the work unless `worked` is false. */
export const TRANSPORT = [
  'timeout-before',
  'cut-before',
  'too-many',
  'unauthorized',
  'error-500',
  'error-502',
  'error-503',
  'slow',
  'timeout-after',
  'cut-after',
  'cut-middle',
  'not-json',
  'unknown-status',
  'slow-after',
  'repeated-field',
] as const;
/** What becomes of a payout that was taken up. */
export const OUTCOMES = [
  'in-progress-then-success',
  'in-progress-then-failure',
  'success-then-reversed',
  'failed-then-success',
  'word',
  'hidden',
  'paid-twice',
  'refused',
] as const;
/** About the account that is paid, in a name enquiry and in a payout. */
export const ACCOUNTS = ['unknown-account', 'dormant', 'name-differs', 'bank-unavailable'] as const;
export const MONEY = ['insufficient', 'limit'] as const;
export const NOTICES = ['webhook-twice', 'webhook-late', 'webhook-lost'] as const;
/** What a list or a balance does not know yet, for so many seconds. */
export const LAGS = ['list-lags', 'balance-lags'] as const;
export const KINDS = [
  ...TRANSPORT,
  ...OUTCOMES,
  ...ACCOUNTS,
  ...MONEY,
  ...NOTICES,
  ...LAGS,
  'not-found',
  'wrong-balance',
] as const;
export type FaultKind = (typeof KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Every rail when absent. */
  readonly rail?: Rail;
  /** Any when it is `*`; the kind's own when absent. */
  readonly operation?: Operation | '*';
  /** Only for this account number, or this reference. */
  readonly account?: string;
  readonly reference?: string;
  /** How many requests it meets; 1 when neither this nor `forSeconds` nor `probability` is given. */
  readonly times?: number;
  /** For how long it can be met, from when it is set. */
  readonly forSeconds?: number;
  /** From 0 to 1, drawn from the seed. */
  readonly probability?: number;
  readonly seed?: number;
  /** The wait that the kind is about: slow, hidden, in progress, until it comes back. */
  readonly seconds?: number;
  /** A status word, a code, another name, or a balance in naira. */
  readonly value?: string;
  /** Whether the work is done although the answer is broken. */
  readonly worked?: boolean;
}

const USUAL: Partial<Record<FaultKind, Operation>> = {
  'unknown-account': 'name',
  'name-differs': 'name',
  'not-found': 'status',
  'wrong-balance': 'balance',
  'balance-lags': 'balance',
  'list-lags': 'payouts',
  'webhook-twice': 'webhook',
  'webhook-late': 'webhook',
  'webhook-lost': 'webhook',
};

export function operationOf({ kind, operation }: Fault): Operation | '*' {
  return operation ?? USUAL[kind] ?? 'pay';
}
