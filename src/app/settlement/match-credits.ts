// Finds out which buy a bank credit pays: asks the store for the claims it may mean, lets the domain decide, and commits
// what follows. Another process that was faster makes the decision stale; then it is made again.

import type { ClaimFacts } from '../../domain/matching/facts.ts';
import { MATCHING_RULE_VERSION, matchCredit } from '../../domain/matching/match-credit.ts';
import { type Change, type MatchRecord, moveOf } from '../../domain/records/change.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Exception } from '../../domain/records/exceptions.ts';
import type { MatchDecision, Verdict } from '../../domain/records/match-decision.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { type CreditFacts, holdForReview, payBuy, refundCredit } from '../../domain/settlement/buy.ts';
import type { Policy } from '../../domain/settlement/policy.ts';
import { type Candidates, FEW_CLAIMS } from '../../ports/store/reads.ts';
import { newId, type SettlementDeps } from './context.ts';

const ACTOR = 'matching';
const MAX_ROUNDS = 4;
const LOOK_AGAIN_MIN_MS = 1_000;
const LOOK_AGAIN_MAX_MS = 10 * 60_000;

/** Credits the caller holds. Answers the buys that are paid now; the caller goes on with them. */
export async function matchCredits(
  deps: SettlementDeps,
  credits: readonly BankCredit[],
): Promise<readonly Transaction[]> {
  const paid: Transaction[] = [];
  const rivals = new Set<string>();
  const reversed = await deps.store.hastenNotices(credits, deps.clock.now());
  await leaveToTheirNotices(
    deps,
    credits.filter(({ id }) => reversed.has(id)),
  );
  let open = credits
    .filter(({ id }) => !reversed.has(id))
    .toSorted((a, b) => a.receivedAtMs - b.receivedAtMs || (a.id < b.id ? -1 : 1));
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    const windowMs = Math.max(deps.policies.live.matchWindowMs, deps.policies.test.matchWindowMs);
    const candidates = await candidatesOf(deps, open, windowMs);
    const changes = open.map((credit) => decideCredit(deps, credit, candidates.get(credit.id)!));
    for (const { claims } of candidates.values())
      if (claims.length > 1) for (const { id } of claims) rivals.add(id);
    const outcomes = await deps.store.commit(changes);
    const again: BankCredit[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const moved = changes[index]!.transactions?.map((move) => move.after) ?? [];
      if (outcome.kind === 'committed') paid.push(...moved.filter((each) => each.state === 'paid'));
      else again.push(open[index]!);
      if (outcome.kind === 'refused') {
        deps.onTrouble('a match was refused', { credit: open[index]!.id, constraint: outcome.constraint });
      }
    }
    open = again;
  }
  // A claim that had an equal, or was held because of it, leaves the other credits with one rival less.
  const contested = paid.filter(({ id }) => rivals.has(id));
  if (contested.length > 0) await deps.store.hastenCredits(contested, deps.clock.now());
  return paid;
}

/** Claims of one kind that are looked through for the one that the payer's words or name single out. */
const MANY_CLAIMS = 5_000;

/** A business that files many equal claims must not push another's out of sight: where there are many, all are looked at. */
async function candidatesOf(
  { store }: SettlementDeps,
  credits: readonly BankCredit[],
  windowMs: number,
): Promise<ReadonlyMap<string, Candidates>> {
  const few = await store.findCandidates(credits, windowMs);
  const crowded = credits.filter(({ id }) => few.get(id)!.more);
  if (crowded.length === 0) return few;
  return new Map([...few, ...(await store.findCandidates(crowded, windowMs, MANY_CLAIMS))]);
}

const NOTICE_MS = 2_000;

/** The bank has said already that it takes these back. */
async function leaveToTheirNotices(deps: SettlementDeps, credits: readonly BankCredit[]): Promise<void> {
  if (credits.length === 0) return;
  const atMs = deps.clock.now();
  await deps.store.commit(
    credits.map((credit) => ({ atMs, credits: [moveOf(credit, { dueAtMs: atMs + NOTICE_MS })] })),
  );
}

function decideCredit(deps: SettlementDeps, credit: BankCredit, found: Candidates): Change {
  const policy = deps.policies[credit.mode];
  const atMs = deps.clock.now();
  const context = {
    nowMs: atMs,
    windowMs: policy.matchWindowMs,
    graceMs: policy.matchGraceMs,
    equalCredits: found.equalCredits,
  };
  if (found.more) return carryOut(deps, credit, TOO_MANY, [], null);
  const claims = found.claims.filter((claim) => sameAccount(deps, claim, credit));
  const open = claims.filter((claim) => claim.state !== 'cancelled');
  const decision = shortened(matchCredit(credit, open.map(factsOf), context));
  if (decision.verdict.kind === 'wait' || noClaim(decision)) {
    // No open claim waits for it. It may be meant for a cancelled one: then it is refunded.
    const given = claims.filter((claim) => claim.state === 'cancelled');
    const late = matchCredit(credit, given.map(factsOf), context);
    if (late.verdict.kind === 'matched') {
      return carryOut(deps, credit, late, given, 'paid_after_cancel');
    }
  }
  return carryOut(deps, credit, decision, open, null);
}

function pays(verdict: Verdict): verdict is Extract<Verdict, { readonly kind: 'matched' | 'attached' }> {
  return verdict.kind === 'matched' || verdict.kind === 'attached';
}

/** Of many claims only one that is singled out is named: reviewers are not shown, and claims not held, by the hundred. */
function shortened(decision: MatchDecision): MatchDecision {
  const { candidates, verdict } = decision;
  if (verdict.kind === 'review' && verdict.transactionIds.length > FEW_CLAIMS) return TOO_MANY;
  return { ...decision, candidates: candidates.slice(0, FEW_CLAIMS) };
}

const TOO_MANY: MatchDecision = {
  ruleVersion: MATCHING_RULE_VERSION,
  candidates: [],
  verdict: { kind: 'review', exception: 'ambiguous', transactionIds: [] },
};

function noClaim({ verdict }: MatchDecision): boolean {
  return verdict.kind === 'review' && verdict.exception === 'no_claim';
}

/** The same ten digits exist at several banks. */
export function sameAccount(
  { directory }: Pick<SettlementDeps, 'directory'>,
  { vendor }: Transaction,
  credit: BankCredit,
): boolean {
  if (credit.accountBankCode === null || vendor === null) return true;
  return directory.resolve(vendor.bank)?.code === credit.accountBankCode;
}

/** A claim as matching sees it. One on hold only because it had an equal is as open as any. */
export function factsOf(transaction: Transaction): ClaimFacts {
  const { id, wallet, state } = transaction;
  return {
    ...transaction,
    transactionId: id,
    walletKey: wallet && `${wallet.network} ${wallet.address}`,
    state: state === 'on_hold' || state === 'cancelled' ? 'awaiting_payment' : state,
  };
}

/** What a verdict is carried out with: the credit it is about, and the claims it was decided between. */
interface Carried extends CreditFacts {
  readonly policy: Policy;
  readonly newRefundId: string;
  claim(id: string): Transaction;
}

function carryOut(
  deps: SettlementDeps,
  credit: BankCredit,
  decision: MatchDecision,
  claims: readonly Transaction[],
  refundReason: Exception | null,
): Change {
  const { verdict } = decision;
  const atMs = deps.clock.now();
  // It seemed to be meant for a claim that waits for review: another claim made later does not get it.
  if (
    pays(verdict) &&
    credit.state === 'review' &&
    ![null, verdict.transactionId].includes(credit.transactionId)
  )
    return { atMs, credits: [moveOf(credit, { dueAtMs: null })] };
  const match: MatchRecord = {
    ...decision,
    creditId: credit.id,
    version: credit.version + 1,
    transactionId: null,
    actor: ACTOR,
  };
  const facts: CreditFacts = { credit, match, actor: ACTOR, atMs, nextDueMs: atMs + deps.leaseMs };
  const carried: Carried = {
    ...facts,
    policy: deps.policies[credit.mode],
    newRefundId: newId(deps, 'mov'),
    claim: (id) => claims.find((each) => each.id === id)!,
  };
  switch (verdict.kind) {
    case 'wait':
      return { atMs, credits: [moveOf(credit, { dueAtMs: verdict.untilMs })] };
    case 'matched':
      return carryOutMatched(carried, verdict, refundReason);
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

type VerdictOf<Kind extends Verdict['kind']> = Extract<Verdict, { readonly kind: Kind }>;

/** The exact amount: it pays the claim, unless the claim was given up or the policy returns late payments. */
function carryOutMatched(
  carried: Carried,
  { transactionId, exception }: VerdictOf<'matched'>,
  refundReason: Exception | null,
): Change {
  const late = exception === 'paid_late' && carried.policy.lateCredit === 'refund' ? 'paid_late' : null;
  const reason = refundReason ?? late;
  const transaction = carried.claim(transactionId);
  if (reason !== null) return refundCredit(transaction, { ...carried, reason });
  return payBuy(transaction, { ...carried, exception });
}

/** Another amount than the claim's: what happens is the policy's to say. */
function carryOutAttached(carried: Carried, { transactionId, exception }: VerdictOf<'attached'>): Change {
  const { credit, atMs, policy } = carried;
  const transaction = carried.claim(transactionId);
  if (credit.state === 'review' && credit.transactionId === transaction.id && credit.exception === exception)
    return { atMs, credits: [moveOf(credit, { dueAtMs: null })] };
  if (exception === 'paid_over' && policy.overCredit === 'refund_excess')
    return payBuy(transaction, { ...carried, exception });
  if (exception === 'paid_partial' && policy.partialCredit === 'refund')
    return refundCredit(transaction, { ...carried, reason: exception });
  return holdForReview([transaction], {
    ...carried,
    exception,
    claimException: exception,
    lookAgainMs: null,
  });
}

/** No claim may have it yet: it waits for review, and is looked at again meanwhile. */
function carryOutReview(carried: Carried, { exception, transactionIds }: VerdictOf<'review'>): Change {
  const { credit, atMs, policy, claim } = carried;
  const lookAgainMs = nextLookMs(credit, policy, atMs);
  // The same answer again changes nothing but the next look. A credit that seemed to be meant for a claim, which waits for
  // review now, stays with that claim.
  const stillMeant = exception === 'no_claim' && credit.transactionId !== null;
  const allHeld = transactionIds.every((id) => claim(id).state === 'on_hold');
  if (credit.state === 'review' && ((credit.exception === exception && allHeld) || stillMeant))
    return { atMs, credits: [moveOf(credit, { dueAtMs: lookAgainMs })] };
  const ambiguous = exception === 'ambiguous';
  const meant = ambiguous || transactionIds.length === 1 ? transactionIds.map(claim) : [];
  const claimException = ambiguous ? 'duplicate_claim' : exception === 'no_claim' ? null : exception;
  return holdForReview(meant, { ...carried, exception, claimException, lookAgainMs });
}

/**
 * After as long again as it has waited: a claim that came while the credit was looked at, or whose process died before
 * it could hasten the credit, and an equal credit that came second, are found soon, and old credits cost little.
 */
function nextLookMs(credit: BankCredit, policy: Policy, atMs: number): number | null {
  const waitedMs = atMs - credit.receivedAtMs;
  if (waitedMs >= policy.matchWindowMs) return null;
  return atMs + Math.min(LOOK_AGAIN_MAX_MS, Math.max(LOOK_AGAIN_MIN_MS, waitedMs));
}
