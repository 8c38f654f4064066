// Gives a payout by bank to its rail, settles what the rail says, and goes on with the next rail while none pays it. Its answer is
// committed when it comes, and those that come together share a commit.
import { orderedAtMs } from '../../../domain/movements/outcome-memory.ts';
import type { UnderWay } from '../../../domain/movements/steps.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import type { CommitStep } from '../commit-steps.ts';
import { type Answer, giveOrder } from './call-rail.ts';
import { settlePayout } from './settle-payout.ts';

/** A payout whose attempt this step stored: no other process gives it to its rail. */
export async function orderPayout(deps: SettlementDeps, payout: UnderWay, commit: CommitStep): Promise<void> {
  // Each further order is on a rail further on, so this ends.
  let next: UnderWay | undefined = payout;
  while (next !== undefined) {
    const answer = await giveOrder(deps, next);
    const { change, order } = await settlePayout(deps, next, answer);
    if (await commit({ movement: next.movement, change })) next = order;
    else next = answer && (await settleAnew(deps, next, answer, commit));
  }
}

/** The maximum number of tries to settle an answer while others ask about the same payout. */
const MOST_TRIES = 3;

/**
 * Another process has asked about it meanwhile, after an event of its rail perhaps. The answer to the order still counts. Answers what
 * is to be ordered next.
 */
async function settleAnew(
  deps: SettlementDeps,
  { movement, attempt }: UnderWay,
  answer: Answer,
  commit: CommitStep,
): Promise<UnderWay | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const fresh = await readAgain(deps.store, movement.id);
    const isOpen = fresh !== undefined && ['sending', 'unknown'].includes(fresh.movement.state);
    if (!isOpen || fresh.attempt.no !== attempt.no) return undefined;
    // The rail was asked meanwhile and has taken the reference up: that we could not send it is no proof any more.
    if (answer.status.kind === 'not_sent' && fresh.attempt.state === 'accepted') return undefined;
    // It was ordered again meanwhile: what came of this order proves nothing about the other one.
    const isOnlyOrder = orderedAtMs(fresh.attempt) === orderedAtMs(attempt);
    const heard: Answer = isOnlyOrder ? answer : { ...answer, called: 'asked' };
    const { change, order } = await settlePayout(deps, fresh, heard);
    if (await commit({ movement: fresh.movement, change })) return order;
  }
  return undefined;
}

async function readAgain(
  store: Pick<Store, 'movementById' | 'lastAttempts' | 'transactionsById'>,
  id: string,
): Promise<UnderWay | undefined> {
  const movement = await store.movementById(id);
  const attempt = (await store.lastAttempts([id])).get(id);
  if (movement === undefined || attempt === undefined) return undefined;
  const about = movement.transactionId;
  const transaction = about === null ? undefined : (await store.transactionsById([about])).get(about);
  return { movement, attempt, transaction: transaction ?? null };
}
