// Advances due movements by one step. A step starts a refund, offers stored bytes or a reference again, queries the status, or
// ends a movement whose outcome is proven. The service commits each response when it arrives, so no network or bank waits for
// another one.
import type { LiveAttempt } from '../../domain/movements/steps.ts';
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { Attempt, Movement } from '../../domain/records/movement.ts';
import type { TransactionState } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Store } from '../../ports/store/store.ts';
import type { PickDeps, SettlementDeps } from '../engine/deps.ts';
import { runEach } from '../engine/retries.ts';
import { type CommitStep, makeCommitStep } from './commit-steps.ts';
import { findRefundDestination } from './find-refund-destination.ts';
import type { BankStep, NetworkContact, NetworkStep } from './movement-step.ts';
import { askRail } from './payouts/call-rail.ts';
import { orderPayout } from './payouts/order-payout.ts';
import { settlePayout } from './payouts/settle-payout.ts';
import { startPayout } from './payouts/start-payout.ts';
import { type BroadcastSend, broadcastAll } from './sends/broadcast.ts';
import { makeNetworkContact } from './sends/network-contact.ts';
import { draftAttempt, followSend } from './sends/network-steps.ts';
import { signAndStorePayments } from './sends/sign-payments.ts';

/**
 * A leased movement with its attempt and its transaction. They are one record, so that the parts of different movements cannot
 * be combined.
 */
export type FollowedMovement = { readonly movement: Movement; readonly attempt?: undefined } | LiveAttempt;

/**
 * The caller must hold the leases of the movements in `followed`. Returns the newly signed sends, with which the caller
 * continues.
 */
export async function followMovements(
  deps: SettlementDeps,
  followed: readonly FollowedMovement[],
): Promise<readonly BroadcastSend[]> {
  const known = await readLastAttempts(deps.store, followed);
  const commit = makeCommitStep(deps);
  const contact = makeNetworkContact(deps);
  const groups = Map.groupBy(known, ({ movement: { mode, network } }) =>
    network === null ? 'banks' : `${mode} ${network}`,
  );
  const { done, rethrow } = await runEach([...groups], async ([name, own]) => {
    if (name !== 'banks') return followSends(deps, contact, own, commit);
    await followPayouts(deps, own, commit);
    return [];
  });
  rethrow();
  return done.flatMap(({ outcome }) => outcome);
}

interface MovementWithAttempt {
  readonly movement: Movement;
  readonly attempt: Attempt | undefined;
  readonly transaction: Transaction | null;
}

async function readLastAttempts(
  store: Pick<Store, 'transactionsById' | 'lastAttempts'>,
  followed: readonly FollowedMovement[],
): Promise<readonly MovementWithAttempt[]> {
  const leased = followed.filter(({ attempt }) => attempt === undefined).map(({ movement }) => movement);
  const transactionIds = leased.flatMap(({ transactionId }) => transactionId ?? []);
  const [transactions, attempts] = await Promise.all([
    store.transactionsById([...new Set(transactionIds)]),
    store.lastAttempts(leased.map(({ id }) => id)),
  ]);
  return followed.map((each): MovementWithAttempt => {
    if (each.attempt !== undefined) return each;
    const { movement } = each;
    const transaction = transactions.get(movement.transactionId ?? '') ?? null;
    return { movement, attempt: attempts.get(movement.id), transaction };
  });
}

async function followPayouts(
  deps: SettlementDeps,
  payouts: readonly MovementWithAttempt[],
  commit: CommitStep,
): Promise<void> {
  const { rethrow } = await runEach(payouts, async (known) => {
    const { movement } = known;
    const { change, order } = await askOrStartPayout(deps, known);
    // The service stores the attempt first, and sends only a stored attempt to the rail.
    if ((await commit({ movement, change })) && order !== undefined) await orderPayout(deps, order, commit);
  });
  rethrow();
}

async function askOrStartPayout(deps: SettlementDeps, known: MovementWithAttempt): Promise<BankStep> {
  const { movement, attempt, transaction } = known;
  if (isOvertaken(movement, transaction)) return { change: postponeMovement(deps, movement) };
  if (movement.state !== 'pending') {
    const alive: LiveAttempt = { movement, attempt: attempt!, transaction };
    return settlePayout(deps, alive, await askRail(deps, alive));
  }
  if (movement.destination === null)
    return { change: await findRefundDestination(deps, movement, transaction) };
  return startPayout(deps, movement, attempt, transaction);
}

/**
 * Follows the sends of one network. The sends that need a signature are signed together, and do not wait for status queries
 * about other sends.
 */
async function followSends(
  deps: SettlementDeps,
  contact: NetworkContact,
  sends: readonly MovementWithAttempt[],
  commit: CommitStep,
): Promise<readonly BroadcastSend[]> {
  const advance = (own: readonly MovementWithAttempt[]) =>
    runEach(own, async (known) => {
      const { change, draft } = await askOrStartSend(deps, contact, known);
      if (change !== undefined) await commit({ movement: known.movement, change });
      return draft ?? [];
    });
  const isNew = ({ movement }: MovementWithAttempt) => movement.state === 'pending';
  const start = async () => {
    const { done, rethrow } = await advance(sends.filter(isNew));
    const drafts = done.flatMap(({ outcome }) => outcome);
    const sent = await broadcastAll(deps, await signAndStorePayments(deps, drafts), commit);
    return { sent, rethrow };
  };
  const [started, asked] = await Promise.allSettled([start(), advance(sends.filter((each) => !isNew(each)))]);
  if (started.status === 'rejected') throw started.reason;
  if (asked.status === 'rejected') throw asked.reason;
  started.value.rethrow();
  asked.value.rethrow();
  return started.value.sent;
}

async function askOrStartSend(
  deps: SettlementDeps,
  contact: NetworkContact,
  known: MovementWithAttempt,
): Promise<NetworkStep> {
  const { movement, attempt, transaction } = known;
  if (isOvertaken(movement, transaction)) return { change: postponeMovement(deps, movement) };
  if (movement.state !== 'pending')
    return followSend(deps, contact, { movement, attempt: attempt!, transaction });
  if (movement.destination === null)
    return { change: await findRefundDestination(deps, movement, transaction) };
  return draftAttempt(deps, contact, movement, attempt, transaction);
}

const ACTIVE_STATES: Readonly<Record<Movement['kind'], readonly TransactionState[] | null>> = {
  send: ['sending', 'confirming'],
  payout: ['paying_out'],
  refund: null,
  sweep: null,
  withdrawal: null,
};

/**
 * Returns whether another process ended the movement while this process was paused. Then the state in this process is out of
 * date.
 */
function isOvertaken({ kind }: Movement, transaction: Transaction | null): boolean {
  const states = ACTIVE_STATES[kind];
  return states !== null && transaction !== null && !states.includes(transaction.state);
}

function postponeMovement({ clock, leaseMs }: PickDeps<'clock' | 'leaseMs'>, movement: Movement): Change {
  const atMs = clock.now();
  return { atMs, movements: [makeMove(movement, { dueAtMs: atMs + leaseMs })] };
}
