// One step of a movement over a network: a new attempt when the last one is provably dead, or the question what became
// of the bytes that are out there.
import { type Change, moveOf } from '../domain/change.ts';
import type { Attempt, Movement, WalletDestination } from '../domain/movement.ts';
import { stepEntries } from '../domain/movement-entries.ts';
import {
  dead,
  finished,
  givenUp,
  heldBack,
  included,
  reorganised,
  told,
  type UnderWay,
  unknown,
  waiting,
} from '../domain/movement-steps.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Network } from '../ports/network.ts';
import { attemptOf, broadcast, MAX_ATTEMPTS, preparedOf } from './broadcast.ts';
import type { Step } from './follow-movements.ts';
import { isListed } from './hold-checks.ts';
import { backOffMs, isHalted, type SettlementDeps } from './settlement.ts';

const ASK_AGAIN_MS = 300;
const NOT_ENABLED_MS = 10_000;
const HALTED_MS = 2_000;

/** Signs anew. A refund's tokens are set aside with its first attempt; a send's were when it was made. */
export async function startSendAttempt(
  deps: SettlementDeps,
  movement: Movement,
  last: Attempt | undefined,
  transaction: Transaction | null,
): Promise<Step> {
  const atMs = deps.clock.now();
  const network = deps.networks.find(movement.mode, movement.network!);
  if (network === undefined) return later(movement, atMs, NOT_ENABLED_MS);
  if (isHalted(deps, movement)) return later(movement, atMs, HALTED_MS);
  const { address } = movement.destination as WalletDestination;
  if (!network.checkAddress(address).ok)
    return { change: heldBack(movement, last, transaction, atMs, 'wallet_forbidden') };
  if (await isListed(deps, movement))
    return { change: heldBack(movement, last, transaction, atMs, 'screening_hit') };
  const payment = {
    orderId: movement.id,
    about: movement.transactionId,
    to: address,
    amountMinor: movement.amountMinor,
  };
  if ((await network.recipientReady(payment)) !== 'ready')
    return later(movement, atMs, backOffMs(deps, movement.tries, ASK_AGAIN_MS * 4));
  const no = movement.attempts + 1;
  const attempt = attemptOf(movement, no, await network.prepare(payment), atMs);
  const move = moveOf(movement, {
    state: 'sending',
    attempts: no,
    dueAtMs: atMs + deps.leaseMs,
    updatedAtMs: atMs,
  });
  return {
    change: {
      atMs,
      movements: [move],
      attempts: [attempt],
      entries: no === 1 ? stepEntries(movement, 'reserve') : [],
    },
    start: { movement: move.after, attempt, transaction },
  };
}

function later(movement: Movement, atMs: number, afterMs: number): Step {
  return { change: { atMs, movements: [moveOf(movement, { dueAtMs: atMs + afterMs })] } };
}

export async function followSend(deps: SettlementDeps, alive: UnderWay): Promise<Step> {
  const { movement, attempt } = alive;
  const network = deps.networks.find(movement.mode, movement.network!);
  if (network === undefined) return later(movement, deps.clock.now(), NOT_ENABLED_MS);
  // Stored, and perhaps never told to anybody: the same bytes go out, unless nothing of it may.
  if (attempt.state === 'prepared') {
    if (isHalted(deps, movement)) return later(movement, deps.clock.now(), HALTED_MS);
    return { change: await broadcast(deps, alive) };
  }
  return { change: await ask(deps, network, alive) };
}

async function ask(deps: SettlementDeps, network: Network, alive: UnderWay): Promise<Change> {
  const { movement, attempt, transaction } = alive;
  const status = await network.ask(preparedOf(attempt));
  const atMs = deps.clock.now();
  const soon = { atMs, dueAtMs: atMs + backOffMs(deps, movement.tries, ASK_AGAIN_MS) };
  // A new attempt waits as long as there were attempts, not as often as was asked about this one.
  const next = { atMs, dueAtMs: atMs + backOffMs(deps, attempt.no, ASK_AGAIN_MS) };
  switch (status.kind) {
    case 'final':
      return finished(alive, atMs, status.evidence, { feeMinor: 0n, chargeMinor: 0n });
    case 'included':
      return included(alive, soon, status.confirmations);
    case 'failed': {
      const { reason } = status;
      if (movement.attempts < MAX_ATTEMPTS) return dead(alive, next, 'failed', { reason });
      // A transfer the network always undoes never ends by itself.
      deps.onTrouble('a movement was given up', { movement: movement.id, reason });
      const last = told(attempt, 'failed', atMs, { reason });
      return givenUp(alive, atMs, transaction?.feeMinor ?? 0n, `failed ${movement.attempts} times`, last);
    }
    case 'dead':
      return dead(alive, next, 'dead', status.evidence);
    case 'unknown':
      return unknown(alive, soon, status.reason);
    case 'pending': {
      if (attempt.state === 'accepted' && attempt.evidence?.included === true)
        return reorganised(alive, soon);
      // It may never have arrived: the same bytes again do no harm.
      if (attempt.state === 'unknown' && !isHalted(deps, movement)) return broadcast(deps, alive);
      return waiting(alive, soon);
    }
  }
}
