// Gives a payout by bank to its rail, settles what the rail says, and goes on with the next rail while none pays it. Its answer is
// committed when it comes, and those that come together share a commit.
import { findLastOrderMs } from '../../../domain/movements/outcome-memory.ts';
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import type { CommitStep } from '../commit-steps.ts';
import { placeOrder, type RailAnswer } from './call-rail.ts';
import { settlePayout } from './settle-payout.ts';

/** A payout whose attempt this step stored: no other process gives it to its rail. */
export async function orderPayout(
  deps: SettlementDeps,
  payout: LiveAttempt,
  commit: CommitStep,
): Promise<void> {
  // Each further order is on a rail further on, so this ends.
  let next: LiveAttempt | undefined = payout;
  while (next !== undefined) {
    const answer = await placeOrder(deps, next);
    const { change, order } = await settlePayout(deps, next, answer);
    if (await commit({ movement: next.movement, change })) next = order;
    else next = answer && (await resettleAnswer(deps, next, answer, commit));
  }
}

/** The maximum number of tries to settle an answer while others ask about the same payout. */
const MOST_TRIES = 3;

/**
 * Another process has asked about it meanwhile, after an event of its rail perhaps. The answer to the order still counts. Answers what
 * is to be ordered next.
 */
async function resettleAnswer(
  deps: SettlementDeps,
  { movement, attempt }: LiveAttempt,
  answer: RailAnswer,
  commit: CommitStep,
): Promise<LiveAttempt | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const fresh = await reloadPayout(deps.store, movement.id);
    const isOpen = fresh !== undefined && ['sending', 'unknown'].includes(fresh.movement.state);
    if (!isOpen || fresh.attempt.no !== attempt.no) return undefined;
    // The rail was asked meanwhile and has taken the reference up: that we could not send it is no proof any more.
    if (answer.status.kind === 'not_sent' && fresh.attempt.state === 'accepted') return undefined;
    // It was ordered again meanwhile: what came of this order proves nothing about the other one.
    const isOnlyOrder = findLastOrderMs(fresh.attempt) === findLastOrderMs(attempt);
    const heard: RailAnswer = isOnlyOrder ? answer : { ...answer, called: 'asked' };
    const { change, order } = await settlePayout(deps, fresh, heard);
    if (await commit({ movement: fresh.movement, change })) return order;
  }
  return undefined;
}

async function reloadPayout(
  store: Pick<Store, 'movementById' | 'lastAttempts' | 'transactionsById'>,
  id: string,
): Promise<LiveAttempt | undefined> {
  const movement = await store.movementById(id);
  const attempt = (await store.lastAttempts([id])).get(id);
  if (movement === undefined || attempt === undefined) return undefined;
  const about = movement.transactionId;
  const transaction = about === null ? undefined : (await store.transactionsById([about])).get(about);
  return { movement, attempt, transaction: transaction ?? null };
}
