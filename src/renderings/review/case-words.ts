// The kinds, states and endings of cases, as the pages name them.
import { OPEN_QUESTIONS } from '../../domain/records/change.ts';

export const CASE_KINDS = [
  'credit_reversed',
  'payout_returned',
  'payout_paid_late',
  ...OPEN_QUESTIONS,
] as const;
export const CASE_STATES = ['open', 'closed'] as const;
export const CASE_OUTCOMES = [
  'recovered',
  'accepted',
  'paid_again',
  'sent_back',
  'written_off',
  'counted',
  'explained',
  'resolved',
] as const;
