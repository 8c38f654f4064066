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
}

export interface NameQuestion {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** The name our customer gave: some rails want it with the question. */
  readonly expectedName: string | null;
  readonly about: string | null;
}

export type PayoutStatus =
  | { readonly kind: 'pending' }
  | { readonly kind: 'paid'; readonly sessionId: string | null; readonly chargeMinor: bigint }
  /** Terminal: it was not paid and will not be. Everything less certain is `unknown`. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The rail does not know the reference. Just after an unknown outcome this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type NameEnquiry =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** No call throws because of what the bank answers or fails to answer: that is an outcome. */
export interface Payouts {
  enquireName(question: NameQuestion): Promise<NameEnquiry>;
  pay(order: PayoutOrder): Promise<PayoutStatus>;
  ask(reference: string): Promise<PayoutStatus>;
}
