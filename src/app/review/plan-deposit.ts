// Unmatched tokens: sent to an address that two people name, taken as the operator's own, or written off.

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
import { checkWallet } from './check-target.ts';
import type { ReviewDeps } from './review-deps.ts';

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
    return refuse('invalid', 'A deposit is refunded, taken as own funds or written off.');
  const { target } = request.detail;
  // The sender is never taken for the owner: exchanges send for many from one address.
  if (target === null) return refuse('invalid', `Give the address on ${network.name} that gets the tokens.`);
  const wallet = await checkWallet(deps, deposit.mode, network.name, target);
  if (!wallet.ok) return wallet;
  return refundDeposit(deposit, decimals, wallet.value, { ...by, newRefundId: newId(deps, 'mov') });
}
