// The entries in the journal of the local banks, one per line. The state of every account follows only from the entries and the
// time. Therefore a bank that was killed has the same state after its restart.
import type { Kobo } from './money.ts';

export const RAILS = ['providus', 'paystack', 'monnify'] as const;
export type LocalRailName = (typeof RAILS)[number];

export type PayoutState = 'pending' | 'paid' | 'failed' | 'reversed';
/** Why a bank did not pay, in the project's own terms. Each provider has its own code for each reason. */
export const REFUSAL_REASONS = [
  'unknown-bank',
  'unknown-account',
  'dormant',
  'name-differs',
  'insufficient',
  'limit',
  'bank-unavailable',
  'refused',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** The state of the payout from this many milliseconds after the order. */
export interface PayoutStep {
  readonly afterMs: number;
  readonly state: PayoutState;
  readonly reason?: RefusalReason;
  /** The status word of the provider, if it is not the usual word for the state. */
  readonly word?: string;
}

export interface Payout {
  readonly rail: LocalRailName;
  readonly id: number;
  readonly reference: string;
  readonly amountKobo: Kobo;
  /** The charge is added to the amount once the payout is paid. If the payout is returned, the bank keeps the charge. */
  readonly chargeKobo: Kobo;
  /** The code of the bank that receives the payout. */
  readonly nip: string;
  readonly number: string;
  readonly name: string;
  readonly narration: string;
  readonly sessionId: string;
  readonly at: number;
  readonly steps: readonly PayoutStep[];
  /** For this many milliseconds, a status query does not find the payout although it is in progress. */
  readonly hiddenMs: number;
  /** True means that this is a second payment of the same order, although the bank got only one request. */
  readonly isTwin?: true;
}

export interface CreditPayer {
  readonly nip: string;
  readonly number: string;
  readonly name: string;
  /** How the provider shows the payer: as usual, in full, with blanks, or with the text "null". */
  readonly shown: 'usual' | 'full' | 'blank' | 'null';
}

export interface Credit {
  readonly rail: LocalRailName;
  readonly id: number;
  readonly account: string;
  readonly amountKobo: Kobo;
  /** The amount that the provider should collect, if it differs from the paid amount. */
  readonly dueKobo?: Kobo;
  readonly feeKobo: Kobo;
  readonly payer: CreditPayer;
  readonly narration: string;
  readonly sessionId: string;
  readonly settlementId: string;
  readonly reference: string;
  readonly at: number;
}

/** An account of a person or a business at any bank. The operator does not own it. */
export interface ForeignAccount {
  /** The code of the account's bank. `*` means every bank. */
  readonly nip: string;
  readonly number: string;
  readonly name: string;
  readonly state: 'open' | 'dormant' | 'unknown';
}

export interface OwnAccount {
  readonly rail: LocalRailName;
  readonly id: number;
  readonly nip: string;
  readonly number: string;
  readonly name: string;
  readonly reference: string;
  readonly at: number;
}

/** Paystack pays only to recipients, and a client must create a recipient first. */
export interface Recipient {
  readonly id: number;
  readonly code: string;
  readonly nip: string;
  readonly number: string;
  readonly name: string;
  readonly at: number;
}

export type JournalEntry =
  | { readonly type: 'payout'; readonly payout: Payout }
  | {
      readonly type: 'reversal';
      readonly rail: LocalRailName;
      readonly reference: string;
      readonly at: number;
    }
  | { readonly type: 'credit'; readonly credit: Credit }
  | { readonly type: 'taken-back'; readonly rail: LocalRailName; readonly id: number; readonly at: number }
  | { readonly type: 'top-up'; readonly rail: LocalRailName; readonly amountKobo: Kobo; readonly at: number }
  | { readonly type: 'foreign-account'; readonly account: ForeignAccount }
  | { readonly type: 'own-account'; readonly account: OwnAccount }
  | { readonly type: 'recipient'; readonly recipient: Recipient }
  | { readonly type: 'webhooks'; readonly rail: LocalRailName; readonly url: string | null }
  | { readonly type: 'validation'; readonly rail: LocalRailName; readonly url: string | null }
  | {
      readonly type: 'notice';
      readonly notice: string;
      readonly how: 'delivered' | 'lost' | 'no-url' | 'given-up';
    };
