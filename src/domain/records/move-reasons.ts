// The reasons for the moves of a transaction, as a closed list of codes. The timeline and the transaction store one code for
// every move. A text of a person or a bank is never a reason: it is evidence that only operators read.
import type { TransactionException } from './exceptions.ts';

export const STEP_REASONS = [
  'accepted',
  'wallet_given',
  'refund_wallet_given',
  'cancelled_by_business',
  'payment_found',
  'payment_found_before_wallet',
  'paid_in_part',
  'paid_without_wallet',
  'payment_not_found',
  'payment_returning',
  'payment_reversed',
  'payment_reversed_after_use',
  'tokens_seen',
  'tokens_dropped',
  'tokens_in_part',
  'tokens_incomplete',
  'tokens_not_received',
  'tokens_late',
  'tokens_returning',
  'deposit_final',
  'trustline_missing',
  'tokens_reserved',
  'tokens_sent',
  'network_reorganised',
  'send_repeated',
  'tokens_arrived',
  'payout_reserved',
  'payout_refused',
  'payout_rerouted',
  'payout_made',
  'payout_repeated',
  'payout_paid_late',
  'refund_repeated',
  'refund_made',
  'released',
  'being_refunded',
] as const;

/** The public reasons that a reviewer may choose for a rejection or a refund. The reviewer's own text is the note. */
export const PUBLIC_REASONS = [
  'declined',
  'on_request',
  'name_mismatch',
  'duplicate_claim',
  'payment_not_found',
  'payment_incomplete',
  'details_unusable',
] as const;

export type StepReason = (typeof STEP_REASONS)[number];
export type PublicReason = (typeof PUBLIC_REASONS)[number];
export type MoveReason = TransactionException | StepReason | PublicReason;
