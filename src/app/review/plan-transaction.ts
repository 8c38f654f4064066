// Plans the decisions of people about a transaction: they release it, or refund it in full.
import type { Case } from '../../domain/records/change.ts';
import { REFUND_DECIDED } from '../../domain/records/exceptions.ts';
import { type BuyFacts, refundBuy, releaseBuy } from '../../domain/review/buys.ts';
import { findLatePayoutCase, refusePaidAfterAll } from '../../domain/review/cases.ts';
import { resumeSends } from '../../domain/review/halts.ts';
import { type RefundReason, returnedPayouts } from '../../domain/review/holds.ts';
import {
  type Decider,
  type Plan,
  type RefundDetail,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { makeReturnedPayoutDue, paySellAgain } from '../../domain/review/returned-payouts.ts';
import { refundSell, releaseSell, type SellFacts } from '../../domain/review/sells.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { makeTokenRefunds } from '../settlement/undo-payout.ts';
import { checkTargetAccount } from './check-target.ts';
import { readBuy } from './plan-credit.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planTransaction(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { subjectId } = request;
  const facts = await readBuy(deps, subjectId);
  if (facts === undefined) return refuse('not_found', `There is no transaction ${subjectId}.`);
  const { action } = request;
  if (action !== 'refund' && action !== 'release' && action !== 'pay_again') {
    return refuse(
      'invalid',
      'A transaction can be released, refunded or paid again; a credit can be matched, split or written off.',
    );
  }
  if (facts.transaction.type === 'buy') {
    if (action !== 'pay_again') return planBuy(deps, facts, request, by);
    return refuse('invalid', 'Only a sell can be paid again. For a returned refund, name its case.');
  }
  const sell = await readSell(deps, facts);
  if (!sell.ok) return sell;
  if (action === 'release') return releaseSell(sell.value, by);
  const { transaction, movements } = sell.value;
  const returned = returnedPayouts(movements).map(({ id }) => id);
  const cases = returned.length === 0 ? [] : await deps.reviewDesk.openCasesOn(returned);
  if (action === 'pay_again') {
    const account = checkTargetAccount(deps, request.detail.account);
    if (!account.ok) return account;
    const newPayoutId = newId(deps, 'mov');
    return paySellAgain({ transaction, movements, cases }, account.value, { ...by, newPayoutId });
  }
  return planTokenReturn(deps, sell.value, cases, request, by);
}

/**
 * Plans the return of a sell's tokens. The plan first posts the amount of a returned payout as owed again, so the case of that
 * payout ends, too.
 */
async function planTokenReturn(
  deps: ReviewDeps,
  sell: SellFacts,
  cases: readonly Case[],
  request: Extract<ReviewRequest, { action: 'refund' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  if (request.detail.target !== null) {
    return refuse(
      'invalid',
      'The tokens of a sell go to the wallet of the sell. If it has no wallet, the refund waits for an address.',
    );
  }
  const late = findLatePayoutCase(cases);
  if (late !== undefined) return refusePaidAfterAll(late);
  const { transaction } = sell;
  const promised = await makeTokenRefunds(deps, transaction, REFUND_DECIDED, by.atMs);
  const newRefundIds = sell.deposits.map(() => newId(deps, 'mov'));
  const publicReason = publicReasonOf(request.detail);
  const plan = refundSell(sell, promised, { ...by, newRefundIds, publicReason });
  if (!plan.ok || cases.length === 0) return plan;
  const { change } = plan.value;
  const { entries, closeCases } = makeReturnedPayoutDue(transaction, cases, 'sent_back', by);
  return ok({
    ...plan.value,
    change: { ...change, entries: [...entries, ...(change.entries ?? [])], closeCases },
  });
}

function planBuy(
  deps: ReviewDeps,
  facts: BuyFacts,
  request: Extract<ReviewRequest, { action: 'refund' | 'release' }>,
  by: Decider,
): Result<Plan, ReviewRefusal> {
  if (request.action !== 'refund') return releaseBuy(facts, by);
  const { target } = request.detail;
  const account = target === null ? ok(null) : checkTargetAccount(deps, target);
  if (!account.ok) return account;
  return refundBuy(facts, account.value, {
    ...by,
    newRefundIds: facts.credits.map(() => newId(deps, 'mov')),
    publicReason: publicReasonOf(request.detail),
  });
}

function publicReasonOf({ publicReason }: RefundDetail): RefundReason {
  return publicReason ?? 'being_refunded';
}

async function readSell(
  { store, networks }: ReviewDeps,
  { transaction, movements }: BuyFacts,
): Promise<Result<SellFacts, ReviewRefusal>> {
  const deposits: { deposit: SellFacts['deposits'][number]['deposit']; decimals: number }[] = [];
  for (const deposit of await store.depositsOf([transaction.id])) {
    const network = networks.find(deposit.mode, deposit.network);
    if (network === undefined) {
      return refuse('not_possible', `${deposit.network} is not enabled in ${deposit.mode} mode.`);
    }
    deposits.push({ deposit, decimals: network.asset.decimals });
  }
  return ok({ transaction, deposits, movements });
}

/** The sends of a halted asset continue after two people have reviewed the reason for the halt. */
export async function planSendsResume(
  { treasuryWatch, networks }: ReviewDeps,
  { subjectId, detail: { mode, asset } }: Extract<ReviewRequest, { action: 'resume' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const halt = await treasuryWatch.haltOf(mode, asset);
  if (halt === undefined) return refuse('not_possible', `Sends of ${mode} ${asset} are not halted.`);
  const network = networks.enabled(mode).find((each) => tokenAsset(each.asset.code, each.name) === asset);
  const { findings } = halt;
  if (findings.length > 0 && network === undefined)
    return refuse('not_possible', `The network of ${asset} is not enabled in ${mode} mode.`);
  const hashes = findings.map(({ txHash }) => txHash);
  const sends =
    network === undefined ? new Map() : await treasuryWatch.sendsByHash(mode, network.name, hashes);
  const decimals = network?.asset.decimals ?? null;
  return ok(resumeSends({ mode, asset, decimals, findings }, subjectId, sends, by));
}
