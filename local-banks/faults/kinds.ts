// The faults of a local bank, by name. A fault affects requests of one operation on one rail: a number of times, for a period, or
// with a probability that a seed makes reproducible.
import type { LocalRailName } from '../books/entries.ts';

export const BANK_OPERATIONS = [
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
export type BankOperation = (typeof BANK_OPERATIONS)[number];

/**
 * Faults of the connection and of the HTTP response. With the faults from `timeout-after` on, the request is executed unless
 * `worked` is false.
 */
export const TRANSPORT_FAULTS = [
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
/** Faults of the outcome of an accepted payout. */
export const OUTCOME_FAULTS = [
  'in-progress-then-success',
  'in-progress-then-failure',
  'success-then-reversed',
  'failed-then-success',
  'word',
  'hidden',
  'paid-twice',
  'refused',
] as const;
/** Faults of the paid account, in a name enquiry and in a payout. */
export const ACCOUNT_FAULTS = ['unknown-account', 'dormant', 'name-differs', 'bank-unavailable'] as const;
export const MONEY_FAULTS = ['insufficient', 'limit'] as const;
export const NOTICE_FAULTS = ['webhook-twice', 'webhook-late', 'webhook-lost'] as const;
/** Faults that leave the newest changes out of a list or a balance, for this many seconds. */
export const LAG_FAULTS = ['list-lags', 'balance-lags'] as const;
export const FAULT_KINDS = [
  ...TRANSPORT_FAULTS,
  ...OUTCOME_FAULTS,
  ...ACCOUNT_FAULTS,
  ...MONEY_FAULTS,
  ...NOTICE_FAULTS,
  ...LAG_FAULTS,
  'not-found',
  'wrong-balance',
] as const;
export type BankFaultKind = (typeof FAULT_KINDS)[number];

export interface BankFault {
  readonly kind: BankFaultKind;
  /** Every rail when absent. */
  readonly rail?: LocalRailName;
  /** `*`: any operation; absent: the default operation of this kind. */
  readonly operation?: BankOperation | '*';
  /** The fault applies only to this account number, or this reference. */
  readonly account?: string;
  readonly reference?: string;
  /** How many requests it affects; 1 if neither this nor `forSeconds` nor `probability` is set. */
  readonly times?: number;
  /** How long it is active after it is set. */
  readonly forSeconds?: number;
  /** A probability from 0 to 1; the draws use the seed. */
  readonly probability?: number;
  readonly seed?: number;
  /** The duration that this kind needs: of a slow response, of a hidden or unfinished payout, or until the return. */
  readonly seconds?: number;
  /** A status word, a code, another name, or a balance in naira. */
  readonly value?: string;
  /** Whether the request is executed although its response is broken. */
  readonly worked?: boolean;
}

const USUAL: Partial<Record<BankFaultKind, BankOperation>> = {
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

export function operationOf({ kind, operation }: BankFault): BankOperation | '*' {
  return operation ?? USUAL[kind] ?? 'pay';
}
