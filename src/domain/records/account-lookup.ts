// What a bank says about the account of a sell, asked once after the sell was accepted. It warns the business and informs
// reviewers; it moves nothing, because the question directly before the payout decides.
/** The verdicts, which the constraint of the table repeats. */
export const ACCOUNT_LOOKUP_VERDICTS = ['same_name', 'other_name', 'no_account'] as const;
export type AccountLookupVerdict = (typeof ACCOUNT_LOOKUP_VERDICTS)[number];

export interface AccountLookup {
  readonly transactionId: string;
  /** The rail that answered. */
  readonly rail: string;
  readonly verdict: AccountLookupVerdict;
  /** 0 to 100, how much the names are alike; null: there is no account. */
  readonly score: number | null;
  /** The owner's name. Personal data: shown to operators only. */
  readonly bankSays: string | null;
  readonly atMs: number;
}

/** The code of the warning that the business reads. It never names the owner. */
export const ACCOUNT_LOOKUP_WARNINGS: Readonly<Record<AccountLookupVerdict, string | null>> = {
  same_name: null,
  other_name: 'account_name_differs',
  no_account: 'account_not_found',
};
