// The texts for the kinds of cases.
import type { Case } from '../../../api/console-types.ts';

export type CaseKind = Case['kind'];

const ABOUT_ACCOUNTS: readonly CaseKind[] = [
  'report_left_over',
  'reports_disagree',
  'reconciliation_difference',
  'credit_not_found',
];

/** True means that the case is about a bank account and a day. Such a case does not yet belong to a business. */
export function isAboutAccount(kind: CaseKind): boolean {
  return ABOUT_ACCOUNTS.includes(kind);
}

interface KindWords {
  readonly kind: CaseKind;
  readonly one: string;
  readonly many: string;
  readonly lead: string;
}

export const KINDS: readonly KindWords[] = [
  {
    kind: 'payout_returned',
    one: 'Returned payout',
    many: 'Returned payouts',
    lead: 'A bank returned a payout or a refund. Pay it again to a corrected account, or return the tokens; write off a refund whose owner cannot be found.',
  },
  {
    kind: 'payout_paid_late',
    one: 'Late payout',
    many: 'Late payouts',
    lead: 'A bank paid after it had refused or returned the payout. If the customer is still waiting, count it as the payout; otherwise recover the money or accept the loss.',
  },
  {
    kind: 'credit_reversed',
    one: 'Reversed payment',
    many: 'Reversed payments',
    lead: 'A bank reversed a payment after its tokens were sent. Recover the money from the business, or accept the loss.',
  },
  {
    kind: 'report_left_over',
    one: 'Report without a credit',
    many: 'Reports without a credit',
    lead: 'A statement or another source reports money that the source of the account does not. Count it as a credit, or explain it.',
  },
  {
    kind: 'reports_disagree',
    one: 'Conflicting reports',
    many: 'Conflicting reports',
    lead: 'Two reports with the same session id differ in amount, payer or account. Ask the bank, then close the case as explained.',
  },
  {
    kind: 'reconciliation_difference',
    one: 'Reconciliation difference',
    many: 'Reconciliation differences',
    lead: 'The books and the bank differ without explanation. Book the missing item, or close the case as explained.',
  },
  {
    kind: 'credit_not_found',
    one: 'Payment not found',
    many: 'Payments not found',
    lead: 'For hours, a bank has not found a payment that it had settled. Nothing was booked. Check the statement: if the money is there, close the case as explained; otherwise count it as a reversal.',
  },
  {
    kind: 'deposit_short',
    one: 'Short deposit',
    many: 'Short deposits',
    lead: 'A deposit address holds less than the token’s records say: the token charges a fee, or its issuer took some of the tokens. Nothing was credited. The deposit counts automatically once the full amount is there; otherwise agree with the customer and close the case as explained.',
  },
];

export function kindWords(kind: CaseKind): KindWords {
  return KINDS.find((each) => each.kind === kind) ?? KINDS[0]!;
}

const OUTCOMES: Readonly<Record<NonNullable<Case['outcome']>, string>> = {
  paid_again: 'Paid again',
  sent_back: 'Tokens returned',
  written_off: 'Written off',
  recovered: 'Recovered',
  accepted: 'Accepted as a loss',
  counted: 'Counted',
  explained: 'Explained',
  resolved: 'Explained by a later statement',
};

/** An earlier version could close a case without a posting. Such a case has no outcome. */
export function outcomeWords(outcome: Case['outcome']): string {
  return outcome === null ? 'Closed manually' : OUTCOMES[outcome];
}
