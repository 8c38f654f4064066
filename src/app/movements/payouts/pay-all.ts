// Carries out payouts by bank, each by itself: its answer is committed when it comes, and those that come together share a commit.
// No payout waits for another one's bank.

import { orderedAtMs } from '../../../domain/movements/outcome-memory.ts';
import type { UnderWay } from '../../../domain/movements/steps.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import { apart } from '../../engine/retries.ts';
import { type CommitStep, makeCommitStep } from '../commit-steps.ts';
import type { Step } from '../step.ts';
import { type Answer, judgeAnswer, orderPayout, waitForRail } from './bank-steps.ts';

/** Payouts whose attempts this step stored: no other process gives them to their rails. */
export async function payAll(
  deps: SettlementDeps,
  payouts: readonly UnderWay[],
  commit: CommitStep = makeCommitStep(deps),
): Promise<void> {
  const { rethrow } = await apart(payouts, (payout) => payOne(deps, payout, commit));
  rethrow();
}

/** On to the next rail while one after the other does not pay it; each is a rail further on, so this ends. */
async function payOne(deps: SettlementDeps, payout: UnderWay, commit: CommitStep): Promise<void> {
  let next: UnderWay | undefined = payout;
  while (next !== undefined)
    next = await order(deps, next, isFirst(next) ? 'ordered_first' : 'ordered_again', commit);
}

/** An order that is repeated was asked about before. */
function isFirst({ attempt }: UnderWay): boolean {
  return attempt.state === 'prepared';
}

/** Answers the attempt that is to be ordered next. */
async function order(
  deps: SettlementDeps,
  alive: UnderWay,
  called: 'ordered_first' | 'ordered_again',
  commit: CommitStep,
): Promise<UnderWay | undefined> {
  const answer = await orderPayout(deps, alive, called);
  if (answer === undefined) {
    await commit({ movement: alive.movement, change: waitForRail(deps, alive) });
    return undefined;
  }
  const step = await judgeAnswer(deps, alive, answer);
  if (await commitPlain(commit, alive, step)) return step.start;
  return commitLater(deps, alive, answer, commit);
}

/** So often an answer is judged anew when others ask about its payout at the same time. */
const MOST_TRIES = 3;

/** Another process has asked about it meanwhile, after an event of its rail perhaps. The answer to the order still counts. */
async function commitLater(
  deps: SettlementDeps,
  { movement, attempt }: UnderWay,
  answer: Answer,
  commit: CommitStep,
): Promise<UnderWay | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const fresh = await readAgain(deps, movement.id);
    const isOpen = fresh !== undefined && ['sending', 'unknown'].includes(fresh.movement.state);
    if (!isOpen || fresh.attempt.no !== attempt.no) return undefined;
    // The rail was asked meanwhile and has taken the reference up: that we could not send it is no proof any more.
    if (answer.status.kind === 'not_sent' && fresh.attempt.state === 'accepted') return undefined;
    // It was ordered again meanwhile: what came of this order proves nothing about the other one.
    const isOnlyOrder = orderedAtMs(fresh.attempt) === orderedAtMs(attempt);
    const step = await judgeAnswer(deps, fresh, isOnlyOrder ? answer : { ...answer, called: 'asked' });
    if (await commitPlain(commit, fresh, step)) return step.start;
  }
  return undefined;
}

async function readAgain({ store }: SettlementDeps, id: string): Promise<UnderWay | undefined> {
  const movement = await store.movementById(id);
  const attempt = (await store.lastAttempts([id])).get(id);
  if (movement === undefined || attempt === undefined) return undefined;
  const about = movement.transactionId;
  const transaction = about === null ? undefined : (await store.transactionsById([about])).get(about);
  return { movement, attempt, transaction: transaction ?? null };
}

async function commitPlain(commit: CommitStep, { movement }: UnderWay, step: Step): Promise<boolean> {
  if (step.change === undefined) throw new Error('a payout by bank is not signed');
  return commit({ movement, change: step.change });
}
