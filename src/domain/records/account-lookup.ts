// A bank's answer about the account of a sell. The service queries the bank once, after it accepted the sell, to warn the
// business and to inform reviewers. The answer moves no money, because the payout depends on another lookup directly before it.
/** The verdicts of a lookup. The constraint of the database table has the same list. */
export const ACCOUNT_LOOKUP_VERDICTS = ['same_name', 'other_name', 'no_account'] as const;
export type AccountLookupVerdict = (typeof ACCOUNT_LOOKUP_VERDICTS)[number];

export interface AccountLookup {
  readonly transactionId: string;
  readonly rail: string;
  readonly verdict: AccountLookupVerdict;
  /** How similar the names are, from 0 to 100. Null: the account does not exist. */
  readonly score: number | null;
  /** The owner's name according to the bank. It is personal data, and only operators see it. */
  readonly bankSays: string | null;
  readonly atMs: number;
}

/** The code of the warning that the business reads. The warning never names the owner. */
export const ACCOUNT_LOOKUP_WARNINGS: Readonly<Record<AccountLookupVerdict, string | null>> = {
  same_name: null,
  other_name: 'account_name_differs',
  no_account: 'account_not_found',
};
