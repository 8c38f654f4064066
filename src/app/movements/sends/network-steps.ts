// Contains one step of a movement over a network. If nothing was signed before, or if check-second-signature.ts allows it, the
// step makes a new attempt. Otherwise the step queries the status of the broadcast bytes.
import type { NetworkCost } from '../../../domain/movements/entries.ts';
import {
  endAttempt,
  finishMovement,
  giveUpMovement,
  holdMovementBack,
  type LiveAttempt,
  postponeQuestion,
  recordInclusion,
  recordReorganisation,
  recordUnknown,
  updateAttempt,
} from '../../../domain/movements/steps.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { Attempt, Movement, WalletDestination } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { Payment, SendStatus } from '../../../ports/networks/network-payer.ts';
import { isAssetHalted, type PickDeps, type SettlementDeps } from '../../engine/deps.ts';
import { networkLeaseMs } from '../../engine/leases.ts';
import { backOffMs } from '../../engine/retries.ts';
import { isDestinationListed } from '../../settlement/check-holds.ts';
import type { NetworkContact, NetworkStep } from '../movement-step.ts';
import { costShareOf } from './attempts.ts';
import {
  broadcastSend,
  MAX_SEND_ATTEMPTS,
  mayEndUnpaid,
  nextAskDelayMs,
  TOKENS_LEFT_REASON,
} from './broadcast.ts';
import { checkSecondSignature } from './check-second-signature.ts';
import { moveToSending, type NextAttempt } from './movement-drafts.ts';

const ASK_AGAIN_MS = 300;
const NOT_ENABLED_MS = 10_000;
const HALTED_MS = 2_000;
/** A payment may fail this many times only because of other payments in the same bytes. After that, it is sent alone. */
const MOST_TOGETHER = 3;
const BEAT_MS = 1_000;

/**
 * Signs a new attempt. The first attempt of a refund reserves its tokens. The tokens of a send were reserved when the send was
 * created.
 */
export async function draftAttempt(
  deps: SettlementDeps,
  contact: NetworkContact,
  movement: Movement,
  last: Attempt | undefined,
  transaction: Transaction | null,
): Promise<NetworkStep> {
  const atMs = deps.clock.now();
  const network = deps.networks.find(movement.mode, movement.network!);
  if (network === undefined) return postpone(movement, atMs, NOT_ENABLED_MS);
  const instead =
    last === undefined
      ? undefined
      : await checkSecondSignature(deps, contact, { movement, last, transaction });
  if (instead !== undefined) return instead;
  if (isAssetHalted(deps, movement)) return postpone(movement, atMs, HALTED_MS);
  const payment = paymentOf(movement, last, transaction);
  if (movement.kind !== 'sweep') {
    if (!network.checkAddress(payment.to).ok)
      return { change: holdMovementBack(movement, last, transaction, atMs, 'wallet_forbidden') };
    if (await isDestinationListed(deps, movement))
      return { change: holdMovementBack(movement, last, transaction, atMs, 'screening_hit') };
    const ready = await network.recipientReady(payment);
    if (ready === 'refused')
      return { change: holdMovementBack(movement, last, transaction, atMs, 'wallet_forbidden') };
    if (ready !== 'ready') return postpone(movement, atMs, backOffMs(deps, movement.tries, ASK_AGAIN_MS * 4));
  }
  const draft: NextAttempt = {
    kind: 'next_attempt',
    network,
    movement: moveToSending(movement, atMs, atMs + networkLeaseMs(deps)).after,
    heldUntilMs: movement.dueAtMs!,
    payment,
    before: movement,
    transaction,
  };
  return { draft };
}

function paymentOf(movement: Movement, last: Attempt | undefined, transaction: Transaction | null): Payment {
  const { id, kind, transactionId, destination, amountMinor } = movement;
  return {
    orderId: id,
    about: transactionId,
    to: (destination as WalletDestination).address,
    amountMinor,
    alone: mustGoAlone(last),
    // The operator pays to open an account only once for a sell. Otherwise a customer could send small amounts and close the
    // account repeatedly, and the operator would pay for an account each time.
    opensAccount: kind !== 'refund' || transaction === null || transaction.refundedMinor === 0n,
    from: kind === 'sweep' ? transactionId : null,
  };
}

/**
 * If a payment made other payments fail, or may have done so, it is sent alone. Expired bytes do not show that a payment made
 * others fail.
 */
function mustGoAlone(last: Attempt | undefined): boolean {
  if (last === undefined || last.state === 'dead') return false;
  // A failure that another payment caused does not count either, but only a few times. Otherwise payments that make others fail
  // could block them forever.
  return last.evidence?.innocent !== true || last.no >= MOST_TOGETHER;
}

function postpone(movement: Movement, atMs: number, afterMs: number): { readonly change: Change } {
  return { change: { atMs, movements: [makeMove(movement, { dueAtMs: atMs + afterMs })] } };
}

export async function followSend(
  deps: SettlementDeps,
  contact: NetworkContact,
  alive: LiveAttempt,
): Promise<NetworkStep> {
  const { movement, attempt } = alive;
  const network = deps.networks.find(movement.mode, movement.network!);
  if (network === undefined) return postpone(movement, deps.clock.now(), NOT_ENABLED_MS);
  // The bytes are stored, but perhaps were never broadcast. The service broadcasts the same bytes, unless the sends of the
  // asset are halted.
  if (attempt.state === 'prepared') {
    if (isAssetHalted(deps, movement)) return postpone(movement, deps.clock.now(), HALTED_MS);
    return { change: await broadcastSend(deps, alive, contact.offer) };
  }
  return { change: await askAboutSend(deps, contact, alive) };
}

async function askAboutSend(
  deps: SettlementDeps,
  contact: NetworkContact,
  alive: LiveAttempt,
): Promise<Change> {
  const { movement, attempt } = alive;
  const status = await contact.ask(attempt);
  const atMs = deps.clock.now();
  const soon = { atMs, dueAtMs: atMs + nextAskDelayMs(deps, movement) };
  // The pause before a new attempt depends on the number of attempts, not on the number of queries for this attempt.
  const next = { atMs, dueAtMs: atMs + backOffMs(deps, attempt.no, ASK_AGAIN_MS) };
  /** An attempt that moved tokens does not end as unpaid, even if the network reports that it paid nothing. */
  const unlessLeft = async (end: () => Change) =>
    (await mayEndUnpaid(deps, attempt)) ? end() : recordUnknown(alive, soon, TOKENS_LEFT_REASON);
  switch (status.kind) {
    case 'final': {
      const unpaid = status.unpaid.find(({ index }) => index === attempt.index);
      if (unpaid !== undefined)
        return unlessLeft(() => retryOrGiveUp(deps, alive, unpaid.reason, costShareOf(attempt, status.cost)));
      const costs = { feeMinor: 0n, chargeMinor: 0n, network: costShareOf(attempt, status.cost) };
      return finishMovement(alive, atMs, status.evidence, costs, status.hash);
    }
    case 'included':
      return recordInclusion(alive, soon, status.confirmations);
    case 'failed':
      return unlessLeft(() =>
        retryOrGiveUp(
          deps,
          alive,
          status.reason,
          costShareOf(attempt, status.cost),
          failedBecauseOfOthers(attempt, status),
        ),
      );
    case 'dead':
      return unlessLeft(() =>
        endAttempt(alive, next, 'dead', status.death.evidence, costShareOf(attempt, status.cost ?? null)),
      );
    case 'held':
      deps.onTrouble('a send is held', { movement: movement.id, reason: status.reason });
      return recordUnknown(alive, soon, status.reason);
    case 'unknown':
      return recordUnknown(alive, soon, status.reason);
    case 'stuck':
      if (!isAssetHalted(deps, movement)) await contact.replace(attempt);
      return onNotFound(deps, contact, alive, soon);
    case 'pending':
      return onNotFound(deps, contact, alive, soon);
  }
}

/**
 * The bytes are not in the current chain. The chain may have contained them before, they may never have arrived, or they are
 * still pending.
 */
async function onNotFound(
  deps: SettlementDeps,
  contact: NetworkContact,
  alive: LiveAttempt,
  soon: { readonly atMs: number; readonly dueAtMs: number },
): Promise<Change> {
  const { movement, attempt } = alive;
  if (attempt.state === 'accepted' && attempt.evidence?.included === true)
    return recordReorganisation(alive, soon);
  // The bytes may never have arrived. Broadcasting the same bytes again is harmless.
  if (attempt.state === 'unknown' && !isAssetHalted(deps, movement))
    return broadcastSend(deps, alive, contact.offer);
  return postponeQuestion(alive, soon);
}

/**
 * The transaction is final but paid nothing. The service tries the payment again, unless an operator cancelled it or it has
 * failed too often.
 */
function retryOrGiveUp(
  deps: PickDeps<'clock' | 'entropy' | 'onTrouble'>,
  alive: LiveAttempt,
  reason: string,
  cost: NetworkCost | null,
  innocent = false,
): Change {
  const { movement, attempt, transaction } = alive;
  const atMs = deps.clock.now();
  const waitMs = backOffMs(deps, attempt.no, ASK_AGAIN_MS);
  const next = { atMs, dueAtMs: innocent ? nextSharedRetryMs(atMs) : atMs + waitMs };
  // A sweep is tried again after any number of failures.
  const goesOn =
    movement.kind === 'sweep' || (movement.attempts < MAX_SEND_ATTEMPTS && reason !== 'cancelled');
  if (goesOn) return endAttempt(alive, next, 'failed', { reason, ...(innocent && { innocent }) }, cost);
  deps.onTrouble('a movement was given up', { movement: movement.id, reason });
  const last = updateAttempt(attempt, 'failed', atMs, { reason });
  const why = reason === 'cancelled' ? reason : `failed ${movement.attempts} times`;
  return giveUpMovement(alive, atMs, transaction?.feeMinor ?? 0n, why, last, cost);
}

/**
 * Returns the time of the next try. It is the same for all payments that failed together because of another payment, so they
 * are sent together again.
 */
function nextSharedRetryMs(atMs: number): number {
  return Math.ceil((atMs + ASK_AGAIN_MS) / BEAT_MS) * BEAT_MS;
}

function failedBecauseOfOthers(
  { index }: Attempt,
  { culprits = [] }: Extract<SendStatus, { kind: 'failed' }>,
): boolean {
  return culprits.length > 0 && !culprits.includes(index);
}
