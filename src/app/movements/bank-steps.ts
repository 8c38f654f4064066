// One step of a movement by bank: pay under our own reference, or ask what became of it. Neither the reference nor the
// rail of an attempt ever changes, so a payout that is repeated is paid once; only the rail's terminal answer makes it
// failed. Another rail gets it only by fail-over.ts.

import { type TransferCharges, transferCharges } from '../../domain/catalogue/bank-charges.ts';
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
import type { AccountDestination, Attempt, Movement } from '../../domain/records/movement.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { PayoutStatus } from '../../ports/bank/payouts.ts';
import type { PayingRail } from '../../ports/bank/rail.ts';
import { apart, backOffMs, isHalted, newId, type SettlementDeps } from '../settlement/context.ts';
import { undoPayout } from '../settlement/failed-payout.ts';
import { isListed } from '../settlement/hold-checks.ts';
import { commitSteps } from './broadcast.ts';
import { findPayingRail, payoutAccountOf } from './choose-rail.ts';
import { bankAttempt, type Called, chooseForWaiting, failOver, triedRails } from './fail-over.ts';
import type { Step } from './step.ts';

const HALTED_MS = 2_000;
/** How soon a rail that is not there, or does not fit, is looked for again; the pause doubles every time. */
const NO_RAIL_MS = 2_000;

/** `last`: the attempt before it, when every rail refused it. */
export async function startPayoutAttempt(
  deps: SettlementDeps,
  movement: Movement,
  last: Attempt | undefined,
  transaction: Transaction | null,
): Promise<Step> {
  const atMs = deps.clock.now();
  const chosen = await chooseForWaiting(deps, movement, last);
  if (chosen === null || isHalted(deps, movement)) {
    const pauseMs = chosen === null ? backOffMs(deps, movement.tries, NO_RAIL_MS) : HALTED_MS;
    return { change: { atMs, movements: [moveOf(movement, { dueAtMs: atMs + pauseMs })] } };
  }
  if (await isListed(deps, movement))
    return { change: heldBack(movement, undefined, transaction, atMs, 'screening_hit') };
  const { rail, usage } = chosen;
  const move = moveOf(movement, {
    state: 'sending',
    bankAccount: payoutAccountOf(rail),
    attempts: movement.attempts + 1,
    tries: 0,
    dueAtMs: atMs + deps.leaseMs,
    updatedAtMs: atMs,
  });
  const attempt = bankAttempt(move.after, rail.name, last === undefined ? [] : triedRails(last), atMs);
  return {
    change: {
      atMs,
      movements: [move],
      attempts: [attempt],
      usage,
      entries: stepEntries(move.after, 'reserve'),
    },
    start: { movement: move.after, attempt, transaction },
  };
}

/** Payouts whose attempts this step stored: no other process can have given them to their rails. */
export async function payAll(deps: SettlementDeps, payouts: readonly UnderWay[]): Promise<void> {
  if (payouts.length === 0) return;
  const { done, rethrow } = await apart(payouts, (payout) => pay(deps, payout, 'paid_first'));
  const committed = await commitSteps(
    deps,
    done.map(({ item }) => item.movement),
    done.map(({ outcome }) => outcome),
  );
  // Each is a rail further on, so this ends.
  await payAll(
    deps,
    done.flatMap(({ item, outcome }, index) => (committed[index] ? (startOf(item, outcome) ?? []) : [])),
  );
  rethrow();
}

/** The attempt on another rail that a change opens, to be paid once it is stored. */
function startOf({ attempt, transaction }: UnderWay, { movements, attempts }: Change): UnderWay | undefined {
  const next = attempts?.find(({ no }) => no > attempt.no);
  return next && { movement: movements![0]!.after, attempt: next, transaction };
}

async function pay(
  deps: SettlementDeps,
  alive: UnderWay,
  called: Exclude<Called, 'asked'> = 'paid_again',
): Promise<Change> {
  const { movement, attempt } = alive;
  const rail = findPayingRail(deps, attempt);
  if (rail === undefined) return waitForRail(deps, alive);
  const status = await rail.payouts.pay({
    reference: attempt.reference,
    amountMinor: movement.nairaMinor,
    destination: movement.destination as AccountDestination,
    about: movement.transactionId,
    isFirst: called === 'paid_first',
  });
  return settle(deps, rail, alive, status, called);
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
  if (rail === undefined || attempt.state === 'prepared') return stepOf(alive, await pay(deps, alive));
  const status = await rail.payouts.ask(attempt.reference);
  return stepOf(alive, await settle(deps, rail, alive, status, 'asked'));
}

function stepOf(alive: UnderWay, change: Change): Step {
  const start = startOf(alive, change);
  return start === undefined ? { change } : { change, start };
}

async function settle(
  deps: SettlementDeps,
  rail: PayingRail,
  alive: UnderWay,
  status: PayoutStatus,
  called: Called,
): Promise<Change> {
  const elsewhere = await failOver(deps, alive, status, called);
  if (elsewhere !== null) return elsewhere;
  const { movement, attempt } = alive;
  const atMs = deps.clock.now();
  const soon = { atMs, dueAtMs: atMs + backOffMs(deps, movement.tries, rail.pace.askAfterMs) };
  switch (status.kind) {
    case 'paid': {
      const { sessionId, chargeMinor } = status;
      const costs = { feeMinor: feeOf(alive), chargeMinor: chargeMinor ?? tableCharges(deps, alive) };
      return finished(alive, atMs, { session_id: sessionId }, costs);
    }
    case 'returned': {
      // Both are booked: that it was paid, and then, by its notice, that it came back.
      const paid = finished(
        alive,
        atMs,
        { bank_says: status.reason },
        { feeMinor: feeOf(alive), chargeMinor: tableCharges(deps, alive) },
      );
      return { ...paid, newNotices: [returnNotice(deps, alive, status.reason, atMs)] };
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
      if (called === 'asked' && movement.tries >= rail.pace.repeatAfterAsks && !isHalted(deps, movement))
        return pay(deps, alive);
      return unknown(alive, soon, 'the bank does not know the reference yet');
    case 'not_sent':
    case 'unknown':
      return unknown(alive, soon, status.reason);
  }
}

/** By the day on which the payout was given to its rail. */
function tableCharges({ bankCharges }: SettlementDeps, { movement, attempt }: UnderWay): TransferCharges {
  return transferCharges(bankCharges, movement.nairaMinor, attempt.atMs);
}

function feeOf({ movement, transaction }: UnderWay): bigint {
  return movement.kind === 'payout' ? (transaction?.feeMinor ?? 0n) : 0n;
}

/** Named after the reference, so that a rail which says it many times is heard once. */
function returnNotice(
  deps: Pick<SettlementDeps, 'clock' | 'entropy'>,
  { movement, attempt }: Pick<UnderWay, 'movement' | 'attempt'>,
  reason: string,
  atMs: number,
): BankNotice {
  const { mode, reference } = attempt;
  return {
    ...{ id: newId(deps, 'ntc'), mode, source: attempt.rail!, sourceId: `returned:${reference}` },
    ...{ kind: 'payout_returned', about: reference, amountMinor: movement.nairaMinor },
    ...{ receivedAtMs: atMs, raw: { bank_says: reason }, state: 'open', version: 1, dueAtMs: atMs, tries: 0 },
  };
}
