// The versions of the rules of matching. Every version stays executable, so that a decision of the past can be made again; what
// tells the versions apart is written here and nowhere else.

export interface MatchingRules {
  readonly version: number;
  /** A payment from another account of the same name is shown to reviewers beside the claims it may be meant for. */
  readonly otherAccounts: boolean;
  /** A payment counts together with the parts of a claim that came before it. */
  readonly topUps: boolean;
  /** A value date without a time is a whole day in Lagos, and not its first moment. */
  readonly datesAreDays: boolean;
  /** A cancelled claim of exactly the amount goes before open claims of other amounts. */
  readonly cancelledBeforeDiffering: boolean;
}

const VERSIONS: readonly MatchingRules[] = [
  {
    version: 1,
    otherAccounts: false,
    topUps: false,
    datesAreDays: false,
    cancelledBeforeDiffering: false,
  },
  { version: 2, otherAccounts: true, topUps: true, datesAreDays: true, cancelledBeforeDiffering: true },
];

export const MATCHING_RULE_VERSIONS: readonly number[] = VERSIONS.map(({ version }) => version);

/** The rules that decide credits now. Their version is recorded with every decision and raised by every change to a rule. */
export const CURRENT_MATCHING_RULES: MatchingRules = VERSIONS.at(-1)!;

export function findMatchingRules(version: number): MatchingRules | undefined {
  return VERSIONS.find((rules) => rules.version === version);
}
