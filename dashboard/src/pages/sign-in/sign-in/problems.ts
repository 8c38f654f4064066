// The texts for problems of a sign-in through the identity provider. docs/extend/console-api.md lists the same problems.
export const PROBLEMS: Readonly<Record<string, string>> = {
  attempt_ended: 'This sign-in took too long, was used before, or began in another browser. Begin again.',
  sign_in_failed:
    'The identity provider did not confirm you, or no operator here has your address. Try again, or use your password.',
  second_factor_missing: 'You have no second factor yet. Sign in with your password to set up the first one.',
  provider_unavailable: 'The identity provider does not answer. Try again in a moment, or use your password.',
};

export function problemOf(code: string): string {
  return PROBLEMS[code] ?? 'The sign-in failed. Try again.';
}
