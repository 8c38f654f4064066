// Describes, for the person who decides, the reasons behind the score of a candidate.
import type { MatchReason } from './claim-evidence.ts';

/** The text of a reason for people. `field` is the field that the reason compares. Null: the reason compares no field. */
export interface ReasonDescription {
  readonly text: string;
  readonly field: 'amount' | 'reference' | 'account' | 'name' | 'bank' | 'time' | null;
  /** `for`: the two values agree. `against`: they differ. `weak`: they are similar, but that is not enough for a match. */
  readonly speaks: 'for' | 'weak' | 'against';
}

const REASON_DESCRIPTIONS: Readonly<Record<MatchReason, ReasonDescription>> = {
  amount_exact: { text: 'The amount is exact', field: 'amount', speaks: 'for' },
  amount_completes: {
    text: 'The amount completes this buy',
    field: 'amount',
    speaks: 'for',
  },
  amount_partial: { text: 'Less was paid than requested', field: 'amount', speaks: 'against' },
  amount_over: { text: 'More was paid than requested', field: 'amount', speaks: 'against' },
  reference_in_narration: { text: 'The narration names this buy', field: 'reference', speaks: 'for' },
  account_equal: { text: 'The account numbers are the same', field: 'account', speaks: 'for' },
  account_suffix: {
    text: 'The account numbers end the same; the bank hides the rest',
    field: 'account',
    speaks: 'weak',
  },
  account_in_narration: {
    text: 'The narration shows the account number; the payer may have written it',
    field: 'account',
    speaks: 'weak',
  },
  account_different: { text: 'The account numbers differ', field: 'account', speaks: 'against' },
  name_strong: { text: 'The names match', field: 'name', speaks: 'for' },
  name_weak: { text: 'The names are similar', field: 'name', speaks: 'weak' },
  name_different: { text: 'The names differ', field: 'name', speaks: 'against' },
  name_suspicious: {
    text: 'A name contains look-alike or invisible letters',
    field: 'name',
    speaks: 'against',
  },
  bank_equal: { text: 'The banks are the same', field: 'bank', speaks: 'for' },
  bank_different: { text: 'The banks differ', field: 'bank', speaks: 'against' },
  late: { text: 'Paid after the buy expired', field: 'time', speaks: 'against' },
  outside_window: {
    text: 'The payment and the buy are too far apart in time',
    field: 'time',
    speaks: 'against',
  },
};

/** A reason from another version of the rules is shown unchanged. */
export function describeMatchReason(reason: string): ReasonDescription {
  const known = (REASON_DESCRIPTIONS as Readonly<Record<string, ReasonDescription>>)[reason];
  return known ?? { text: reason, field: null, speaks: 'weak' };
}
