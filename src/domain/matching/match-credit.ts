// Decides which open claim a bank credit pays, from facts alone, and explains why. A match sends tokens, so a person decides
// every doubtful case. A credit that fits two equal claims pays neither of them (threats 16, 20, 21, 22).
import type { MatchDecision, MatchException, MatchVerdict } from '../records/match-decision.ts';
import { type ClaimEvidence, weighClaim } from './claim-evidence.ts';
import type { ClaimFacts, CreditFacts } from './facts.ts';
import { parseName } from './name-match.ts';
import { dropContradicted, findEqualsOfCompleted, oldestFirst, preferWithinBusiness } from './rivals.ts';
import type { MatchingRules } from './rules.ts';

export interface MatchContext {
  readonly nowMs: number;
  /** The maximum time between the payment and the creation of the claim. Either of them may come first. */
  readonly windowMs: number;
  /** How long matching waits for the exact credit or for the claim to arrive. */
  readonly graceMs: number;
  /** The ids of unmatched credits with the same credited account, amount and payer, oldest first. This credit is included. */
  readonly equalCredits: readonly string[];
  readonly rules: MatchingRules;
}

/** The claims must be open buys in the mode and on the vendor account of the credit. */
export function matchCredit(
  credit: CreditFacts,
  claims: readonly ClaimFacts[],
  context: MatchContext,
): MatchDecision {
  const payer = parseName(credit.payerName);
  const candidates = claims
    .map((claim) => weighClaim(credit, payer, claim, context))
    .filter((evidence) => evidence !== null)
    .sort((a, b) => b.score - a.score || oldestFirst(a, b));
  const own = candidates.filter((evidence) => !evidence.elsewhere);
  const elsewhere = candidates.filter((evidence) => evidence.elsewhere);
  const verdict = decideVerdict(credit, own, context);
  // Claims that share only the payer's name are shown only if no other claim fits. A name alone must neither pay a claim nor
  // block one.
  const shown = elsewhere.length > 0 && isNoClaimVerdict(verdict);
  return {
    ruleVersion: context.rules.version,
    candidates: (shown ? candidates : own).map(({ claim, score, reasons }) => ({
      transactionId: claim.transactionId,
      score,
      reasons,
    })),
    verdict: shown ? makeReviewVerdict('other_account', elsewhere) : verdict,
  };
}

export function isNoClaimVerdict(verdict: MatchVerdict): boolean {
  return verdict.kind === 'review' && verdict.exception === 'no_claim';
}

function decideVerdict(
  credit: CreditFacts,
  candidates: readonly ClaimEvidence[],
  context: MatchContext,
): MatchVerdict {
  const current = candidates.filter((evidence) => evidence.inWindow);
  const exact = current.filter(hasExactAmount);
  const differing = current.filter((evidence) => !hasExactAmount(evidence));
  if (exact.length === 0) return decideDifferingAmount(credit, differing, context);
  const named = differing.filter((evidence) => evidence.referenced);
  const others = exact.some((evidence) => evidence.identified) ? named : differing;
  const rivals = [...new Set([...others, ...findEqualsOfCompleted(exact, differing)])];
  if (rivals.length > 0 && !exact.some((evidence) => evidence.referenced))
    return makeAmbiguousVerdict([...exact, ...rivals]);
  const left = preferWithinBusiness(dropContradicted(exact));
  return isSingledOut(exact, left) ? decideExact(credit, left, context) : makeAmbiguousVerdict(exact);
}

/**
 * Whether the credit equals the amount of the claim, or the part of the claim that is still unpaid. In both cases the credit
 * pays the claim without waiting.
 */
function hasExactAmount({ amount }: ClaimEvidence): boolean {
  return amount === 'exact' || amount === 'completes';
}

/**
 * If claims of several businesses fit, only the narration or the payer's name can choose one. A claim is never chosen because
 * the other claims gave fewer details.
 */
function isSingledOut(all: readonly ClaimEvidence[], left: readonly ClaimEvidence[]): boolean {
  const [only] = left;
  const businesses = new Set(all.filter(({ identified }) => identified).map(({ claim }) => claim.businessId));
  return only === undefined || left.length > 1 || businesses.size < 2 || only.referenced || only.nameStrong;
}

function decideExact(
  credit: CreditFacts,
  left: readonly ClaimEvidence[],
  context: MatchContext,
): MatchVerdict {
  const [only] = left;
  if (only === undefined || left.length > 1)
    return matchInOrder(credit, left, context) ?? makeAmbiguousVerdict(left);
  const { transactionId } = only.claim;
  if (only.identified && only.against !== null)
    return { kind: 'held', transactionId, exception: only.against };
  // The last digits of an account number do not identify a payer, and a name does not either.
  if (!only.identified) return makeReviewVerdict(only.against ?? 'payer_unclear', left);
  return makeMatchedVerdict(only);
}

function decideDifferingAmount(
  credit: CreditFacts,
  all: readonly ClaimEvidence[],
  context: MatchContext,
): MatchVerdict {
  const left = dropContradicted(all);
  const [only] = left;
  if (only === undefined) return waitOrReview(credit, context);
  // The waiting time starts when both the credit and the claims exist. The exact payment may arrive after the claim was
  // created, and this credit may be much older.
  const sinceMs = Math.max(credit.receivedAtMs, ...left.map(({ claim }) => claim.createdAtMs));
  const untilMs = sinceMs + context.graceMs;
  if (context.nowMs < untilMs) return { kind: 'wait', untilMs };
  if (left.length > 1) return makeAmbiguousVerdict(left);
  const { transactionId } = only.claim;
  if (only.against !== null) return { kind: 'held', transactionId, exception: only.against };
  const exception = only.amount === 'partial' ? 'paid_partial' : 'paid_over';
  const attached = { kind: 'attached', transactionId, exception, late: only.late } as const;
  return only.with.length === 0 ? attached : { ...attached, with: only.with };
}

/**
 * Matches equal payments to equal claims in order. There must be at least as many payments as claims, and all claims must be
 * for one wallet. The tokens then go to the same wallet in any case.
 */
function matchInOrder(
  credit: CreditFacts,
  all: readonly ClaimEvidence[],
  context: MatchContext,
): MatchVerdict | undefined {
  const [first] = all;
  if (first === undefined || first.claim.walletKey === null) return undefined;
  const { businessId, walletKey } = first.claim;
  const alike = all.every(
    ({ claim, identified, against, amount }) =>
      identified &&
      against === null &&
      amount === 'exact' &&
      claim.businessId === businessId &&
      claim.walletKey === walletKey,
  );
  const credits = [...new Set(context.equalCredits)];
  const index = credits.indexOf(credit.id);
  if (!alike || index < 0 || credits.length < all.length) return undefined;
  const own = all.toSorted(oldestFirst)[index];
  // Older payments pay all the claims, so no claim is left for this payment.
  return own === undefined ? waitOrReview(credit, context) : makeMatchedVerdict(own);
}

function makeMatchedVerdict({ claim, late, amount, with: together }: ClaimEvidence): MatchVerdict {
  const { transactionId } = claim;
  const exception = late ? 'paid_late' : null;
  return amount === 'completes'
    ? { kind: 'completes', transactionId, exception, with: together }
    : { kind: 'matched', transactionId, exception };
}

function waitOrReview(credit: CreditFacts, context: MatchContext): MatchVerdict {
  const untilMs = credit.receivedAtMs + context.graceMs;
  return context.nowMs < untilMs ? { kind: 'wait', untilMs } : makeReviewVerdict('no_claim', []);
}

function makeAmbiguousVerdict(all: readonly ClaimEvidence[]): MatchVerdict {
  return makeReviewVerdict('ambiguous', all);
}

function makeReviewVerdict(exception: MatchException, all: readonly ClaimEvidence[]): MatchVerdict {
  return { kind: 'review', exception, transactionIds: all.map(({ claim }) => claim.transactionId) };
}
