// Returns the buys that a bank credit may pay, with their scores by the matching rules on the current records. These are the
// buys that matching would find today, the buys from its last decision, and one buy that a reviewer chooses.
import { matchCredit } from '../../domain/matching/match-credit.ts';
import { CURRENT_MATCHING_RULES } from '../../domain/matching/rules.ts';
import { type BankCredit, isOpenCredit } from '../../domain/records/credit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Policies } from '../../domain/settlement/policy.ts';
import type { OperationsStore } from '../../ports/operations/operations-store.ts';
import { planReview } from '../review/plan-review.ts';
import type { ReviewDeps } from '../review/review-deps.ts';
import { claimFactsOf } from '../settlement/decide-credit.ts';
import { isSameVendorAccount } from '../settlement/match-credits.ts';

const MAX_COMPARED = 10;

export interface ComparedClaim {
  readonly transaction: Transaction;
  /** Null if the rules cannot score the buy, and only a person knows that the credit belongs to it. */
  readonly score: number | null;
  readonly reasons: readonly string[];
  /** The reason why the credit cannot pay for the buy now. Null if it can. */
  readonly obstacle: string | null;
  /** The other credits that pay a part of the buy, or that wait for review as a part of its payment. */
  readonly parts: readonly BankCredit[];
}

export interface CompareCandidatesDeps extends ReviewDeps {
  readonly policies: Policies;
  readonly operations: Pick<OperationsStore, 'lastMatch'>;
}

/** `named` is the id of a transaction that the reviewer also wants to compare. The best candidate comes first. */
export async function compareCandidates(
  deps: CompareCandidatesDeps,
  credit: BankCredit,
  actor: string,
  named: string | null,
): Promise<readonly ComparedClaim[]> {
  const claims = await claimsFor(deps, credit, named);
  const { matchWindowMs: windowMs, matchGraceMs: graceMs } = deps.policies[credit.mode];
  const nowMs = deps.clock.now();
  const context = { nowMs, windowMs, graceMs, equalCredits: [credit.id], rules: CURRENT_MATCHING_RULES };
  const credits = await deps.store.creditsOf(claims.map(({ id }) => id));
  const facts = claims.map((claim) => claimFactsOf(claim, credits, credit));
  const { candidates } = matchCredit(credit, facts, context);
  const weighed = candidates.map(({ transactionId, score, reasons }) => ({
    ...{ transaction: claims.find(({ id }) => id === transactionId)!, score, reasons },
  }));
  const meant = [named, credit.transactionId];
  const unweighed = claims
    .filter(({ id }) => meant.includes(id) && candidates.every(({ transactionId }) => transactionId !== id))
    .map((transaction) => ({ transaction, score: null, reasons: [] }));
  const compared: ComparedClaim[] = [];
  for (const each of [...unweighed, ...weighed].slice(0, MAX_COMPARED)) {
    const detail = { transactionId: each.transaction.id };
    const request = { action: 'match', subjectId: credit.id, detail } as const;
    const plan = await planReview(deps, request, { actor, atMs: nowMs });
    const parts = credits.filter(
      ({ id, transactionId, state, exception }) =>
        transactionId === each.transaction.id &&
        id !== credit.id &&
        (state === 'matched' || (state === 'review' && exception === 'paid_partial')),
    );
    compared.push({ ...each, obstacle: plan.ok ? null : plan.error.message, parts });
  }
  return compared;
}

async function claimsFor(
  deps: CompareCandidatesDeps,
  credit: BankCredit,
  named: string | null,
): Promise<readonly Transaction[]> {
  const { store, operations, policies, banks } = deps;
  const last = await operations.lastMatch(credit.id);
  const open = isOpenCredit(credit)
    ? await store.findCandidates([credit], policies[credit.mode].matchWindowMs)
    : undefined;
  const found = open?.get(credit.id)?.claims ?? [];
  const now = found.filter((claim) => isSameVendorAccount({ directory: banks }, claim, credit));
  const before = (last?.candidates ?? []).slice(0, MAX_COMPARED).map(({ transactionId }) => transactionId);
  const known = new Set(now.map(({ id }) => id));
  const ids = [...before, credit.transactionId, named].filter((id) => id !== null && !known.has(id));
  const others = [...(await store.transactionsById([...new Set(ids as string[])])).values()];
  return [...now, ...others.filter(({ mode, type }) => mode === credit.mode && type === 'buy')];
}
