// What a rail with payouts does: it returns the name of an account's owner, pays under our reference, and reports the outcome.
// The service does not rely on a rail to pay a reference only once or to report correctly (domain/rails/payout-outcome.ts).
import type { Fault, PayoutStatus } from '../../domain/rails/payout-outcome.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';

export interface PayoutOrder {
  /** Our reference for the payout. It is the same for every attempt. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly destination: AccountDestination;
  /** The transaction of the payout. It appears in the narration. */
  readonly about: string | null;
  /**
   * True if no earlier call with this reference can have reached the rail. Only then does a refusal of the call mean that the
   * payout is refused. The rail may refuse a later call for another reason, such as an empty balance, although the reference is
   * paid. In that case the service queries the rail.
   */
  readonly isFirst?: boolean;
}

export interface NameEnquiryRequest {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** The account name that our customer gave. Some rails need it to look up the account. */
  readonly expectedName: string | null;
  readonly about: string | null;
}

export type { Fault, PayoutStatus };

export type NameEnquiryAnswer =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type RailBalance =
  | { readonly kind: 'known'; readonly availableMinor: bigint }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An error response or a missing response of the bank never throws; both are outcomes. */
export interface RailPayouts {
  /** Whether the rail can pay to accounts at this bank of our directory. This function makes no call. */
  reaches(bankCode: string): boolean;
  enquireName(question: NameEnquiryRequest): Promise<NameEnquiryAnswer>;
  pay(order: PayoutOrder): Promise<PayoutStatus>;
  ask(reference: string): Promise<PayoutStatus>;
  balance(): Promise<RailBalance>;
}
