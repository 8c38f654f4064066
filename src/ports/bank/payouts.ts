// What a rail that pays does: name the owner of an account, pay out under our reference, and say what became of it. It
// pays a reference at most once, and says `failed` only when it never will.
import type { AccountDestination } from '../../domain/records/movement.ts';

export interface PayoutOrder {
  /** Ours, and the same for every try: the rail pays a reference at most once. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly destination: AccountDestination;
  /** The transaction it is for; goes into the narration. */
  readonly about: string | null;
  /**
   * True: no call with this reference can have reached the rail before. Only then is a refusal of the call a refusal of the payout. A
   * reference that was paid may be refused afterwards for another reason, such as no money left: then the rail is asked instead.
   */
  readonly isFirst?: boolean;
}

export interface NameQuestion {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** The name our customer gave: some rails want it with the question. */
  readonly expectedName: string | null;
  readonly about: string | null;
}

/**
 * Whose fault a refusal is. `payout`: the account or the order; every rail would refuse it. `rail`: the rail itself (its balance,
 * its limit, its contract); another rail may pay it.
 */
export type Fault = 'payout' | 'rail';

export type PayoutStatus =
  | { readonly kind: 'pending' }
  /** `chargeMinor` null: the rail does not say, so the table of bank charges holds (domain/catalogue/bank-charges.ts). */
  | { readonly kind: 'paid'; readonly sessionId: string | null; readonly chargeMinor: bigint | null }
  /** Terminal: it was not paid and will not be. Everything less certain is `unknown`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly fault: Fault }
  /** It was paid, and the money is back in our account. */
  | { readonly kind: 'returned'; readonly reason: string }
  /**
   * Only of `pay`: not one byte of this order left (no name, no route, connection refused, or a call that comes before the order
   * failed). It proves nothing about earlier calls with the same reference.
   */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The rail does not know the reference. Just after an unknown outcome this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type NameEnquiry =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** What the rail says is in the account that it pays from. */
export type RailBalance =
  | { readonly kind: 'known'; readonly availableMinor: bigint }
  | { readonly kind: 'unknown'; readonly reason: string };

/** No call throws because of what the bank answers or fails to answer: that is an outcome. */
export interface Payouts {
  /** Whether it can pay accounts of this bank of our directory at all. Makes no call. */
  reaches(bankCode: string): boolean;
  enquireName(question: NameQuestion): Promise<NameEnquiry>;
  pay(order: PayoutOrder): Promise<PayoutStatus>;
  ask(reference: string): Promise<PayoutStatus>;
  balance(): Promise<RailBalance>;
}
