// A payout or a refund by bank whose rail does not tell what became of it: two people found out, at the bank itself.
import { memoryOf } from '../../domain/movements/outcome-memory.ts';
import type { UnderWay } from '../../domain/movements/steps.ts';
import type { Movement } from '../../domain/records/movement.ts';
import { recordPaid, recordUnpaid, whyNotByPeople } from '../../domain/review/outcomes.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { undoPayout } from '../settlement/failed-payout.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planOutcome(
  deps: ReviewDeps,
  movement: Movement,
  outcome: 'paid' | 'unpaid',
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { store } = deps;
  const { id, mode, nairaMinor: amountMinor, transactionId } = movement;
  const attempt = (await store.lastAttempts([id])).get(id);
  const obstacle = whyNotByPeople(movement, attempt, by.atMs);
  if (obstacle !== null || attempt === undefined)
    return refuse('not_possible', obstacle ?? `${id} was not tried.`);
  const transaction =
    transactionId === null ? undefined : (await store.transactionsById([transactionId])).get(transactionId);
  const alive: UnderWay = { movement, attempt, transaction: transaction ?? null };
  if (outcome === 'paid') return ok({ mode, amountMinor, change: recordPaid(alive, by) });
  // The account cannot be paid: no other rail is tried, and the tokens go home.
  const isPayeesFault = memoryOf(attempt).refusal?.fault === 'payout' && movement.kind === 'payout';
  const change = isPayeesFault
    ? await undoPayout(deps, alive, 'two people: not paid', by.atMs)
    : recordUnpaid(alive, by);
  return ok({ mode, amountMinor, change });
}
