// Takes movements that are due one step further: starts refunds, offers stored bytes or a reference again, asks what
// became of them, and settles what the answer proves. Each answer is committed when it comes, and no network or bank waits for another.

import type { UnderWay } from '../../domain/movements/steps.ts';
import { moveOf } from '../../domain/records/change.ts';
import type { Attempt, Movement } from '../../domain/records/movement.ts';
import type { State } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { SettlementDeps } from '../engine/deps.ts';
import { apart } from '../engine/retries.ts';
import { type CommitStep, makeCommitStep } from './commit-steps.ts';
import { followPayout, startPayoutAttempt } from './payouts/bank-steps.ts';
import { payAll } from './payouts/pay-all.ts';
import { startRepeatedPayout } from './payouts/repeat-payout.ts';
import { findDestination } from './refund-destination.ts';
import { broadcastAll, type Sent } from './sends/broadcast.ts';
import { contactNetworks } from './sends/contact-network.ts';
import { draftAttempt, followSend } from './sends/network-steps.ts';
import { signAndStore } from './sends/sign-payments.ts';
import type { Contact, Step } from './step.ts';

/**
 * A movement to be followed: as it was leased, or as this process itself sent it, together with its attempt and its
 * transaction. What is known is one record with the movement, so a wrong pair cannot be written.
 */
export type Followed = { readonly movement: Movement; readonly attempt?: undefined } | UnderWay;

/** Movements the caller holds. Answers sends made anew that it goes on with. */
export async function followMovements(
  deps: SettlementDeps,
  followed: readonly Followed[],
): Promise<readonly Sent[]> {
  const leased = followed.filter(({ attempt }) => attempt === undefined).map(({ movement }) => movement);
  const transactionIds = leased.flatMap(({ transactionId }) => transactionId ?? []);
  const [transactions, attempts] = await Promise.all([
    deps.store.transactionsById([...new Set(transactionIds)]),
    deps.store.lastAttempts(leased.map(({ id }) => id)),
  ]);
  const contact = contactNetworks(deps);
  const step = (each: Followed) => {
    const { movement } = each;
    if (each.attempt !== undefined) return follow(deps, contact, movement, each.attempt, each.transaction);
    const transaction = transactions.get(movement.transactionId ?? '') ?? null;
    return follow(deps, contact, movement, attempts.get(movement.id), transaction);
  };
  const commit = makeCommitStep(deps);
  const groups = Map.groupBy(followed, ({ movement: { mode, network } }) =>
    network === null ? 'banks' : `${mode} ${network}`,
  );
  const { done, rethrow } = await apart([...groups], async ([name, own]) => {
    if (name !== 'banks') return followSends(deps, own, step, commit);
    await followPayouts(deps, own, step, commit);
    return [];
  });
  rethrow();
  return done.flatMap(({ outcome }) => outcome);
}

/** Sends over one network. Those that have to be signed are signed together, and do not wait for what is asked about the others. */
async function followSends(
  deps: SettlementDeps,
  sends: readonly Followed[],
  step: (each: Followed) => Promise<Step>,
  commit: CommitStep,
): Promise<readonly Sent[]> {
  const advance = (own: readonly Followed[]) =>
    apart(own, async (each) => {
      const { change, draft } = await step(each);
      if (change !== undefined) await commit({ movement: each.movement, change });
      return draft ?? [];
    });
  const isNew = ({ movement }: Followed) => movement.state === 'pending';
  const start = async () => {
    const { done, rethrow } = await advance(sends.filter(isNew));
    const drafts = done.flatMap(({ outcome }) => outcome);
    const sent = await broadcastAll(deps, await signAndStore(deps, drafts), commit);
    return { sent, rethrow };
  };
  const [started, asked] = await Promise.allSettled([start(), advance(sends.filter((each) => !isNew(each)))]);
  if (started.status === 'rejected') throw started.reason;
  if (asked.status === 'rejected') throw asked.reason;
  started.value.rethrow();
  asked.value.rethrow();
  return started.value.sent;
}

/** Payouts and refunds by bank: each goes on when its own bank has answered. */
async function followPayouts(
  deps: SettlementDeps,
  payouts: readonly Followed[],
  step: (each: Followed) => Promise<Step>,
  commit: CommitStep,
): Promise<void> {
  const { rethrow } = await apart(payouts, async (each) => {
    const { movement } = each;
    const { change, start } = await step(each);
    if (change === undefined) throw new Error(`payout ${movement.id} is not signed`);
    // Stored first; only what is stored is sent.
    if ((await commit({ movement, change })) && start !== undefined) await payAll(deps, [start], commit);
  });
  rethrow();
}

async function follow(
  deps: SettlementDeps,
  contact: Contact,
  movement: Movement,
  attempt: Attempt | undefined,
  transaction: Transaction | null,
): Promise<Step> {
  if (isOvertaken(movement, transaction)) {
    const atMs = deps.clock.now();
    return { change: { atMs, movements: [moveOf(movement, { dueAtMs: atMs + deps.leaseMs })] } };
  }
  if (movement.state === 'pending') {
    if (movement.destination === null) return findDestination(deps, movement, transaction);
    // One that was tried before was checked then: every rail refused it, and it is tried again.
    if (movement.kind === 'payout' && attempt === undefined)
      return startRepeatedPayout(deps, movement, transaction!);
    return movement.network === null
      ? startPayoutAttempt(deps, movement, attempt, transaction)
      : draftAttempt(deps, contact, movement, attempt, transaction);
  }
  const alive: UnderWay = { movement, attempt: attempt!, transaction };
  return movement.network === null ? followPayout(deps, alive) : followSend(deps, contact, alive);
}

const UNDER_WAY: Readonly<Record<Movement['kind'], readonly State[] | null>> = {
  send: ['sending', 'confirming'],
  payout: ['paying_out'],
  refund: null,
  sweep: null,
  withdrawal: null,
};

/** Another has ended it while this process stood still: what is known of the movement here is out of date. */
function isOvertaken({ kind }: Movement, transaction: Transaction | null): boolean {
  const states = UNDER_WAY[kind];
  return states !== null && transaction !== null && !states.includes(transaction.state);
}
