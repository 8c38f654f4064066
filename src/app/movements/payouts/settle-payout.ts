// What happens to a payout or a refund by bank once it is decided what its rail's answer proves: it is done, asked about again,
// given to another rail, ordered once more, undone, or left to people.

import { type TransferCharges, transferCharges } from '../../../domain/catalogue/bank-charges.ts';
import { evidenceWith, memoryOf, needsPeople } from '../../../domain/movements/outcome-memory.ts';
import { makingSure } from '../../../domain/movements/payout-steps.ts';
import { finished, givenUp, type UnderWay, updatedAttempt } from '../../../domain/movements/steps.ts';
import type { Memory, Verdict } from '../../../domain/rails/payout-outcome.ts';
import type { PayoutStatus } from '../../../domain/rails/payout-status.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import { type Change, moveOf } from '../../../domain/records/change.ts';
import type { BankNotice } from '../../../domain/records/notice.ts';
import type { PayingRail } from '../../../ports/bank/rail.ts';
import { isHalted, newId, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import { undoPayout } from '../../settlement/failed-payout.ts';
import type { Step } from '../step.ts';
import { payElsewhere, type Unpaid } from './fail-over.ts';

export async function settlePayout(
  deps: SettlementDeps,
  rail: PayingRail,
  alive: UnderWay,
  status: PayoutStatus,
  verdict: Verdict,
): Promise<Step> {
  const { movement, attempt } = alive;
  const atMs = deps.clock.now();
  switch (verdict.kind) {
    case 'paid':
    case 'returned': {
      const paid = paidChange(deps, alive, status, atMs);
      if (!verdict.isBrokenWord) return { change: paid };
      return { change: { ...paid, doubt: doubtAbout(deps, alive, atMs) } };
    }
    case 'unpaid':
      return settleUnpaid(deps, rail, alive, verdict);
    case 'making_sure':
      return { change: makingSure(alive, atMs, verdict.memory, verdict.askAtMs, sureMs(verdict, rail)) };
    case 'pending':
      return { change: pendingChange(deps, rail, alive, verdict.memory, atMs) };
    case 'order_again':
      if (isHalted(deps, movement)) return { change: waitLonger(deps, rail, alive, verdict) };
      return orderAgain(deps, rail, alive, verdict.memory);
    case 'unknown':
      return { change: waitLonger(deps, rail, alive, verdict) };
    case 'people': {
      const { reason } = verdict;
      if (!needsPeople(attempt))
        deps.onTrouble('a payout needs people', { movement: movement.id, rail: rail.name, reason });
      return { change: waitLonger(deps, rail, alive, verdict, { needs_people: true }) };
    }
  }
}

function sureMs({ memory, askAtMs }: Extract<Verdict, { kind: 'making_sure' }>, { terms }: PayingRail) {
  return memory.refusal!.confirmedMs === null ? askAtMs + terms.confirmAgainMs : askAtMs;
}

/** The rail had refused it: what it says about refusals is worth less from now on. */
function doubtAbout(
  deps: SettlementDeps,
  { movement, attempt }: UnderWay,
  atMs: number,
): NonNullable<Change['doubt']> {
  const { mode, rail } = attempt;
  deps.onTrouble('a rail paid what it had refused', { movement: movement.id, mode, rail });
  return { mode, rail: rail!, movementId: movement.id, atMs };
}

function paidChange(deps: SettlementDeps, alive: UnderWay, status: PayoutStatus, atMs: number): Change {
  const { attempt } = alive;
  const kept = evidenceWith(attempt, { ...memoryOf(attempt), notFound: 0 }) ?? {};
  const feeMinor = feeOf(alive);
  if (status.kind === 'paid') {
    const chargeMinor = status.chargeMinor ?? tableCharges(deps, alive);
    return finished(alive, atMs, { ...kept, session_id: status.sessionId }, { feeMinor, chargeMinor });
  }
  if (status.kind !== 'returned') throw new Error(`${status.kind} does not settle a payout`);
  // Both are booked: that it was paid, and then, by its notice, that it came back.
  const costs = { feeMinor, chargeMinor: tableCharges(deps, alive) };
  const paid = finished(alive, atMs, { ...kept, bank_says: status.reason }, costs);
  return { ...paid, newNotices: [returnNotice(deps, alive, status.reason, atMs)] };
}

/** Proven to pay nothing. A rail that broke its word before proves nothing by its refusals: people decide. */
async function settleUnpaid(
  deps: SettlementDeps,
  rail: PayingRail,
  alive: UnderWay,
  verdict: Unpaid,
): Promise<Step> {
  const { movement, attempt } = alive;
  const { proof, reason } = verdict;
  if (proof === 'refused' && isDoubted(deps, attempt)) {
    if (!needsPeople(attempt))
      deps.onTrouble('a payout needs people', { movement: movement.id, rail: rail.name, reason });
    const why = `${reason}; and this rail has paid what it had refused before`;
    const waits = { memory: memoryOf(attempt), reason: why };
    return { change: waitLonger(deps, rail, alive, waits, { needs_people: true }) };
  }
  return endUnpaid(deps, alive, verdict);
}

async function endUnpaid(deps: SettlementDeps, alive: UnderWay, verdict: Unpaid): Promise<Step> {
  const { movement, attempt } = alive;
  const { fault, reason } = verdict;
  if (fault === 'rail') return payElsewhere(deps, alive, verdict);
  const atMs = deps.clock.now();
  if (movement.kind === 'payout') return { change: await undoPayout(deps, alive, reason, atMs) };
  deps.onTrouble('a refund failed', { movement: movement.id, reason });
  const evidence = evidenceWith(attempt, memoryOf(attempt), { reason });
  return { change: givenUp(alive, atMs, 0n, reason, updatedAttempt(attempt, 'failed', atMs, evidence)) };
}

function isDoubted({ catalogue }: SettlementDeps, { mode, rail }: UnderWay['attempt']): boolean {
  return catalogue().rails.doubts.some((each) => each.mode === mode && each.rail === rail);
}

function pendingChange(
  deps: SettlementDeps,
  { pace }: PayingRail,
  { movement, attempt }: UnderWay,
  memory: Memory,
  atMs: number,
): Change {
  const dueAtMs = atMs + backOffMs(deps, movement.tries, pace.askAfterMs);
  const isKnown = attempt.state === 'accepted' && memoryOf(attempt).refusal === null;
  if (isKnown) return { atMs, movements: [moveOf(movement, { dueAtMs })] };
  return {
    atMs,
    movements: [moveOf(movement, { state: 'sending', reason: null, dueAtMs, updatedAtMs: atMs })],
    attempts: [updatedAttempt(attempt, 'accepted', atMs, evidenceWith(attempt, memory))],
  };
}

/** Asked again later. What the rail took up stays taken up, whatever one answer fails to say. */
function waitLonger(
  deps: SettlementDeps,
  { pace }: PayingRail,
  { movement, attempt }: UnderWay,
  { memory, reason }: { readonly memory: Memory; readonly reason: string },
  more: Readonly<Record<string, unknown>> = {},
): Change {
  const atMs = deps.clock.now();
  const isAccepted = attempt.state === 'accepted';
  const state = isAccepted ? movement.state : 'unknown';
  const tries = state === movement.state ? movement.tries : 0;
  const dueAtMs = atMs + backOffMs(deps, movement.tries, pace.askAfterMs);
  // Only an answer that tells something takes it off the list of people.
  const still = needsPeople(attempt) ? { needs_people: true } : {};
  const evidence = evidenceWith(attempt, memory, { reason, ...still, ...more });
  return {
    atMs,
    movements: [moveOf(movement, { state, reason, dueAtMs, tries, updatedAtMs: atMs })],
    attempts: [updatedAttempt(attempt, isAccepted ? 'accepted' : 'unknown', atMs, evidence)],
  };
}

/** Written down before it is done: whoever finds it later knows that an order may be on its way, and since when. */
function orderAgain(
  deps: SettlementDeps,
  { terms, name }: PayingRail,
  { movement, attempt, transaction }: UnderWay,
  memory: Memory,
): Step {
  const atMs = deps.clock.now();
  deps.onTrouble('a payout is ordered again', { movement: movement.id, rail: name });
  const move = moveOf(movement, {
    ...{ state: 'unknown', reason: 'ordered again', dueAtMs: atMs + callLeaseMs(terms), updatedAtMs: atMs },
  });
  const evidence = evidenceWith(attempt, { ...memory, notFound: 0 }, { ordered_ms: atMs });
  const next = updatedAttempt(attempt, 'unknown', atMs, evidence);
  return {
    change: { atMs, movements: [move], attempts: [next] },
    start: { movement: move.after, attempt: next, transaction },
  };
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
