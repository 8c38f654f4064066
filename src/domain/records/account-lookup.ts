// A bank's answer about the account of a sell. The bank is queried once, after the sell was accepted. It warns the business and
// informs reviewers. It moves no money: the payout depends on the lookup directly before it.
/** The verdicts. The constraint of the table has the same list. */
export const ACCOUNT_LOOKUP_VERDICTS = ['same_name', 'other_name', 'no_account'] as const;
export type AccountLookupVerdict = (typeof ACCOUNT_LOOKUP_VERDICTS)[number];

export interface AccountLookup {
  readonly transactionId: string;
  /** The rail that answered. */
  readonly rail: string;
  readonly verdict: AccountLookupVerdict;
  /** How similar the names are, from 0 to 100; null: there is no account. */
  readonly score: number | null;
  /** The owner's name. It is personal data and shown only to operators. */
  readonly bankSays: string | null;
  readonly atMs: number;
}

/** The code of the warning that the business reads. It never names the owner. */
export const ACCOUNT_LOOKUP_WARNINGS: Readonly<Record<AccountLookupVerdict, string | null>> = {
  same_name: null,
  other_name: 'account_name_differs',
  no_account: 'account_not_found',
};
