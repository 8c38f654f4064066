// Naira that people moved at a bank, and that two people book. The booking is checked against the current accounts and balances.
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { bookNairaMove, coverAccounts } from '../../domain/review/naira-moves.ts';
import type { Decider, Plan, ReviewRefusal, ReviewRequest } from '../../domain/review/proposal.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { Result } from '../../domain/values/result.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planNairaBooking(
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
