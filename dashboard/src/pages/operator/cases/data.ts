// Cases as the session API answers them, and their kinds in words.

export type CaseKind = 'credit_reversed' | 'payout_returned' | 'payout_paid_late';

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
  readonly amount: string;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly closed_by: string | null;
  readonly outcome: string | null;
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
  counted: 'Late payout counted',
};

/** Earlier versions closed cases without a posting. */
export function outcomeWords(outcome: string | null): string {
  return outcome === null ? 'Closed by hand' : (OUTCOMES[outcome] ?? outcome);
}
