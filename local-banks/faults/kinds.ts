// The faults of a local bank, by name. A fault affects requests of one operation of one rail: a number of times, for a while, or
// with a probability that is reproducible by a seed.
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

/** The connection and the HTTP answer. With those of the second group the work is done unless `worked` is false. */
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
/** The outcome of an accepted payout. */
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
/** About the paid account, in a name enquiry and in a payout. */
export const ACCOUNT_FAULTS = ['unknown-account', 'dormant', 'name-differs', 'bank-unavailable'] as const;
export const MONEY_FAULTS = ['insufficient', 'limit'] as const;
export const NOTICE_FAULTS = ['webhook-twice', 'webhook-late', 'webhook-lost'] as const;
/** What a list or a balance does not include yet, for this many seconds. */
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
  /** Any when it is `*`; the kind's own when absent. */
  readonly operation?: BankOperation | '*';
  /** Only for this account number, or this reference. */
  readonly account?: string;
  readonly reference?: string;
  /** How many requests it affects; 1 if neither this nor `forSeconds` nor `probability` is set. */
  readonly times?: number;
  /** How long it is active after it is set. */
  readonly forSeconds?: number;
  /** From 0 to 1, drawn with the seed. */
  readonly probability?: number;
  readonly seed?: number;
  /** The wait of this kind: slow, hidden, in progress, until the return. */
  readonly seconds?: number;
  /** A status word, a code, another name, or a balance in naira. */
  readonly value?: string;
  /** Whether the work is done although the answer is broken. */
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
