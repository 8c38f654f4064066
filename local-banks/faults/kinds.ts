// The faults of a local bank, by name. A fault affects the requests of one operation on one rail. It lasts for a number of
// requests or for a period, or it applies with a probability. A seed makes the random choice repeatable.
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
 * Faults of the connection and of the HTTP response. From `timeout-after` on, these faults let the bank execute the request,
 * unless `worked` is false.
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
/** Faults of the receiving account. They apply to a name enquiry and to a payout. */
export const ACCOUNT_FAULTS = ['unknown-account', 'dormant', 'name-differs', 'bank-unavailable'] as const;
export const MONEY_FAULTS = ['insufficient', 'limit'] as const;
export const NOTICE_FAULTS = ['webhook-twice', 'webhook-late', 'webhook-lost'] as const;
/** Faults that leave the changes of the last seconds out of a list or a balance. */
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
  /** If absent, the fault applies to every rail. */
  readonly rail?: LocalRailName;
  /** `*` means any operation. If absent, the fault applies to the default operation of its kind. */
  readonly operation?: BankOperation | '*';
  readonly account?: string;
  readonly reference?: string;
  /** How many requests the fault affects. The default is 1 if `forSeconds` and `probability` are absent too. */
  readonly times?: number;
  /** How many seconds the fault stays active after it was set. */
  readonly forSeconds?: number;
  /** A probability from 0 to 1. The seed makes the random choice repeatable. */
  readonly probability?: number;
  readonly seed?: number;
  /**
   * The duration in seconds that this kind of fault needs: of a slow response, of a hidden or unfinished payout, or until a
   * payout is returned.
   */
  readonly seconds?: number;
  /** Depending on the kind of fault: a status word, a code, another name, or a balance in naira. */
  readonly value?: string;
  /** Whether the bank executes the request although its response is broken. */
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
