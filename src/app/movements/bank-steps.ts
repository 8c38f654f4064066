// One step of a movement by bank: pay under our own reference, or ask what became of it. Neither the reference nor the
// rail of an attempt ever changes, so a payout that is repeated is paid once; only the rail's terminal answer makes it
// failed.

import { stepEntries } from '../../domain/movements/entries.ts';
import {
  finished,
  givenUp,
  heldBack,
  type UnderWay,
  unknown,
  updatedAttempt,
  waiting,
} from '../../domain/movements/steps.ts';
import { type Change, moveOf } from '../../domain/records/change.ts';
import {
  type AccountDestination,
  type Attempt,
  bankReference,
  type Movement,
} from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { PayoutStatus } from '../../ports/bank/payouts.ts';
import type { PayingRail } from '../../ports/bank/rail.ts';
import { apart, backOffMs, isHalted, type SettlementDeps } from '../settlement/context.ts';
import { undoPayout } from '../settlement/failed-payout.ts';
import { isListed } from '../settlement/hold-checks.ts';
import { commitSteps } from './broadcast.ts';
import { chooseRail, findPayingRail } from './choose-rail.ts';
import type { Step } from './step.ts';

const HALTED_MS = 2_000;
/** How soon a rail that is not configured is looked for again; the pause doubles every time. */
const NO_RAIL_MS = 2_000;

export async function startPayoutAttempt(
  deps: SettlementDeps,
  movement: Movement,
  transaction: Transaction | null,
): Promise<Step> {
  const atMs = deps.clock.now();
  const rail = chooseRail(deps, movement.mode);
  if (rail === undefined || isHalted(deps, movement)) {
    return { change: { atMs, movements: [moveOf(movement, { dueAtMs: atMs + HALTED_MS })] } };
  }
  if (await isListed(deps, movement))
    return { change: heldBack(movement, undefined, transaction, atMs, 'screening_hit') };
  const attempt = bankAttempt(movement, rail, atMs);
  const move = moveOf(movement, {
    state: 'sending',
    attempts: 1,
    tries: 0,
    dueAtMs: atMs + deps.leaseMs,
    updatedAtMs: atMs,
  });
  return {
    change: { atMs, movements: [move], attempts: [attempt], entries: stepEntries(movement, 'reserve') },
    start: { movement: move.after, attempt, transaction },
  };
}

/** The rail is chosen here, once: the attempt stays with it whatever becomes of it. */
export function bankAttempt({ id, mode }: Movement, { name: rail }: PayingRail, atMs: number): Attempt {
  return {
    movementId: id,
    no: 1,
    mode,
    network: null,
    rail,
    reference: bankReference(id),
    source: null,
    sequence: null,
    payload: null,
    bound: null,
    index: 0,
    orders: [id],
    replacements: [],
    state: 'prepared',
    evidence: null,
    atMs,
    updatedAtMs: atMs,
  };
}

export async function payAll(deps: SettlementDeps, payouts: readonly UnderWay[]): Promise<void> {
  if (payouts.length === 0) return;
  const { done, rethrow } = await apart(payouts, (payout) => pay(deps, payout));
  await commitSteps(
    deps,
    done.map(({ item }) => item.movement),
    done.map(({ outcome }) => outcome),
  );
  rethrow();
}

async function pay(deps: SettlementDeps, alive: UnderWay): Promise<Change> {
  const { movement, attempt } = alive;
  const rail = findPayingRail(deps, attempt);
  if (rail === undefined) return waitForRail(deps, alive);
  const status = await rail.payouts.pay({
    reference: attempt.reference,
    amountMinor: movement.nairaMinor,
    destination: movement.destination as AccountDestination,
    about: movement.transactionId,
  });
  return settle(deps, rail, alive, status, true);
}

/** It may have been paid on its rail, so no other rail may pay it: it waits until its own one is configured again. */
function waitForRail(deps: SettlementDeps, alive: UnderWay): Change {
  const { movement, attempt } = alive;
  const atMs = deps.clock.now();
  deps.onTrouble('a payout waits for a rail that is not configured', {
    movement: movement.id,
    rail: attempt.rail,
  });
  const dueAtMs = atMs + backOffMs(deps, movement.tries, NO_RAIL_MS);
  const reason = `rail ${attempt.rail} is not configured: configure it again to learn the outcome`;
  return unknown(alive, { atMs, dueAtMs }, reason);
}

export async function followPayout(deps: SettlementDeps, alive: UnderWay): Promise<Step> {
  const { movement, attempt } = alive;
  // Stored, and perhaps never given to the rail: the same reference goes out, unless nothing may.
  if (attempt.state === 'prepared' && isHalted(deps, movement)) {
    const atMs = deps.clock.now();
    return { change: waiting(alive, { atMs, dueAtMs: atMs + HALTED_MS }) };
  }
  const rail = findPayingRail(deps, attempt);
  if (rail === undefined || attempt.state === 'prepared') return { change: await pay(deps, alive) };
  const status = await rail.payouts.ask(attempt.reference);
  return { change: await settle(deps, rail, alive, status, false) };
}

async function settle(
  deps: SettlementDeps,
  rail: PayingRail,
  alive: UnderWay,
  status: PayoutStatus,
  justPaid: boolean,
): Promise<Change> {
  const { movement, attempt, transaction } = alive;
  const atMs = deps.clock.now();
  const soon = { atMs, dueAtMs: atMs + backOffMs(deps, movement.tries, rail.pace.askAfterMs) };
  switch (status.kind) {
    case 'paid': {
      const feeMinor = movement.kind === 'payout' ? (transaction?.feeMinor ?? 0n) : 0n;
      const { sessionId, chargeMinor } = status;
      return finished(alive, atMs, { session_id: sessionId }, { feeMinor, chargeMinor });
    }
    case 'pending':
      if (attempt.state === 'accepted') return waiting(alive, soon);
      return {
        atMs,
        movements: [
          moveOf(movement, { state: 'sending', reason: null, dueAtMs: soon.dueAtMs, updatedAtMs: atMs }),
        ],
        attempts: [updatedAttempt(attempt, 'accepted', atMs, attempt.evidence)],
      };
    case 'failed': {
      if (movement.kind === 'payout') return undoPayout(deps, alive, status.reason, atMs);
      deps.onTrouble('a refund failed', { movement: movement.id, reason: status.reason });
      const failed = updatedAttempt(attempt, 'failed', atMs, { reason: status.reason });
      return givenUp(alive, atMs, 0n, status.reason, failed);
    }
    case 'not_found':
      if (!justPaid && movement.tries >= rail.pace.repeatAfterAsks && !isHalted(deps, movement))
        return pay(deps, alive);
      return unknown(alive, soon, 'the bank does not know the reference yet');
    case 'unknown':
      return unknown(alive, soon, status.reason);
  }
}
