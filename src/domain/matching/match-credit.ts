// Which open claim a bank credit pays, decided from facts alone and explained. Tokens follow a match, so every
// doubt ends with a person: one credit with two equal claims pays neither of them (threats 16, 20, 21, 22).
import type { ExceptionKind, MatchDecision, Verdict } from '../records/match-decision.ts';
import { type Evidence, weighClaim } from './evidence.ts';
import type { ClaimFacts, CreditFacts } from './facts.ts';
import { readName } from './name-match.ts';
import { dropContradicted, equalsOfCompleted, oldestFirst, preferWithinBusiness } from './rivals.ts';
import type { MatchingRules } from './rules.ts';

export interface MatchContext {
  readonly nowMs: number;
  /** The maximum time between the payment and the creation of the claim, in either direction. */
  readonly windowMs: number;
  /** The time in which the exact credit or the claim may still come. */
  readonly graceMs: number;
  /** Unmatched credits equal to this one (account credited, amount, payer), oldest first, this one included. */
  readonly equalCredits: readonly string[];
  readonly rules: MatchingRules;
}

/** The claims are open buys of the credit's mode and vendor account; which of them it pays is decided here. */
export function matchCredit(
  credit: CreditFacts,
  claims: readonly ClaimFacts[],
  context: MatchContext,
): MatchDecision {
  const payer = readName(credit.payerName);
  const candidates = claims
    .map((claim) => weighClaim(credit, payer, claim, context))
    .filter((evidence) => evidence !== null)
    .sort((a, b) => b.score - a.score || oldestFirst(a, b));
  const own = candidates.filter((evidence) => !evidence.elsewhere);
  const elsewhere = candidates.filter((evidence) => evidence.elsewhere);
  const verdict = decideVerdict(credit, own, context);
  // Only where nothing else fits: the name of a payer must neither pay for a claim nor stop one.
  const shown = elsewhere.length > 0 && isNoClaim(verdict);
  return {
    ruleVersion: context.rules.version,
    candidates: (shown ? candidates : own).map(({ claim, score, reasons }) => ({
      transactionId: claim.transactionId,
      score,
      reasons,
    })),
    verdict: shown ? review('other_account', elsewhere) : verdict,
  };
}

/** No claim fits it, and the grace is over. */
export function isNoClaim(verdict: Verdict): boolean {
  return verdict.kind === 'review' && verdict.exception === 'no_claim';
}

function decideVerdict(credit: CreditFacts, candidates: readonly Evidence[], context: MatchContext): Verdict {
  const current = candidates.filter((evidence) => evidence.inWindow);
  const exact = current.filter(isExact);
  const differing = current.filter((evidence) => !isExact(evidence));
  if (exact.length === 0) return decideDiffering(credit, differing, context);
  const named = differing.filter((evidence) => evidence.referenced);
  const others = exact.some((evidence) => evidence.identified) ? named : differing;
  const rivals = [...new Set([...others, ...equalsOfCompleted(exact, differing)])];
  // The amount says one claim, and the payer or the payer's words another.
  if (rivals.length > 0 && !exact.some((evidence) => evidence.referenced))
    return ambiguous([...exact, ...rivals]);
  const left = preferWithinBusiness(dropContradicted(exact));
  return singledOut(exact, left) ? decideExact(credit, left, context) : ambiguous(exact);
}

/** The claim's amount, or what is missing of it: either is paid without a wait. */
function isExact({ amount }: Evidence): boolean {
  return amount === 'exact' || amount === 'completes';
}

/** Between businesses one claim remains only because the payer's words or name say so, not because it said less. */
function singledOut(all: readonly Evidence[], left: readonly Evidence[]): boolean {
  const [only] = left;
  const businesses = new Set(all.filter(({ identified }) => identified).map(({ claim }) => claim.businessId));
  return only === undefined || left.length > 1 || businesses.size < 2 || only.referenced || only.nameStrong;
}

function decideExact(credit: CreditFacts, left: readonly Evidence[], context: MatchContext): Verdict {
  const [only] = left;
  if (only === undefined || left.length > 1) return matchInOrder(credit, left, context) ?? ambiguous(left);
  const { transactionId } = only.claim;
  if (only.identified && only.against !== null)
    return { kind: 'held', transactionId, exception: only.against };
  // The end of a number, or a name, is not one payer.
  if (!only.identified) return review(only.against ?? 'payer_unclear', left);
  return matched(only);
}

function decideDiffering(credit: CreditFacts, all: readonly Evidence[], context: MatchContext): Verdict {
  const left = dropContradicted(all);
  const [only] = left;
  if (only === undefined) return noClaimYet(credit, context);
  // The exact payment for a claim may come after it, and a stray one may be much older.
  const sinceMs = Math.max(credit.receivedAtMs, ...left.map(({ claim }) => claim.createdAtMs));
  const untilMs = sinceMs + context.graceMs;
  if (context.nowMs < untilMs) return { kind: 'wait', untilMs };
  if (left.length > 1) return ambiguous(left);
  const { transactionId } = only.claim;
  if (only.against !== null) return { kind: 'held', transactionId, exception: only.against };
  const exception = only.amount === 'partial' ? 'paid_partial' : 'paid_over';
  const attached = { kind: 'attached', transactionId, exception, late: only.late } as const;
  return only.with.length === 0 ? attached : { ...attached, with: only.with };
}

/** Matches as many equal payments as equal claims, all for one wallet: whichever pays which, the tokens go to the same wallet. */
function matchInOrder(
  credit: CreditFacts,
  all: readonly Evidence[],
  context: MatchContext,
): Verdict | undefined {
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
  // The older payments take all claims there are.
  return own === undefined ? noClaimYet(credit, context) : matched(own);
}

function matched({ claim, late, amount, with: together }: Evidence): Verdict {
  const { transactionId } = claim;
  const exception = late ? 'paid_late' : null;
  return amount === 'completes'
    ? { kind: 'completes', transactionId, exception, with: together }
    : { kind: 'matched', transactionId, exception };
}

function noClaimYet(credit: CreditFacts, context: MatchContext): Verdict {
  const untilMs = credit.receivedAtMs + context.graceMs;
  return context.nowMs < untilMs ? { kind: 'wait', untilMs } : review('no_claim', []);
}

function ambiguous(all: readonly Evidence[]): Verdict {
  return review('ambiguous', all);
}

function review(exception: ExceptionKind, all: readonly Evidence[]): Verdict {
  return { kind: 'review', exception, transactionIds: all.map(({ claim }) => claim.transactionId) };
}
