// Lets the first of two people propose an action. Nothing moves yet. The service refuses at once an action that is not possible
// now.
import { formatLedgerAccount } from '../../domain/records/naira-move.ts';
import type {
  FundingDetail,
  Proposal,
  RefundDetail,
  RefundTarget,
  ReviewRefusal,
  ReviewRequest,
} from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { checkPerson } from '../back-office/check-decision.ts';
import { newId } from '../engine/deps.ts';
import { planReview } from './plan-review.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function proposeReview(
  deps: ReviewDeps,
  { actor, ...request }: ReviewRequest & { readonly actor: string },
): Promise<Result<Proposal, ReviewRefusal>> {
  const person = checkPerson(actor);
  if (!person.ok) return person;
  const asked = request as ReviewRequest;
  const atMs = deps.clock.now();
  const plan = await planReview(deps, asked, { actor, atMs });
  if (!plan.ok) return plan;
  const { mode, amountMinor } = plan.value;
  // If the same person sends the same proposal twice, the service returns the first one.
  const open = await deps.reviewDesk.openProposalsOn(asked.subjectId);
  const same = open.find(
    (each) =>
      each.proposedBy === actor && each.amountMinor === amountMinor && isSameRequest(each.request, asked),
  );
  if (same !== undefined) return ok(same);
  const proposal: Proposal = {
    id: newId(deps, 'prp'),
    mode,
    request: asked,
    amountMinor,
    proposedBy: actor,
    proposedAtMs: atMs,
    decision: null,
  };
  await deps.reviewDesk.addProposal(proposal);
  return ok(proposal);
}

function isSameRequest(a: ReviewRequest, b: ReviewRequest): boolean {
  return a.action === b.action && detailText(a) === detailText(b);
}

export function detailText(request: ReviewRequest): string {
  switch (request.action) {
    case 'match':
      return request.detail.transactionId;
    case 'split':
      return request.detail.partsMinor.join(' ');
    case 'refund':
      return refundText(request.detail);
    case 'withdraw': {
      const { network, address, nairaMinor } = request.detail;
      return [network, address, nairaMinor].join(' ');
    }
    case 'fund':
      return fundingText(request.detail);
    case 'unfund':
      return `${request.detail.fundingId} ${fundingText(request.detail)}`;
    case 'naira': {
      const { mode, kind, charge, account, to, nairaMinor, day, reference } = request.detail;
      const accounts = [account, ...(to === null ? [] : [to])].map(formatLedgerAccount);
      return [mode, kind, charge, ...accounts, nairaMinor, day, reference].join(' ');
    }
    case 'resume':
      return `${request.detail.mode} ${request.detail.asset}`;
    case 'pay_again':
      return targetText(request.detail.account);
    case 'recovered': {
      const { into } = request.detail;
      return into === null ? '' : `${into.bankCode} ${into.accountNumber}`;
    }
    case 'explained_all':
      return request.detail.digest;
    case 'paid':
    case 'unpaid':
    case 'accepted':
    case 'counted':
    case 'explained':
    case 'write_off':
    case 'own_funds':
    case 'release':
    case 'loss':
    case 'dismiss':
      return '';
  }
}

function fundingText({ mode, asset, amount }: FundingDetail): string {
  return [mode, asset, amount].join(' ');
}

function refundText({ target, publicReason }: RefundDetail): string {
  return [publicReason, target === null ? '' : targetText(target)].join(' ');
}

function targetText(target: RefundTarget): string {
  return 'address' in target
    ? target.address
    : [target.bankCode, target.accountNumber, target.accountName ?? ''].join(' ');
}
