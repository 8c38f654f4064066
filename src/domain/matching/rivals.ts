// Which of several claims remain when a credit fits more than one. A claim falls out only because evidence speaks
// against it or the payer's words name another, never because it said less.
import type { ClaimEvidence } from './claim-evidence.ts';

/** The claims that the payer's words name, or else all; without those that something speaks against, if it can. */
export function dropContradicted(all: readonly ClaimEvidence[]): readonly ClaimEvidence[] {
  const named = all.filter((one) => one.referenced);
  // The payer's words say one claim and the payer's account another: both stay, and a person decides.
  if (named.length > 0 && !named.some(isUncontradicted) && all.some(isUncontradicted))
    return all.filter((one) => one.referenced || isUncontradicted(one));
  const pool = named.length > 0 ? named : all;
  return pool.some(isUncontradicted) ? pool.filter((one) => one.against === null) : pool;
}

function isUncontradicted(one: ClaimEvidence): boolean {
  return one.identified && one.against === null;
}

/**
 * A better name or a known bank decides between claims of one business. Between businesses it does not: a
 * stranger who knows a payer's name could write it better than the payer's own claim did, and be paid for it (threat 16).
 */
export function preferWithinBusiness(all: readonly ClaimEvidence[]): readonly ClaimEvidence[] {
  const businessId = all[0]?.claim.businessId;
  if (!all.every((one) => one.against === null && one.claim.businessId === businessId)) return all;
  // A claim of this very amount goes before one that was paid in part and misses as much.
  const exact = all.filter((one) => one.amount === 'exact');
  const fitting = exact.length > 0 ? exact : all;
  const strong = fitting.filter((one) => one.nameStrong);
  const named = strong.length > 0 ? strong : fitting;
  const sameBank = named.filter((one) => one.bankEqual);
  return sameBank.length > 0 ? sameBank : named;
}

/**
 * Claims like one that this payment would complete, which may have been made after its first part: that part, and this
 * one, may be meant for them. For one business and one wallet it makes no difference.
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
