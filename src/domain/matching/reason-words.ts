// The reasons of a candidate's score in words, for the person who decides.
import type { Reason } from './evidence.ts';

/** What a reason says about the field it compares; null: it is about none. */
export interface ReasonWords {
  readonly text: string;
  readonly field: 'amount' | 'reference' | 'account' | 'name' | 'bank' | 'time' | null;
  /** `for`: they agree. `against`: they differ. `weak`: alike, which is not enough. */
  readonly speaks: 'for' | 'weak' | 'against';
}

const WORDS: Readonly<Record<Reason, ReasonWords>> = {
  amount_exact: { text: 'The amount is exact', field: 'amount', speaks: 'for' },
  amount_completes: {
    text: 'The amount is what was missing of this buy',
    field: 'amount',
    speaks: 'for',
  },
  amount_partial: { text: 'Less was paid than is asked for', field: 'amount', speaks: 'against' },
  amount_over: { text: 'More was paid than is asked for', field: 'amount', speaks: 'against' },
  reference_in_narration: { text: 'The narration names this buy', field: 'reference', speaks: 'for' },
  account_equal: { text: 'The whole account number is the same', field: 'account', speaks: 'for' },
  account_suffix: {
    text: 'The end of the account number is the same; the bank hides the rest',
    field: 'account',
    speaks: 'weak',
  },
  account_different: { text: 'The account number is another one', field: 'account', speaks: 'against' },
  name_strong: { text: 'The names are the same person’s', field: 'name', speaks: 'for' },
  name_weak: { text: 'The names are alike', field: 'name', speaks: 'weak' },
  name_different: { text: 'The names differ', field: 'name', speaks: 'against' },
  name_suspicious: {
    text: 'A name has letters that look like others, or letters that cannot be seen',
    field: 'name',
    speaks: 'against',
  },
  bank_equal: { text: 'The bank is the same', field: 'bank', speaks: 'for' },
  bank_different: { text: 'The bank is another one', field: 'bank', speaks: 'against' },
  late: { text: 'It was paid after the buy expired', field: 'time', speaks: 'against' },
  outside_window: {
    text: 'The payment and the buy lie too far apart in time',
    field: 'time',
    speaks: 'against',
  },
};

/** A reason of another version of the rules is shown as it is. */
export function reasonWords(reason: string): ReasonWords {
  const known = (WORDS as Readonly<Record<string, ReasonWords>>)[reason];
  return known ?? { text: reason, field: null, speaks: 'weak' };
}
