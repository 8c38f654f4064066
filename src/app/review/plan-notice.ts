// A notice of the bank that nothing could be done with: its money is booked as lost, or it is closed.
import { type BankCredit, isOpen, partName } from '../../domain/records/credit.ts';
import { dismissNotice, loseNotice } from '../../domain/review/notices.ts';
import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import type { Result } from '../../domain/values/result.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planNotice(
  { store, reviewDesk }: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const notice = await reviewDesk.noticeById(request.subjectId);
  if (notice === undefined) return refuse('not_found', `There is no notice ${request.subjectId}.`);
  if (request.action === 'dismiss') return dismissNotice(notice, by);
  if (request.action !== 'loss') return refuse('invalid', 'A notice is a loss, or it is dismissed.');
  const credit = (await store.findCredit(notice.mode, notice.source, notice.about)) ?? null;
  return loseNotice({ notice, credit, open: credit && (await openPart(store, credit)) }, by);
}

/** The credit itself or, of one that was split, the first of its parts that is still undecided. */
async function openPart(store: ReviewDeps['store'], credit: BankCredit): Promise<BankCredit | null> {
  if (isOpen(credit)) return credit;
  if (credit.state !== 'split') return null;
  for (let no = 1; ; no++) {
    const part = await store.findCredit(credit.mode, credit.source, partName(credit, no));
    if (part === undefined) return null;
    const open = await openPart(store, part);
    if (open !== null) return open;
  }
}
