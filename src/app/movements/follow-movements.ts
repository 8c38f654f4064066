// Advances due movements by one step: starts refunds, offers stored bytes or a reference again, queries the status, and settles
// the movement when an answer proves its outcome. Each answer is committed when it arrives, and no network or bank has to wait
// for another.
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
 * A movement to be followed, as it was leased or as this process sent it, together with its attempt and its transaction. These
 * parts are one record, so that parts of different movements cannot be combined.
 */
export type FollowedMovement = { readonly movement: Movement; readonly attempt?: undefined } | LiveAttempt;

/** `followed`: movements that the caller holds. Returns the newly signed sends that the caller continues with. */
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

/** A movement with its last attempt, if there is one, and its transaction. */
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

/** Payouts and bank refunds: each continues when its own bank has answered. */
async function followPayouts(
  deps: SettlementDeps,
  payouts: readonly MovementWithAttempt[],
  commit: CommitStep,
): Promise<void> {
  const { rethrow } = await runEach(payouts, async (known) => {
    const { movement } = known;
    const { change, order } = await askOrStartPayout(deps, known);
    // The attempt is stored first; only a stored attempt is sent.
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
 * Sends over one network. The sends that need a signature are signed together, and do not wait for status queries about the other
 * sends.
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

/** Another process ended the movement while this process was paused, so the state known here is out of date. */
function isOvertaken({ kind }: Movement, transaction: Transaction | null): boolean {
  const states = ACTIVE_STATES[kind];
  return states !== null && transaction !== null && !states.includes(transaction.state);
}

function postponeMovement({ clock, leaseMs }: PickDeps<'clock' | 'leaseMs'>, movement: Movement): Change {
  const atMs = clock.now();
  return { atMs, movements: [makeMove(movement, { dueAtMs: atMs + leaseMs })] };
}
