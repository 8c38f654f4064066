// Plans the decisions of people about a bank credit: they match it by hand, split it, refund it or write it off.
import type { BuyFacts } from '../../domain/review/buys.ts';
import { matchCreditByHand, returnCredit, splitCredit, writeOffCredit } from '../../domain/review/credits.ts';
import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { refundDeposit, takeAsOwnFunds, writeOffDeposit } from '../../domain/review/refunds.ts';
import type { Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { checkTargetAccount, checkTargetWallet } from './check-target.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planCredit(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { store } = deps;
  const credit = (await store.creditsById([request.subjectId])).get(request.subjectId);
  if (credit === undefined) return refuse('not_found', `There is no credit ${request.subjectId}.`);
  const newRefundId = newId(deps, 'mov');
  switch (request.action) {
    case 'match': {
      const buy = await readBuy(deps, request.detail.transactionId);
      if (buy === undefined)
        return refuse('not_found', `There is no transaction ${request.detail.transactionId}.`);
      return matchCreditByHand(credit, buy, { ...by, newRefundId });
    }
    case 'split': {
      const { partsMinor } = request.detail;
      return splitCredit(credit, partsMinor, { ...by, partIds: partsMinor.map(() => newId(deps, 'crd')) });
    }
    case 'refund': {
      const { target } = request.detail;
      const account = target === null ? null : checkTargetAccount(deps, target);
      if (account?.ok === false) return account;
      const id = credit.transactionId ?? '';
      const meant = (await store.transactionsById([id])).get(id) ?? null;
      return returnCredit(credit, meant, account?.value ?? null, { ...by, newRefundId });
    }
    case 'write_off':
      return writeOffCredit(credit, by);
    case 'paid':
    case 'unpaid':
    case 'own_funds':
    case 'resume':
    case 'withdraw':
    case 'fund':
    case 'unfund':
    case 'naira':
    case 'release':
    case 'loss':
    case 'dismiss':
    case 'pay_again':
    case 'recovered':
    case 'accepted':
    case 'counted':
    case 'explained':
    case 'explained_all':
      return refuse(
        'invalid',
        'A credit can be matched, split, refunded or written off. Only a transaction can be released; loss and dismiss are for notices.',
      );
  }
}

export async function readBuy(
  { store }: Pick<ReviewDeps, 'store'>,
  id: string,
): Promise<BuyFacts | undefined> {
  const transaction = (await store.transactionsById([id])).get(id);
  if (transaction === undefined) return undefined;
  const [credits, movements] = await Promise.all([store.creditsOf([id]), store.movementsOf([id])]);
  return { transaction, credits, movements };
}

/**
 * Plans the decision about unmatched tokens: they are sent to an address that two people give, booked as the operator's own, or
 * written off.
 */
export async function planDeposit(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const deposit = await deps.reviewDesk.depositById(request.subjectId);
  if (deposit === undefined) return refuse('not_found', `There is no deposit ${request.subjectId}.`);
  const network = deps.networks.find(deposit.mode, deposit.network);
  if (network === undefined) {
    return refuse('not_possible', `${deposit.network} is not enabled in ${deposit.mode} mode.`);
  }
  const { decimals } = network.asset;
  if (request.action === 'write_off') return writeOffDeposit(deposit, decimals, by);
  if (request.action === 'own_funds') return takeAsOwnFunds(deposit, decimals, by);
  if (request.action !== 'refund')
    return refuse('invalid', 'A deposit can only be refunded, taken as own funds or written off.');
  const { target } = request.detail;
  // The sender does not count as the owner of the tokens, because an exchange sends for many customers from one address.
  if (target === null)
    return refuse('invalid', `Name the address on ${network.name} that receives the tokens.`);
  const wallet = await checkTargetWallet(deps, deposit.mode, network.name, target);
  if (!wallet.ok) return wallet;
  return refundDeposit(deposit, decimals, wallet.value, { ...by, newRefundId: newId(deps, 'mov') });
}
