// What a rail with payouts does: it returns the name of an account's owner, pays under our reference, and reports the outcome.
// The service does not trust a rail to pay a reference only once or to report correctly (domain/rails/payout-outcome.ts).
import type { Fault, PayoutStatus } from '../../domain/rails/payout-outcome.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';

export interface PayoutOrder {
  /** Our reference, the same for every attempt. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly destination: AccountDestination;
  /** The transaction of the payout; it appears in the narration. */
  readonly about: string | null;
  /**
   * True if no earlier call with this reference can have reached the rail. Only then does a refusal of the call mean that the
   * payout is refused. A later call for a paid reference may be refused for another reason, such as an empty balance; in that
   * case the rail is queried instead.
   */
  readonly isFirst?: boolean;
}

export interface NameEnquiryRequest {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** The name that our customer gave; some rails require it for the lookup. */
  readonly expectedName: string | null;
  readonly about: string | null;
}

export type { Fault, PayoutStatus };

export type NameEnquiryAnswer =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The balance of the payout account as the rail reports it. */
export type RailBalance =
  | { readonly kind: 'known'; readonly availableMinor: bigint }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An error response or a missing response of the bank never throws: both are outcomes. */
export interface RailPayouts {
  /** Whether the rail can pay to accounts at this bank of our directory. Makes no call. */
  reaches(bankCode: string): boolean;
  enquireName(question: NameEnquiryRequest): Promise<NameEnquiryAnswer>;
  pay(order: PayoutOrder): Promise<PayoutStatus>;
  ask(reference: string): Promise<PayoutStatus>;
  balance(): Promise<RailBalance>;
}
