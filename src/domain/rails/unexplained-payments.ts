// Finds payments on a rail's own list that no payout of ours explains. A payment in progress counts, too, because our money may
// have left or another system may have ordered it. A payment that ended without moving money does not count.
import type { AttemptState } from '../records/movement.ts';

/** A payment on the rail's list. A missing value is null. */
export interface ListedPayment {
  /** The rail's own id for the payment. Two payments with one reference have different ids. */
  readonly id: string;
  readonly reference: string | null;
  readonly amountMinor: bigint | null;
  readonly accountNumber: string | null;
  /**
   * `open`: the payment may still be made. `ended`: it was not made, or its money was returned. An unknown status of the rail
   * counts as `open`.
   */
  readonly standing: 'open' | 'paid' | 'ended';
  readonly atMs: number;
}

export interface OwnPayout {
  readonly reference: string;
  readonly state: AttemptState;
  readonly amountMinor: bigint;
  readonly accountNumber: string;
}

/**
 * `not_ours`: no payout of ours has the reference of the payment. `paid_twice`: another payment already has the reference.
 * `had_ended`: our payout ended without being paid. `on_statement`: the statement of the account shows the payment, but the
 * books do not.
 */
export type PaymentDoubt =
  | 'not_ours'
  | 'paid_twice'
  | 'other_amount'
  | 'other_account'
  | 'had_ended'
  | 'on_statement';

export interface UnexplainedPayment {
  readonly payment: string;
  readonly reference: string | null;
  readonly amountMinor: bigint | null;
  readonly doubt: PaymentDoubt;
  readonly atMs: number;
}

export interface PaymentComparison {
  /** The payments that this comparison matched to our payouts for the first time. */
  readonly firsts: readonly { readonly reference: string; readonly payment: string }[];
  readonly unexplained: readonly UnexplainedPayment[];
}

/** `known`: the first payment that earlier comparisons saw under each reference. */
export function comparePayments(
  listed: readonly ListedPayment[],
  own: readonly OwnPayout[],
  known: ReadonlyMap<string, string>,
): PaymentComparison {
  const ours = new Map<string, OwnPayout[]>();
  for (const each of own) ours.set(each.reference, [...(ours.get(each.reference) ?? []), each]);
  const firsts = new Map(known);
  const unexplained: UnexplainedPayment[] = [];
  const inOrder = listed
    .filter(({ standing }) => standing !== 'ended')
    .toSorted((one, other) => one.atMs - other.atMs || (one.id < other.id ? -1 : 1));
  for (const payment of inOrder) {
    const { id, reference, amountMinor, atMs } = payment;
    const doubt = findPaymentDoubt(payment, reference === null ? [] : (ours.get(reference) ?? []), firsts);
    if (doubt !== null) unexplained.push({ payment: id, reference, amountMinor, doubt, atMs });
    if (reference !== null && ours.has(reference) && !firsts.has(reference)) firsts.set(reference, id);
  }
  const fresh = [...firsts].filter(([reference]) => !known.has(reference));
  return { firsts: fresh.map(([reference, payment]) => ({ reference, payment })), unexplained };
}

function findPaymentDoubt(
  { id, reference, amountMinor, accountNumber, standing }: ListedPayment,
  own: readonly OwnPayout[],
  firsts: ReadonlyMap<string, string>,
): PaymentDoubt | null {
  const [one] = own;
  if (reference === null || one === undefined) return 'not_ours';
  const first = firsts.get(reference);
  if (first !== undefined && first !== id) return 'paid_twice';
  if (amountMinor !== null && amountMinor !== one.amountMinor) return 'other_amount';
  if (accountNumber !== null && accountNumber !== one.accountNumber) return 'other_account';
  if (own.some(({ state }) => PAYING_STATES.has(state))) return null;
  // A list that is updated late may still show a refused payout as open. A payout that was never sent cannot be on any list.
  const wasRefused = own.every(({ state }) => state !== 'dead');
  return wasRefused && standing === 'open' ? null : 'had_ended';
}

const PAYING_STATES: ReadonlySet<AttemptState> = new Set(['prepared', 'accepted', 'unknown', 'landed']);
