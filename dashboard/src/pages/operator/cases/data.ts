// Cases as the session API answers them, and their kinds in words.

export type CaseKind = 'credit_reversed' | 'payout_returned' | 'payout_paid_late' | Question;

/** Nothing of it is in the books yet. */
type Question =
  | 'report_left_over'
  | 'reports_disagree'
  | 'reconciliation_difference'
  | 'credit_not_found'
  | 'deposit_short';

const ABOUT_ACCOUNTS: readonly string[] = [
  'report_left_over',
  'reports_disagree',
  'reconciliation_difference',
  'credit_not_found',
] satisfies readonly Question[];

/** It is about a bank account and a day, and of no business yet. */
export function isAboutAccount(kind: CaseKind): boolean {
  return ABOUT_ACCOUNTS.includes(kind);
}

export interface Case {
  readonly id: string;
  readonly kind: CaseKind;
  readonly what: string;
  readonly state: 'open' | 'closed';
  readonly business_id: string | null;
  readonly business_name: string | null;
  readonly transaction_id: string | null;
  readonly credit_id: string | null;
  readonly movement_id: string | null;
  readonly about: string | null;
  /** Of a question: the bank account that it is about, and the day. */
  readonly account: string | null;
  readonly day: string | null;
  readonly amount: string;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly closed_by: string | null;
  readonly outcome: string | null;
}

/** What was reported, and no credit fits it. */
export interface CaseReport {
  readonly source: string;
  readonly source_id: string;
  readonly account_number: string;
  readonly account_bank_code: string | null;
  readonly payer_name: string | null;
  readonly payer_account: string | null;
  readonly payer_bank: string | null;
  readonly narration: string | null;
  readonly session_id: string | null;
  readonly amount: string;
  readonly balance: string | null;
  readonly value_at: string;
  readonly received_at: string;
}

/** What the books have above the bank, or below it. */
export interface CaseDifference {
  readonly account: string;
  readonly day: string;
  readonly what: string;
  readonly next: string | null;
  readonly amount: string;
  readonly narration: string | null;
}

/** A deposit that did not arrive whole. */
export interface CaseDeposit {
  readonly id: string;
  readonly state: string;
  readonly network: string;
  readonly asset: string;
  readonly tx_hash: string;
  readonly address: string;
  readonly sender: string | null;
  /** By the token's own records; null: its decimals are not known. */
  readonly said: string | null;
  /** In naira. */
  readonly missing: string;
  readonly next: string;
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

export function kindWords(kind: string): KindWords {
  return KINDS.find((each) => each.kind === kind) ?? KINDS[0]!;
}

const OUTCOMES: Readonly<Record<string, string>> = {
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
export function outcomeWords(outcome: string | null): string {
  return outcome === null ? 'Closed by hand' : (OUTCOMES[outcome] ?? outcome);
}
