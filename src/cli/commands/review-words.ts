// Shared by the review commands: a proposal as a sentence, and refusals as failures that say what to do.

import type { RefundTarget, ReviewRefusal, ReviewRequest } from '../../domain/review/proposal.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { Result } from '../../domain/values/result.ts';
import { CommandError } from '../command.ts';

export function describeRequest(request: ReviewRequest): string {
  const { subjectId } = request;
  switch (request.action) {
    case 'match':
      return `match ${subjectId} to ${request.detail.transactionId}`;
    case 'split':
      return `split ${subjectId} into ${request.detail.partsMinor.map(formatNaira).join(' + ')}`;
    case 'refund':
      return `refund ${subjectId}${request.detail.target === null ? '' : ` to ${targetText(request.detail.target)}`}${spoken(request.detail.publicReason)}`;
    case 'write_off':
      return `write off ${subjectId}`;
    case 'own_funds':
      return `book ${subjectId} as own funds`;
    case 'withdraw': {
      const { mode, network, address } = request.detail;
      return `withdraw from the ${mode} treasury on ${network} to ${address} as ${subjectId}`;
    }
    case 'resume':
      return `resume sends of ${request.detail.mode} ${request.detail.asset}`;
    case 'release':
      return `release ${subjectId}`;
    case 'loss':
      return `book ${subjectId} as a loss`;
    case 'dismiss':
      return `dismiss ${subjectId}`;
  }
}

/** What the business will read: the second person approves that, too. */
function spoken(publicReason: string | undefined): string {
  return publicReason === undefined ? '' : ` with the public reason ${publicReason}`;
}

function targetText(target: RefundTarget): string {
  return 'address' in target
    ? target.address
    : `${target.accountName ?? '-'}, ${target.accountNumber}, ${target.bankCode}`;
}

export function answerOf<T>(result: Result<T, ReviewRefusal>): T {
  if (result.ok) return result.value;
  throw new CommandError(result.error.message);
}
