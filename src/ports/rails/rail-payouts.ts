// What a rail with payouts does: it names the owner of an account, pays under our reference, and reports the outcome. We do not
// rely on it to pay a reference only once, or to report correctly (domain/rails/payout-outcome.ts).
import type { Fault, PayoutStatus } from '../../domain/rails/payout-outcome.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';

export interface PayoutOrder {
  /** Our reference, the same for every attempt. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly destination: AccountDestination;
  /** The transaction of the payout; used in the narration. */
  readonly about: string | null;
  /**
   * True: no earlier call with this reference can have reached the rail. Only then is a refusal of the call a refusal
   * of the payout. A paid reference may later be refused for another reason, such as an empty balance: then the rail is
   * queried instead.
   */
  readonly isFirst?: boolean;
}

export interface NameEnquiryRequest {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** The name that our customer gave: some rails require it for the lookup. */
  readonly expectedName: string | null;
  readonly about: string | null;
}

export type { Fault, PayoutStatus };

export type NameEnquiryAnswer =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The balance of the payout account according to the rail. */
export type RailBalance =
  | { readonly kind: 'known'; readonly availableMinor: bigint }
  | { readonly kind: 'unknown'; readonly reason: string };

/** No call throws because of an answer or a missing answer of the bank: both are outcomes. */
export interface RailPayouts {
  /** Whether it can pay accounts of this bank in our directory. Makes no call. */
  reaches(bankCode: string): boolean;
  enquireName(question: NameEnquiryRequest): Promise<NameEnquiryAnswer>;
  pay(order: PayoutOrder): Promise<PayoutStatus>;
  ask(reference: string): Promise<PayoutStatus>;
  balance(): Promise<RailBalance>;
}
