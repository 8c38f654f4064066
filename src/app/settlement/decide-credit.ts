// Decides about a bank credit from the claims that it may belong to. The open claims come first, and then the cancelled claims,
// whose payment is refunded. This module reads nothing from the store, so that a past decision can be repeated.
import type { ClaimFacts } from '../../domain/matching/facts.ts';
import { isNoClaimVerdict, type MatchContext, matchCredit } from '../../domain/matching/match-credit.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { TransactionException } from '../../domain/records/exceptions.ts';
import type { MatchDecision } from '../../domain/records/match-decision.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { type ClaimCandidates, DEFAULT_CLAIM_LIMIT } from '../../ports/store/reads.ts';

export interface FoundClaims extends ClaimCandidates {
  readonly parts: readonly BankCredit[];
}

export interface CreditDecision {
  readonly decision: MatchDecision;
  /** The claims include all claims in the verdict. */
  readonly claims: readonly Transaction[];
  readonly parts: readonly BankCredit[];
  /** The reason to refund a matched credit. Null if the credit pays for the claim. */
  readonly refundReason: TransactionException | null;
}

type MatchSettings = Omit<MatchContext, 'equalCredits'>;

export function decideCredit(credit: BankCredit, found: FoundClaims, around: MatchSettings): CreditDecision {
  const { claims, parts } = found;
  const context: MatchContext = { ...around, equalCredits: found.equalCredits };
  const open = claims.filter((claim) => claim.state !== 'cancelled');
  const weighed = found.more
    ? tooManyClaims(context)
    : matchCredit(
        credit,
        open.map((claim) => claimFactsOf(claim, parts, credit)),
        context,
      );
  if (mayPayCancelled(credit, weighed, found, around)) {
    // The credit matches no open claim. If it belongs to a cancelled claim, it is refunded.
    const given = claims.filter((claim) => claim.state === 'cancelled');
    const late = matchCredit(
      credit,
      given.map((claim) => claimFactsOf(claim)),
      context,
    );
    if (late.verdict.kind === 'matched')
      return { decision: late, claims: given, parts: [], refundReason: 'paid_after_cancel' };
  }
  return { decision: limitCandidates(weighed, context), claims: open, parts, refundReason: null };
}

/**
 * True if no open claim matches yet. Also true if no open claim has the amount of the credit and the payer's narration names no
 * open claim.
 */
function mayPayCancelled(
  { amountMinor }: BankCredit,
  { verdict, candidates }: MatchDecision,
  { claims, more }: FoundClaims,
  { rules }: MatchSettings,
): boolean {
  if (!more && (verdict.kind === 'wait' || isNoClaimVerdict(verdict))) return true;
  if (!rules.cancelledBeforeDiffering) return false;
  if (verdict.kind === 'review' && verdict.exception === 'other_account') return true;
  if (more) return claims.every((claim) => claim.state === 'cancelled' || claim.amountMinor !== amountMinor);
  const settling = ['amount_exact', 'amount_completes', 'reference_in_narration'];
  return !candidates.some(({ reasons }) => reasons.some((reason) => settling.includes(reason)));
}

/**
 * A decision contains a limited number of claims. Otherwise reviewers could see hundreds of claims, and hundreds of claims
 * could go on hold.
 */
function limitCandidates(decision: MatchDecision, context: MatchContext): MatchDecision {
  const { candidates, verdict } = decision;
  const few = { ...decision, candidates: candidates.slice(0, DEFAULT_CLAIM_LIMIT) };
  if (verdict.kind !== 'review' || verdict.transactionIds.length <= DEFAULT_CLAIM_LIMIT) return few;
  if (verdict.exception !== 'other_account') return tooManyClaims(context);
  return {
    ...few,
    verdict: { ...verdict, transactionIds: verdict.transactionIds.slice(0, DEFAULT_CLAIM_LIMIT) },
  };
}

function tooManyClaims({ rules }: MatchContext): MatchDecision {
  return {
    ruleVersion: rules.version,
    candidates: [],
    verdict: { kind: 'review', exception: 'ambiguous', transactionIds: [] },
  };
}

/**
 * Returns the facts about a claim that matching uses. If a claim is on hold only because of an equal claim or a part payment,
 * it counts as open.
 */
export function claimFactsOf(
  transaction: Transaction,
  credits: readonly BankCredit[] = [],
  paying: BankCredit | null = null,
): ClaimFacts {
  const { id, wallet, state } = transaction;
  return {
    ...transaction,
    transactionId: id,
    walletKey: wallet && `${wallet.network} ${wallet.address}`,
    state: state === 'on_hold' || state === 'cancelled' ? 'awaiting_payment' : state,
    parts: credits
      .filter((credit) => credit.transactionId === id && credit.id !== paying?.id && isPartPayment(credit))
      .map(({ id: creditId, amountMinor }) => ({ creditId, amountMinor })),
  };
}

/**
 * Returns whether a credit is a part payment: it is less than the amount of the claim, certainly belongs to this claim, and is
 * not matched to it yet.
 */
function isPartPayment({ state, exception }: BankCredit): boolean {
  return state === 'review' && exception === 'paid_partial';
}
