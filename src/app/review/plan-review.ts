// Returns what an action would do to the current records, or why it is not possible. Proposals and approvals both use this
// function, so the same rules apply to a proposal and to its approval.

import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { bookNairaMove, coverAccounts } from '../../domain/review/naira-moves.ts';
import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { withdrawalAccounts, withdrawTokens } from '../../domain/review/withdrawal.ts';
import { NAIRA, tokenAsset } from '../../domain/values/money.ts';
import type { Result } from '../../domain/values/result.ts';
import { checkTargetWallet } from './check-target.ts';
import { planCase, planNotice } from './plan-case.ts';
import { planCaseGroup } from './plan-case-group.ts';
import { planCredit, planDeposit } from './plan-credit.ts';
import { planFunding, planUnfunding } from './plan-funding.ts';
import { planRefund } from './plan-refund.ts';
import { planSendsResume, planTransaction } from './plan-transaction.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planReview(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { subjectId } = request;
  if (request.action === 'withdraw') return planWithdrawal(deps, request, by);
  if (request.action === 'fund') return planFunding(deps, request, by);
  if (request.action === 'unfund') return planUnfunding(deps, request, by);
  if (request.action === 'naira') return planNairaBooking(deps, request, by);
  if (request.action === 'explained_all') return planCaseGroup(deps, request, by);
  if (request.action === 'resume') return planSendsResume(deps, request, by);
  const spoken = request.action === 'refund' ? request.detail.publicReason : undefined;
  if (spoken !== undefined && !['txn_', 'cas_'].includes(subjectId.slice(0, 4))) {
    return refuse(
      'invalid',
      'Only a refund of a transaction or of a case has a public reason: leave it out.',
    );
  }
  switch (subjectId.slice(0, 4)) {
    case 'crd_':
      return planCredit(deps, request, by);
    case 'txn_':
      return planTransaction(deps, request, by);
    case 'dep_':
      return planDeposit(deps, request, by);
    case 'mov_':
      return planRefund(deps, request, by);
    case 'ntc_':
      return planNotice(deps, request, by);
    case 'cas_':
      return planCase(deps, request, by);
    default:
      return refuse(
        'not_found',
        `${subjectId} is not the id of a credit, a transaction, a deposit, a refund, a notice or a case.`,
      );
  }
}

// Plans the booking of naira that people moved at a bank, by two people. The booking is checked against the current accounts
// and balances.

async function planNairaBooking(
  { store, reviewDesk }: ReviewDeps,
  { subjectId: id, detail }: Extract<ReviewRequest, { action: 'naira' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { mode } = detail;
  const books = await reviewDesk.bankBooks(mode);
  const keys = [...coverAccounts(mode, books), ledgerKey(mode, NAIRA, 'charges')];
  const balances = new Map(await store.balances(keys));
  const bookedAs = await reviewDesk.findNairaMove({ ...detail, id });
  return bookNairaMove(detail, { id, books, balances, bookedAs }, by);
}

// Plans a withdrawal: tokens leave a treasury to an address that two people agree on.

async function planWithdrawal(
  deps: ReviewDeps,
  { subjectId, detail }: Extract<ReviewRequest, { action: 'withdraw' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { mode } = detail;
  const network = deps.networks.find(mode, detail.network);
  if (network === undefined)
    return refuse('not_possible', `${detail.network} is not enabled in ${mode} mode.`);
  if ((await deps.store.movementById(subjectId)) !== undefined)
    return refuse('not_possible', `${subjectId} is already made.`);
  const wallet = await checkTargetWallet(deps, mode, network.name, { address: detail.address });
  if (!wallet.ok) return wallet;
  const asset = tokenAsset(network.asset.code, network.name);
  const balances = new Map(await deps.store.balances([...withdrawalAccounts(mode, asset)]));
  return withdrawTokens(detail, { id: subjectId, network, target: wallet.value, balances }, by);
}
