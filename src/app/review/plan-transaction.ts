// A transaction that people decide about: released, or given back whole.

import { REFUND_DECIDED } from '../../domain/records/exceptions.ts';
import { type BuyFacts, refundBuy, releaseBuy } from '../../domain/review/buys.ts';
import type { RefundReason } from '../../domain/review/holds.ts';
import {
  type Decider,
  type Plan,
  type RefundDetail,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { refundSell, releaseSell, type SellFacts } from '../../domain/review/sells.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../settlement/context.ts';
import { tokensBack } from '../settlement/failed-payout.ts';
import { checkAccount } from './check-target.ts';
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
  if (request.action !== 'refund' && request.action !== 'release') {
    return refuse(
      'invalid',
      'A transaction is released or refunded; a credit is matched, split or written off.',
    );
  }
  if (facts.transaction.type === 'buy') return planBuy(deps, facts, request, by);
  const sell = await readSell(deps, facts);
  if (!sell.ok) return sell;
  if (request.action === 'release') return releaseSell(sell.value, by);
  if (request.detail.target !== null) {
    return refuse(
      'invalid',
      'The tokens of a sell go to its own wallet. Without one, the refund waits for an address.',
    );
  }
  const promised = await tokensBack(deps, facts.transaction, REFUND_DECIDED, by.atMs);
  const newRefundIds = sell.value.deposits.map(() => newId(deps, 'mov'));
  return refundSell(sell.value, promised, {
    ...by,
    newRefundIds,
    publicReason: publicReasonOf(request.detail),
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
  const account = target === null ? ok(null) : checkAccount(deps, target);
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

/** The deposits of a sell with what their tokens are worth. */
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
