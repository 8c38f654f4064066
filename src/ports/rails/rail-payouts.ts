// What a rail that pays does: name the owner of an account, pay out under our reference, and say what became of it. Whether it pays a
// reference once, and means what it says, is not taken on trust (domain/rails/payout-outcome.ts).
import type { Fault, PayoutStatus } from '../../domain/rails/payout-outcome.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';

export interface PayoutOrder {
  /** Our reference, the same for every try. */
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

export interface NameEnquiryRequest {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** The name our customer gave: some rails want it with the question. */
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

/** No call throws because of what the bank answers or fails to answer: that is an outcome. */
export interface RailPayouts {
  /** Whether it can pay accounts of this bank of our directory at all. Makes no call. */
  reaches(bankCode: string): boolean;
  enquireName(question: NameEnquiryRequest): Promise<NameEnquiryAnswer>;
  pay(order: PayoutOrder): Promise<PayoutStatus>;
  ask(reference: string): Promise<PayoutStatus>;
  balance(): Promise<RailBalance>;
}
