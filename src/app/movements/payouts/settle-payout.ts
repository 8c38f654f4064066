// Turns a rail's response about a payout or a bank refund into one decision and one change. The payout is then completed,
// queried again, moved to another rail, ordered once more, undone, or left for people to decide.
import { type TransferCharges, transferCharges } from '../../../domain/catalogue/bank-charges.ts';
import {
  findLastOrderMs,
  mergeMemory,
  needsPeople,
  readMemory,
} from '../../../domain/movements/outcome-memory.ts';
import {
  decideUnpaid,
  orderPayoutAgain,
  type PayoutDecision,
  recordPayoutPending,
  recordPayoutRefused,
  recordPayoutUnknown,
} from '../../../domain/movements/payout-steps.ts';
import {
  finishMovement,
  giveUpMovement,
  type LiveAttempt,
  recordUnknown,
  updateAttempt,
} from '../../../domain/movements/steps.ts';
import { decideOutcome, type PayoutStatus } from '../../../domain/rails/payout-outcome.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import type { Change } from '../../../domain/records/change.ts';
import type { BankNotice } from '../../../domain/records/notice.ts';
import { isAssetHalted, newId, type PickDeps, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import { undoPayout } from '../../settlement/undo-payout.ts';
import type { BankStep } from '../movement-step.ts';
import type { RailAnswer } from './call-rail.ts';
import { failOver } from './fail-over.ts';

/**
 * If the rail is not configured, the service waits this long before it looks for the rail again. The pause doubles every time.
 */
const NO_RAIL_MS = 2_000;

/** `answer` is undefined if the rail is not configured. */
export async function settlePayout(
  deps: SettlementDeps,
  alive: LiveAttempt,
  answer: RailAnswer | undefined,
): Promise<BankStep> {
  if (answer === undefined) return { change: waitForRail(deps, alive) };
  const { movement, attempt } = alive;
  const { rail, status } = answer;
  const decision = decidePayout(deps, alive, answer);
  const atMs = deps.clock.now();
  const later = () => ({ atMs, dueAtMs: atMs + backOffMs(deps, movement.tries, rail.pace.askAfterMs) });
  switch (decision.kind) {
    case 'paid':
    case 'returned': {
      const paid = buildPaidChange(deps, alive, status, atMs);
      if (!decision.isBrokenWord) return { change: paid };
      return { change: { ...paid, doubt: raiseDoubt(deps, alive, atMs) } };
    }
    case 'making_sure': {
      const { memory, askAtMs } = decision;
      const isLast = memory.refusal!.confirmedMs !== null;
      const sureMs = isLast ? askAtMs : askAtMs + rail.terms.confirmAgainMs;
      return { change: recordPayoutRefused(alive, atMs, memory, askAtMs, sureMs) };
    }
    case 'pending':
      return { change: recordPayoutPending(alive, decision.memory, later()) };
    case 'order_again':
      deps.onTrouble('a payout is ordered again', { movement: movement.id, rail: rail.name });
      return orderPayoutAgain(alive, decision.memory, { atMs, dueAtMs: atMs + callLeaseMs(rail.terms) });
    case 'unknown':
      return { change: recordPayoutUnknown(alive, decision, later()) };
    case 'people': {
      const { reason } = decision;
      if (!needsPeople(attempt))
        deps.onTrouble('a payout needs people', { movement: movement.id, rail: rail.name, reason });
      return { change: recordPayoutUnknown(alive, decision, later(), { needs_people: true }) };
    }
    case 'elsewhere':
      return failOver(deps, alive, decision);
    case 'undo':
      return { change: await undoPayout(deps, alive, decision.reason, atMs) };
    case 'give_up':
      return { change: giveUpRefund(deps, alive, decision.reason, atMs) };
  }
}

/**
 * Decides what the response proves. It does so even if the service no longer trusts the refusals of the rail, or if naira
 * payments are halted.
 */
function decidePayout(
  deps: PickDeps<'catalogue' | 'isUnwatched' | 'clock'>,
  alive: LiveAttempt,
  { rail, status, called, beganMs }: RailAnswer,
): PayoutDecision {
  const { movement, attempt } = alive;
  const orderedMs = findLastOrderMs(attempt);
  const call = {
    ...{ called, beganMs, endedMs: deps.clock.now(), orderedMs },
    orderedUntilMs: orderedMs + callLeaseMs(rail.terms),
  };
  const verdict = decideOutcome(status, call, readMemory(attempt), rail.terms);
  if (verdict.kind === 'unpaid') return decideUnpaid(alive, verdict, isRailDoubted(deps, attempt));
  if (verdict.kind === 'order_again' && isAssetHalted(deps, movement)) return { ...verdict, kind: 'unknown' };
  return verdict;
}

function isRailDoubted(
  { catalogue }: PickDeps<'catalogue'>,
  { mode, rail }: LiveAttempt['attempt'],
): boolean {
  return catalogue().rails.doubts.some((each) => each.mode === mode && each.rail === rail);
}

/** The rail may have paid the payout, so no other rail may pay it. The payout waits until its own rail is configured again. */
function waitForRail(deps: PickDeps<'clock' | 'entropy' | 'onTrouble'>, alive: LiveAttempt): Change {
  const { movement, attempt } = alive;
  const atMs = deps.clock.now();
  deps.onTrouble('a payout waits for a rail that is not configured', {
    movement: movement.id,
    rail: attempt.rail,
  });
  const dueAtMs = atMs + backOffMs(deps, movement.tries, NO_RAIL_MS);
  const reason = `rail ${attempt.rail} is not configured: configure it again so that it can report the outcome`;
  return recordUnknown(alive, { atMs, dueAtMs }, reason);
}

/** The rail refused this payout and paid it later, so the service no longer trusts the refusals of this rail. */
function raiseDoubt(
  { onTrouble }: PickDeps<'onTrouble'>,
  { movement, attempt }: LiveAttempt,
  atMs: number,
): NonNullable<Change['doubt']> {
  const { mode, rail } = attempt;
  onTrouble('a rail paid a payout that it had refused', { movement: movement.id, mode, rail });
  return { mode, rail: rail!, movementId: movement.id, atMs };
}

function buildPaidChange(
  deps: PickDeps<'bankCharges' | 'clock' | 'entropy'>,
  alive: LiveAttempt,
  status: PayoutStatus,
  atMs: number,
): Change {
  const { attempt } = alive;
  const kept = mergeMemory(attempt, { ...readMemory(attempt), notFound: 0 }) ?? {};
  const feeMinor = feeOf(alive);
  if (status.kind === 'paid') {
    const chargeMinor = status.chargeMinor ?? lookUpTableCharges(deps, alive);
    return finishMovement(alive, atMs, { ...kept, session_id: status.sessionId }, { feeMinor, chargeMinor });
  }
  if (status.kind !== 'returned') throw new Error(`${status.kind} does not settle a payout`);
  // The service books both facts: first the payment and then, through a notice, the return.
  const costs = { feeMinor, chargeMinor: lookUpTableCharges(deps, alive) };
  const paid = finishMovement(alive, atMs, { ...kept, bank_says: status.reason }, costs);
  return { ...paid, newNotices: [makeReturnNotice(deps, alive, status.reason, atMs)] };
}

function giveUpRefund(
  { onTrouble }: PickDeps<'onTrouble'>,
  alive: LiveAttempt,
  reason: string,
  atMs: number,
): Change {
  const { movement, attempt } = alive;
  onTrouble('a refund failed', { movement: movement.id, reason });
  const evidence = mergeMemory(attempt, readMemory(attempt), { reason });
  return giveUpMovement(alive, atMs, 0n, reason, updateAttempt(attempt, 'failed', atMs, evidence));
}

/** Returns the charges in the table for the day on which the rail got the payout. */
function lookUpTableCharges(
  { bankCharges }: PickDeps<'bankCharges'>,
  { movement, attempt }: LiveAttempt,
): TransferCharges {
  return transferCharges(bankCharges, movement.nairaMinor, attempt.atMs);
}

function feeOf({ movement, transaction }: LiveAttempt): bigint {
  return movement.kind === 'payout' ? (transaction?.feeMinor ?? 0n) : 0n;
}

/** The id of the notice contains the reference, so that repeated reports of a rail count once. */
function makeReturnNotice(
  deps: PickDeps<'clock' | 'entropy'>,
  { movement, attempt }: Pick<LiveAttempt, 'movement' | 'attempt'>,
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
