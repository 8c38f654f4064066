// Turns the items that need attention into text: one line for each kind of item, the same for every reader.
import type { WaitingKind } from '../../ports/operations/operations-store.ts';

/** `critical`: money is blocked. `warning`: a person must decide. `notice`: the item is only information. */
export type Severity = 'critical' | 'warning' | 'notice';

export type AttentionPage =
  | 'stops'
  | 'treasury'
  | 'rails'
  | 'payouts'
  | 'review'
  | 'proposals'
  | 'cases'
  | 'businesses'
  | 'people'
  | 'vendors'
  | 'rates';

export interface WaitingWords {
  readonly severity: Severity;
  readonly page: AttentionPage;
  readonly tab: string | null;
  readonly title: string;
  readonly what: string;
}

export const WAITING_WORDS: Readonly<Record<WaitingKind, WaitingWords>> = {
  stuck: {
    severity: 'critical',
    page: 'treasury',
    tab: null,
    title: 'Movements in progress for too long',
    what: 'Sends, payouts or refunds started more than 15 minutes ago and are not finished.',
  },
  unknown_payouts: {
    severity: 'critical',
    page: 'payouts',
    tab: null,
    title: 'Payouts with an unknown outcome',
    what: 'Their rail has not confirmed the outcome. The service keeps asking. Ask the bank, quoting the reference of the attempt; do not pay them manually.',
  },
  credits: {
    severity: 'warning',
    page: 'review',
    tab: 'credits',
    title: 'Bank credits in review',
    what: 'Payments arrived that no rule could match to a buy.',
  },
  holds: {
    severity: 'warning',
    page: 'review',
    tab: 'transactions',
    title: 'Transactions on hold',
    what: 'Two people must release or refund them.',
  },
  refunds: {
    severity: 'warning',
    page: 'review',
    tab: 'refunds',
    title: 'Refunds that were refused or have no destination',
    what: 'They need an account or an address.',
  },
  deposits: {
    severity: 'warning',
    page: 'review',
    tab: 'deposits',
    title: 'Token deposits in review',
    what: 'Tokens arrived that match no sell.',
  },
  notices: {
    severity: 'warning',
    page: 'review',
    tab: 'notices',
    title: 'Bank notices in review',
    what: 'The bank reported something that matches no record.',
  },
  cases: {
    severity: 'warning',
    page: 'cases',
    tab: null,
    title: 'Open cases',
    what: 'Banks reversed payments, returned payouts or paid twice. Two people must resolve each case.',
  },
  freezes: {
    severity: 'warning',
    page: 'stops',
    tab: null,
    title: 'Frozen businesses',
    what: 'Their money is blocked until two people lift the freeze.',
  },
  need_two: {
    severity: 'notice',
    page: 'treasury',
    tab: null,
    title: 'Deposits that need a second provider',
    what: 'A single provider has reached the hourly amount that it may confirm alone.',
  },
  quarantined: {
    severity: 'notice',
    page: 'review',
    tab: 'quarantined',
    title: 'Unreadable reports of the last day',
    what: 'A bank or a network reported something that the service could not read. It is stored as received.',
  },
};
