// Sends a payout to its rail, handles the rail's response, and continues with the next rail until one rail pays. The service
// commits each response when it arrives; responses that arrive together share a commit.
import { findLastOrderMs } from '../../../domain/movements/outcome-memory.ts';
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import type { CommitStep } from '../commit-steps.ts';
import { placeOrder, type RailAnswer } from './call-rail.ts';
import { settlePayout } from './settle-payout.ts';

/** This step must have stored the attempt of `payout`, so that no other process sends the payout to its rail. */
export async function orderPayout(
  deps: SettlementDeps,
  payout: LiveAttempt,
  commit: CommitStep,
): Promise<void> {
  // Each further order goes to a later rail in the list, so this loop ends.
  let next: LiveAttempt | undefined = payout;
  while (next !== undefined) {
    const answer = await placeOrder(deps, next);
    const { change, order } = await settlePayout(deps, next, answer);
    if (await commit({ movement: next.movement, change })) next = order;
    else next = answer && (await resettleAnswer(deps, next, answer, commit));
  }
}

/** The maximum number of tries to commit a rail's response while other processes query the same payout. */
const MOST_TRIES = 3;

/**
 * Handles the response to an order after another process has queried the payout meanwhile, perhaps because of a rail event. The
 * response still counts. Returns the attempt that the service must order next.
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
    // Another process queried the rail meanwhile, and the rail has the reference. So the failure of this process to send the
    // order no longer proves anything.
    if (answer.status.kind === 'not_sent' && fresh.attempt.state === 'accepted') return undefined;
    // If the payout was ordered again meanwhile, the result of this order proves nothing about the other order.
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
