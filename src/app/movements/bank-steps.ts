// One step of a movement by bank: pay under our own reference, or ask what became of it. The reference never changes,
// so a bank that was asked twice pays once; only the bank's terminal word makes a payout failed.

import { stepEntries } from '../../domain/movements/entries.ts';
import {
  finished,
  givenUp,
  heldBack,
  told,
  type UnderWay,
  unknown,
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
import type { Bank, PayoutStatus } from '../../ports/bank.ts';
import { apart, backOffMs, isHalted, type SettlementDeps } from '../settlement/context.ts';
import { undoPayout } from '../settlement/failed-payout.ts';
import { isListed } from '../settlement/hold-checks.ts';
import { commitSteps } from './broadcast.ts';
import type { Step } from './step.ts';

const ASK_AGAIN_MS = 300;
const HALTED_MS = 2_000;
/** A bank that has not heard of a reference this often in a row is offered it again: the same one. */
const OFFER_AGAIN_AFTER_TRIES = 4;

export async function startPayoutAttempt(
  deps: SettlementDeps,
  movement: Movement,
  transaction: Transaction | null,
): Promise<Step> {
  const atMs = deps.clock.now();
  if (deps.banks.find(movement.mode) === undefined || isHalted(deps, movement)) {
    return { change: { atMs, movements: [moveOf(movement, { dueAtMs: atMs + HALTED_MS })] } };
  }
  if (await isListed(deps, movement))
    return { change: heldBack(movement, undefined, transaction, atMs, 'screening_hit') };
  const attempt = bankAttempt(movement, atMs);
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

export function bankAttempt({ id, mode }: Movement, atMs: number): Attempt {
  return {
    movementId: id,
    no: 1,
    mode,
    network: null,
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
  const bank = deps.banks.find(movement.mode);
  const status: PayoutStatus =
    bank === undefined
      ? { kind: 'unknown', reason: 'rail_not_enabled' }
      : await bank.pay({
          reference: attempt.reference,
          amountMinor: movement.nairaMinor,
          destination: movement.destination as AccountDestination,
          about: movement.transactionId,
        });
  return settle(deps, alive, status, true);
}

export async function followPayout(deps: SettlementDeps, alive: UnderWay): Promise<Step> {
  const { movement, attempt } = alive;
  const bank = deps.banks.find(movement.mode);
  // Stored, and perhaps never told to the bank: the same reference goes out, unless nothing may.
  if (attempt.state === 'prepared' && isHalted(deps, movement)) {
    const atMs = deps.clock.now();
    return { change: waiting(alive, { atMs, dueAtMs: atMs + HALTED_MS }) };
  }
  if (bank === undefined || attempt.state === 'prepared') return { change: await pay(deps, alive) };
  return { change: await settle(deps, alive, await askBank(bank, alive), false) };
}

async function askBank(bank: Bank, { attempt }: UnderWay): Promise<PayoutStatus> {
  return bank.ask(attempt.reference);
}

async function settle(
  deps: SettlementDeps,
  alive: UnderWay,
  status: PayoutStatus,
  justPaid: boolean,
): Promise<Change> {
  const { movement, attempt, transaction } = alive;
  const atMs = deps.clock.now();
  const soon = { atMs, dueAtMs: atMs + backOffMs(deps, movement.tries, ASK_AGAIN_MS) };
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
        attempts: [told(attempt, 'accepted', atMs, attempt.evidence)],
      };
    case 'failed': {
      if (movement.kind === 'payout') return undoPayout(deps, alive, status.reason, atMs);
      deps.onTrouble('a refund failed', { movement: movement.id, reason: status.reason });
      const failed = told(attempt, 'failed', atMs, { reason: status.reason });
      return givenUp(alive, atMs, 0n, status.reason, failed);
    }
    case 'not_found':
      if (!justPaid && movement.tries >= OFFER_AGAIN_AFTER_TRIES && !isHalted(deps, movement))
        return pay(deps, alive);
      return unknown(alive, soon, 'the bank does not know the reference yet');
    case 'unknown':
      return unknown(alive, soon, status.reason);
  }
}
