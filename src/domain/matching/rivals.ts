// Decides which claims remain when several claims fit one credit. A claim is dropped only if evidence contradicts it or the
// narration names another claim, never because the claim has fewer details.
import type { ClaimEvidence } from './claim-evidence.ts';

/**
 * Returns the claims that the narration names, or all claims if it names none. Contradicted claims are dropped if any other
 * claim remains.
 */
export function dropContradicted(all: readonly ClaimEvidence[]): readonly ClaimEvidence[] {
  const named = all.filter((one) => one.referenced);
  // The narration names one claim, and the account fits another claim. Both claims stay, and a person decides.
  if (named.length > 0 && !named.some(isUncontradicted) && all.some(isUncontradicted))
    return all.filter((one) => one.referenced || isUncontradicted(one));
  const pool = named.length > 0 ? named : all;
  return pool.some(isUncontradicted) ? pool.filter((one) => one.against === null) : pool;
}

function isUncontradicted(one: ClaimEvidence): boolean {
  return one.identified && one.against === null;
}

/**
 * A better name match or a known bank decides only between claims of one business. A stranger who knows a payer's name could
 * write the name more exactly than the payer's own claim does. Between businesses, this stranger would then receive the tokens
 * (threat 16).
 */
export function preferWithinBusiness(all: readonly ClaimEvidence[]): readonly ClaimEvidence[] {
  const businessId = all[0]?.claim.businessId;
  if (!all.every((one) => one.against === null && one.claim.businessId === businessId)) return all;
  const exact = all.filter((one) => one.amount === 'exact');
  const fitting = exact.length > 0 ? exact : all;
  const strong = fitting.filter((one) => one.nameStrong);
  const named = strong.length > 0 ? strong : fitting;
  const sameBank = named.filter((one) => one.bankEqual);
  return sameBank.length > 0 ? sameBank : named;
}

/**
 * Claims for the same amount as a claim that this payment would complete. Such a claim may be newer than the first partial
 * payment, so both payments may be meant for it. Claims of the same business and wallet are left out, because either choice has
 * the same result.
 */
export function findEqualsOfCompleted(
  exact: readonly ClaimEvidence[],
  differing: readonly ClaimEvidence[],
): readonly ClaimEvidence[] {
  const completed = exact.filter((one) => one.amount === 'completes').map(({ claim }) => claim);
  return differing.filter(
    ({ claim, against }) =>
      against === null &&
      completed.some(
        (own) =>
          own.amountMinor === claim.amountMinor &&
          (own.businessId !== claim.businessId || own.walletKey !== claim.walletKey),
      ),
  );
}

export function oldestFirst(a: ClaimEvidence, b: ClaimEvidence): number {
  return (
    a.claim.createdAtMs - b.claim.createdAtMs || (a.claim.transactionId < b.claim.transactionId ? -1 : 1)
  );
}
