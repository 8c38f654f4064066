// All versions of the matching rules. Every version can still run, so that an earlier decision can be repeated. Only this file
// defines the differences between the versions.

export interface MatchingRules {
  readonly version: number;
  /** Reviewers see a payment from another account with the same name, together with the claims that it may be meant for. */
  readonly otherAccounts: boolean;
  /** A payment counts together with the earlier partial payments of a claim. */
  readonly topUps: boolean;
  /** A value date without a time means the whole day in Lagos, not its first moment. */
  readonly datesAreDays: boolean;
  /** A cancelled claim for exactly this amount is preferred to open claims for other amounts. */
  readonly cancelledBeforeDiffering: boolean;
  /**
   * The claim's account number in the narration counts, if the bank gives no number: together with a strong name match and the
   * exact amount it identifies the payer.
   */
  readonly narratedAccounts: boolean;
}

const SINCE_VERSION_2 = {
  ...{ otherAccounts: true, topUps: true, datesAreDays: true, cancelledBeforeDiffering: true },
};

const VERSIONS: readonly MatchingRules[] = [
  {
    version: 1,
    otherAccounts: false,
    topUps: false,
    datesAreDays: false,
    cancelledBeforeDiffering: false,
    narratedAccounts: false,
  },
  { ...SINCE_VERSION_2, version: 2, narratedAccounts: false },
  { ...SINCE_VERSION_2, version: 3, narratedAccounts: true },
];

export const MATCHING_RULE_VERSIONS: readonly number[] = VERSIONS.map(({ version }) => version);

/**
 * The current matching rules. Every decision stores the version of its rules, and every change of a rule increases the version.
 */
export const CURRENT_MATCHING_RULES: MatchingRules = VERSIONS.at(-1)!;

export function findMatchingRules(version: number): MatchingRules | undefined {
  return VERSIONS.find((rules) => rules.version === version);
}
