// Previews what an action would post and do on the current records, with the same plan as the approval. It writes nothing. The
// first person sees the preview before proposing, and the second person before approving.
import type { Entry } from '../../domain/ledger/ledger.ts';
import { describeReviewRequest } from '../../domain/review/describe-review-request.ts';
import { describeEffects, type Effect } from '../../domain/review/effects.ts';
import type { Plan, ReviewRefusal, ReviewRequest } from '../../domain/review/proposal.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { planReview } from '../review/plan-review.ts';
import { findBookedAccount, type NairaBookingRequest } from '../review/propose-naira-booking.ts';
import type { ReviewDeps } from '../review/review-deps.ts';

export interface ReviewPreview {
  readonly what: string;
  readonly mode: Mode;
  readonly amountMinor: bigint;
  readonly entries: readonly Entry[];
  readonly effects: readonly Effect[];
}

export async function previewReview(
  deps: ReviewDeps,
  request: ReviewRequest,
  actor: string,
): Promise<Result<ReviewPreview, ReviewRefusal>> {
  const plan = await planReview(deps, request, { actor, atMs: deps.clock.now() });
  return plan.ok ? ok(previewOf(request, plan.value)) : plan;
}

function previewOf(request: ReviewRequest, { mode, amountMinor, change }: Plan): ReviewPreview {
  return {
    what: describeReviewRequest(request),
    mode,
    amountMinor,
    // An amount of zero posts nothing, and the commit omits such an entry.
    entries: (change.entries ?? []).filter(({ postings }) => postings.length > 0),
    effects: describeEffects(change),
  };
}

// Previews the posting of naira that people moved at a bank, before they propose it. It writes nothing.

/** The preview needs an id but posts nothing, so it uses this placeholder. The proposal gets its own id. */
const PREVIEW_BOOKING_ID = 'nai_preview';

export async function previewNairaBooking(
  deps: ReviewDeps,
  { actor, ...given }: NairaBookingRequest,
): Promise<Result<ReviewPreview, ReviewRefusal>> {
  const books = await deps.reviewDesk.bankBooks(given.mode);
  const account = findBookedAccount(deps.banks, books, given.account);
  if (!account.ok) return account;
  const to = given.to === null ? ok(null) : findBookedAccount(deps.banks, books, given.to);
  if (!to.ok) return to;
  const detail = { ...given, account: account.value, to: to.value, reference: given.reference.trim() };
  return previewReview(deps, { action: 'naira', subjectId: PREVIEW_BOOKING_ID, detail }, actor);
}
