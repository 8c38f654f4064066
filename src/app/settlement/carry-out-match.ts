// Turns a decision about a bank credit into one change. The credit pays a claim, is refunded, or waits for a person together
// with the claims that it may belong to.
import { type Change, type MatchRecord, makeMove } from '../../domain/records/change.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { TransactionException } from '../../domain/records/exceptions.ts';
import type { MatchVerdict } from '../../domain/records/match-decision.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { holdForReview, type MatchedCreditFacts, payBuy, refundCredit } from '../../domain/settlement/buy.ts';
import type { Policy } from '../../domain/settlement/policy.ts';
import { newId, type SettlementDeps } from '../engine/deps.ts';
import { networkLeaseMs } from '../engine/leases.ts';
import type { CreditDecision } from './decide-credit.ts';

const ACTOR = 'matching';
const LOOK_AGAIN_MIN_MS = 1_000;
const LOOK_AGAIN_MAX_MS = 10 * 60_000;

interface VerdictContext extends MatchedCreditFacts {
  readonly policy: Policy;
  readonly newRefundId: string;
  claim(id: string): Transaction;
  part(id: string): BankCredit;
}

export function carryOutMatch(
  deps: SettlementDeps,
  credit: BankCredit,
  { decision, claims, parts, refundReason }: CreditDecision,
): Change {
  const { verdict } = decision;
  const atMs = deps.clock.now();
  // The credit seemed to belong to a claim that waits for review. So a later claim does not get this credit.
  if (
    isPayingVerdict(verdict) &&
    credit.state === 'review' &&
    ![null, verdict.transactionId].includes(credit.transactionId)
  )
    return { atMs, credits: [makeMove(credit, { dueAtMs: null })] };
  const match: MatchRecord = {
    ...decision,
    creditId: credit.id,
    version: credit.version + 1,
    transactionId: null,
    actor: ACTOR,
  };
  const facts: MatchedCreditFacts = {
    credit,
    match,
    actor: ACTOR,
    atMs,
    nextDueMs: atMs + networkLeaseMs(deps),
  };
  const carried: VerdictContext = {
    ...facts,
    policy: deps.policies[credit.mode],
    newRefundId: newId(deps, 'mov'),
    claim: (id) => claims.find((each) => each.id === id)!,
    part: (id) => parts.find((each) => each.id === id)!,
  };
  switch (verdict.kind) {
    case 'wait':
      return { atMs, credits: [makeMove(credit, { dueAtMs: verdict.untilMs })] };
    case 'matched':
      return carryOutMatched(carried, verdict, refundReason);
    case 'completes':
      return carryOutCompletes(carried, verdict);
    case 'attached':
      return carryOutAttached(carried, verdict);
    case 'held': {
      const { exception } = verdict;
      const held = [carried.claim(verdict.transactionId)];
      return holdForReview(held, { ...carried, exception, claimException: exception, lookAgainMs: null });
    }
    case 'review':
      return carryOutReview(carried, verdict);
  }
}

function isPayingVerdict(
  verdict: MatchVerdict,
): verdict is Extract<MatchVerdict, { readonly kind: 'matched' | 'completes' | 'attached' }> {
  return verdict.kind === 'matched' || verdict.kind === 'completes' || verdict.kind === 'attached';
}

type VerdictOf<Kind extends MatchVerdict['kind']> = Extract<MatchVerdict, { readonly kind: Kind }>;

/**
 * The credit has the exact amount and pays the claim. If the claim was cancelled, or if the policy refunds late payments, the
 * credit is refunded instead.
 */
function carryOutMatched(
  carried: VerdictContext,
  { transactionId, exception }: VerdictOf<'matched'>,
  refundReason: TransactionException | null,
): Change {
  const late = exception === 'paid_late' && carried.policy.lateCredit === 'refund' ? 'paid_late' : null;
  const reason = refundReason ?? late;
  const transaction = carried.claim(transactionId);
  if (reason !== null) return refundCredit(transaction, { ...carried, reason });
  return payBuy(transaction, { ...carried, exception });
}

/**
 * The credit has the missing amount and pays the claim together with the earlier parts. A late credit is not refunded alone,
 * because a person reviews all parts together.
 */
function carryOutCompletes(
  carried: VerdictContext,
  { transactionId, exception, with: together }: VerdictOf<'completes'>,
): Change {
  const transaction = carried.claim(transactionId);
  if (exception === 'paid_late' && carried.policy.lateCredit === 'refund')
    return holdForReview([transaction], {
      ...carried,
      exception,
      claimException: exception,
      lookAgainMs: null,
    });
  return payBuy(transaction, { ...carried, exception, parts: partPaymentsOf(carried, together) });
}

/** The decision about each part lists the other credits that pay the claim together with this part. */
function partPaymentsOf({ part, match, credit }: VerdictContext, together: readonly string[]) {
  return together.map((id) => {
    const own = part(id);
    const others = [...together.filter((other) => other !== id), credit.id];
    const record: MatchRecord = {
      ...match,
      creditId: id,
      version: own.version + 1,
      candidates: [],
      verdict: { ...(match.verdict as VerdictOf<'completes' | 'attached'>), with: others },
    };
    return { credit: own, match: record };
  });
}

/** The amount of the credit differs from the amount of the claim, so the policy decides. */
function carryOutAttached(
  carried: VerdictContext,
  { transactionId, exception, with: together = [] }: VerdictOf<'attached'>,
): Change {
  const { credit, atMs, policy } = carried;
  const transaction = carried.claim(transactionId);
  if (credit.state === 'review' && credit.transactionId === transaction.id && credit.exception === exception)
    return { atMs, credits: [makeMove(credit, { dueAtMs: null })] };
  if (exception === 'paid_over' && policy.overCredit === 'refund_excess')
    return payBuy(transaction, { ...carried, exception, parts: partPaymentsOf(carried, together) });
  if (exception === 'paid_partial' && policy.partialCredit === 'refund')
    return refundCredit(transaction, { ...carried, reason: exception });
  const held = holdForReview([transaction], {
    ...carried,
    exception,
    claimException: exception,
    lookAgainMs: null,
  });
  // A claim that is already on hold gets a new version, too. So two parts that arrive at the same time are decided one after the
  // other.
  const fence = { ...makeMove(transaction, {}), line: null };
  return transaction.state === 'on_hold' ? { ...held, transactions: [fence] } : held;
}

/** No claim may get the credit yet. The credit waits for review, and the service checks it again meanwhile. */
function carryOutReview(carried: VerdictContext, { exception, transactionIds }: VerdictOf<'review'>): Change {
  const { credit, atMs, policy, claim } = carried;
  const lookAgainMs = nextLookMs(credit, policy, atMs);
  // If the result is the same as before, only the time of the next check changes. If the credit seemed to belong to a claim
  // that now waits for review, it stays with that claim.
  const nobodys = exception === 'no_claim' || exception === 'other_account';
  const stillMeant = nobodys && credit.transactionId !== null;
  const allHeld = nobodys || transactionIds.every((id) => claim(id).state === 'on_hold');
  if (credit.state === 'review' && ((credit.exception === exception && allHeld) || stillMeant))
    return { atMs, credits: [makeMove(credit, { dueAtMs: lookAgainMs })] };
  const ambiguous = exception === 'ambiguous';
  // Other people may have the same name as a payer. So such a credit does not put several claims on hold, and a claim's own
  // payment still pays the claim (threat 16).
  const isMeant = !nobodys && (ambiguous || transactionIds.length === 1);
  const meant = isMeant ? transactionIds.map(claim) : [];
  const claimException = ambiguous ? 'duplicate_claim' : nobodys ? null : exception;
  return holdForReview(meant, { ...carried, exception, claimException, lookAgainMs });
}

/**
 * The pause until the next check is as long as the credit has already waited. So the next check soon finds a new claim, a claim
 * whose process died, and a second equal credit. Checks of old credits are rare and cost little.
 */
function nextLookMs(credit: BankCredit, policy: Policy, atMs: number): number | null {
  const waitedMs = atMs - credit.receivedAtMs;
  if (waitedMs >= policy.matchWindowMs) return null;
  return atMs + Math.min(LOOK_AGAIN_MAX_MS, Math.max(LOOK_AGAIN_MIN_MS, waitedMs));
}
