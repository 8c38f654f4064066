// The kinds of cases in words.
import type { Case } from '../../../api/console-types.ts';

export type CaseKind = Case['kind'];

const ABOUT_ACCOUNTS: readonly CaseKind[] = [
  'report_left_over',
  'reports_disagree',
  'reconciliation_difference',
  'credit_not_found',
];

/** It is about a bank account and a day, and of no business yet. */
export function isAboutAccount(kind: CaseKind): boolean {
  return ABOUT_ACCOUNTS.includes(kind);
}

interface KindWords {
  readonly kind: CaseKind;
  /** Of one case. */
  readonly one: string;
  readonly many: string;
  /** What happened, and how it can end. */
  readonly lead: string;
}

export const KINDS: readonly KindWords[] = [
  {
    kind: 'payout_returned',
    one: 'Returned payout',
    many: 'Returned payouts',
    lead: 'A bank sent the naira of a payout or a refund back. They are paid again to a corrected account, or the tokens go back; naira of a refund without an owner are written off.',
  },
  {
    kind: 'payout_paid_late',
    one: 'Payout made after all',
    many: 'Payouts made after all',
    lead: 'A bank made a payout that it had refused or returned. It is counted as the payout while the customer still waits; otherwise the money is recovered, or accepted as lost.',
  },
  {
    kind: 'credit_reversed',
    one: 'Payment taken back',
    many: 'Payments taken back',
    lead: 'A bank took a payment back after its tokens had left. The money is recovered from the business, or accepted as lost.',
  },
  {
    kind: 'report_left_over',
    one: 'Report without a credit',
    many: 'Reports without a credit',
    lead: 'A statement or another source reports money that the source of the account does not. Two people count it as a credit, or explain it.',
  },
  {
    kind: 'reports_disagree',
    one: 'Reports that disagree',
    many: 'Reports that disagree',
    lead: 'Two reports of one transfer, by its session id, differ in amount, payer or account. Ask the bank, and close the case as explained.',
  },
  {
    kind: 'reconciliation_difference',
    one: 'Difference to the bank',
    many: 'Differences to the bank',
    lead: 'The books and the bank differ on a day, and nothing explains it. Book what is missing, or close the case as explained.',
  },
  {
    kind: 'credit_not_found',
    one: 'Payment that a bank no longer finds',
    many: 'Payments that a bank no longer finds',
    lead: 'A bank had settled a payment, and answers for hours that it does not know it. Nothing was booked. Look at the statement: close the case as explained while the money is there, or count it as taken back.',
  },
  {
    kind: 'deposit_short',
    one: 'Deposit that did not arrive whole',
    many: 'Deposits that did not arrive whole',
    lead: 'Less lies at a deposit address than came there by the token’s own records: the token keeps a fee, or its issuer took some of it. Nothing was credited. It counts by itself once all of it lies there; otherwise agree with the customer, and close the case as explained.',
  },
];

export function kindWords(kind: CaseKind): KindWords {
  return KINDS.find((each) => each.kind === kind) ?? KINDS[0]!;
}

const OUTCOMES: Readonly<Record<NonNullable<Case['outcome']>, string>> = {
  paid_again: 'Paid again',
  sent_back: 'Sent back',
  written_off: 'Written off',
  recovered: 'Recovered',
  accepted: 'Accepted as lost',
  counted: 'Counted',
  explained: 'Explained',
  resolved: 'Explained by a later statement',
};

/** Earlier versions closed cases without a posting. */
export function outcomeWords(outcome: Case['outcome']): string {
  return outcome === null ? 'Closed by hand' : OUTCOMES[outcome];
}
