// What booking naira that were moved at a bank would post, before it is proposed. Nothing is written.
import type { ReviewRefusal } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { findAccount, type GivenNaira } from '../review/naira/propose-naira.ts';
import type { ReviewDeps } from '../review/review-deps.ts';
import { type Preview, previewReview } from './preview-review.ts';

/** The id of a move that is not booked: the proposal has its own. */
const NO_MOVE = 'nai_preview';

export async function previewNaira(
  deps: ReviewDeps,
  { actor, ...given }: GivenNaira,
): Promise<Result<Preview, ReviewRefusal>> {
  const books = await deps.reviewDesk.bankBooks(given.mode);
  const account = findAccount(deps.banks, books, given.account);
  if (!account.ok) return account;
  const to = given.to === null ? ok(null) : findAccount(deps.banks, books, given.to);
  if (!to.ok) return to;
  const detail = { ...given, account: account.value, to: to.value, reference: given.reference.trim() };
  return previewReview(deps, { action: 'naira', subjectId: NO_MOVE, detail }, actor);
}
