// What needs a person, in words: one line for each kind, the same for every reader.
import type { WaitingKind } from '../../ports/operations/operations-desk.ts';

/** `critical`: money stands still. `warning`: a person has to decide. `notice`: to be known. */
export type Severity = 'critical' | 'warning' | 'notice';

/** Where a page shows it. */
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
  /** The tab of the page. */
  readonly tab: string | null;
  readonly title: string;
  readonly what: string;
}

export const WAITING_WORDS: Readonly<Record<WaitingKind, WaitingWords>> = {
  stuck: {
    severity: 'critical',
    page: 'treasury',
    tab: null,
    title: 'Money under way for too long',
    what: 'Sends, payouts or refunds began more than 15 minutes ago and have not ended.',
  },
  unknown_payouts: {
    severity: 'critical',
    page: 'payouts',
    tab: null,
    title: 'Payouts with an unknown outcome',
    what: 'Their rail gives no certain answer. They are asked about all the time. Ask the bank, with the reference of the attempt; do not pay them by hand.',
  },
  credits: {
    severity: 'warning',
    page: 'review',
    tab: 'credits',
    title: 'Bank credits in review',
    what: 'Payments came in, and no rule says which buy they pay.',
  },
  holds: {
    severity: 'warning',
    page: 'review',
    tab: 'transactions',
    title: 'Transactions on hold',
    what: 'They wait until two people release or refund them.',
  },
  refunds: {
    severity: 'warning',
    page: 'review',
    tab: 'refunds',
    title: 'Refunds without a destination, or refused',
    what: 'They wait for an account or an address.',
  },
  deposits: {
    severity: 'warning',
    page: 'review',
    tab: 'deposits',
    title: 'Token deposits in review',
    what: 'Tokens came in that pay for nothing.',
  },
  notices: {
    severity: 'warning',
    page: 'review',
    tab: 'notices',
    title: 'Notices of the bank in review',
    what: 'The bank reported something that fits no record.',
  },
  cases: {
    severity: 'warning',
    page: 'cases',
    tab: null,
    title: 'Open cases',
    what: 'Banks took payments back, returned payouts or paid twice: each waits until two people end it.',
  },
  freezes: {
    severity: 'warning',
    page: 'stops',
    tab: null,
    title: 'Frozen businesses',
    what: 'Their money stands still until two people lift the freeze.',
  },
  need_two: {
    severity: 'notice',
    page: 'treasury',
    tab: null,
    title: 'Deposits that need a second provider',
    what: 'One provider alone has vouched for as much as it may in an hour.',
  },
  quarantined: {
    severity: 'notice',
    page: 'review',
    tab: 'quarantined',
    title: 'Reports that could not be read, of the last day',
    what: 'A bank or a network reported something that cannot be understood. It is kept as it came.',
  },
};
