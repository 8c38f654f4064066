// Tokens that leave a treasury, to an address that two people agree on.
import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { withdrawalAccounts, withdrawTokens } from '../../domain/review/withdrawal.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import type { Result } from '../../domain/values/result.ts';
import { checkTargetWallet } from './check-target.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planWithdrawal(
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
