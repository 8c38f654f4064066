// Payouts and refunds by bank as the session API answers them.
import type { Tone } from '../../../parts/tone.ts';

export interface Payout {
  readonly id: string;
  readonly kind: 'payout' | 'refund';
  readonly state: string;
  readonly reason: string | null;
  readonly amount: string;
  readonly to: {
    readonly bank_code: string;
    readonly bank: string;
    readonly account_number: string;
    readonly account_name: string | null;
  } | null;
  readonly from_account: string | null;
  readonly rail: string | null;
  readonly reference: string | null;
  readonly attempts: number;
  readonly next_try_at: string | null;
  readonly sure_at: string | null;
  readonly needs_people: boolean;
  readonly business_id: string | null;
  readonly business_name: string | null;
  readonly transaction_id: string | null;
  readonly credit_id: string | null;
  readonly case_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface PayoutPage {
  readonly payouts: readonly Payout[];
  /** On the first page alone. */
  readonly unknown_for_long: readonly Payout[];
  readonly next_cursor: string | null;
}

export const STATES = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Waiting' },
  { value: 'sending', label: 'Under way' },
  { value: 'unknown', label: 'Unknown' },
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'returned', label: 'Returned' },
] as const;

/** What a state means for the naira. */
const MEANS: Readonly<Record<string, string>> = {
  pending: 'It has not been given to a bank.',
  sending: 'A bank has it and has not said how it ended.',
  unknown:
    'The bank gives no certain answer. It is asked about all the time, and never paid again before the answer is certain.',
  done: 'The bank has paid it.',
  failed: 'It was not paid, and nothing will be tried again.',
  returned: 'The bank had paid it, and the naira came back.',
};

interface Standing {
  readonly means: string;
  /** Where the state alone does not say it. */
  readonly shown?: { readonly tone: Tone; readonly label: string };
}

/** How it stands with a payout, as people read it. */
export function standingOf({
  state,
  sure_at: sureAt,
  needs_people: needsPeople,
}: Pick<Payout, 'state' | 'sure_at' | 'needs_people'>): Standing {
  if (needsPeople)
    return {
      means:
        'No answer of the bank proves how it ended. It is not paid again before two people have found out.',
      shown: { tone: 'person', label: 'Needs people' },
    };
  if (sureAt !== null)
    return {
      means:
        'The bank refused it. We make sure that it does not pay it after all before anything else is done.',
      shown: { tone: 'progress', label: 'Making sure' },
    };
  return { means: MEANS[state] ?? '' };
}
