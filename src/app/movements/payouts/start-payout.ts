// Starts a waiting bank movement: a refund, a payout that every rail refused, or a payout that two people ordered after the
// first one was returned. Returns the change to store, and the order that the rail gets afterwards.
import { stepEntries } from '../../../domain/movements/entries.ts';
import { bankAttempt, holdSellAgain, triedRails } from '../../../domain/movements/payout-steps.ts';
import { holdMovementBack } from '../../../domain/movements/steps.ts';
import { describeSkippedRails } from '../../../domain/rails/rail-texts.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { TransactionException } from '../../../domain/records/exceptions.ts';
import type { AccountDestination, Attempt, Movement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { checkPayoutAccount } from '../../account-lookups/check-payout-account.ts';
import { isAssetHalted, type PickDeps, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import { isDestinationListed, screenDestination } from '../../settlement/check-holds.ts';
import type { BankStep } from '../movement-step.ts';
import {
  type ChosenRail,
  checkAccountOwner,
  chooseRailToAsk,
  openRailChooser,
  payoutAccountOf,
  payoutFactsOfMovement,
} from './choose-rail.ts';

const HALTED_MS = 2_000;
/** If no rail is suitable, the service waits this long before it searches again. The pause doubles every time. */
const NO_RAIL_MS = 2_000;
const REPEATED_MS = 500;

/** `last` is the previous attempt, if every rail refused the movement. */
export async function startPayout(
  deps: SettlementDeps,
  movement: Movement,
  last: Attempt | undefined,
  transaction: Transaction | null,
): Promise<BankStep> {
  const isRepeated = movement.kind === 'payout' && last === undefined;
  const obstacle = isRepeated ? await checkRepeatedPayout(deps, movement, transaction!) : undefined;
  if (obstacle !== undefined) return { change: obstacle };
  const atMs = deps.clock.now();
  const chosen = await chooseRailForWaiting(deps, movement, last);
  if (chosen === null || isAssetHalted(deps, movement)) {
    const pauseMs = chosen === null ? backOffMs(deps, movement.tries, NO_RAIL_MS) : HALTED_MS;
    return { change: { atMs, movements: [makeMove(movement, { dueAtMs: atMs + pauseMs })] } };
  }
  if (await isDestinationListed(deps, movement))
    return { change: holdMovementBack(movement, undefined, transaction, atMs, 'screening_hit') };
  const { rail, usage } = chosen;
  // If the movement was never tried, its owner is already known. A refund goes back to its payer, and the code above checked
  // the owner of a repeated payout.
  const owner = last && (await checkAccountOwner(deps, rail, { movement, transaction }));
  if (owner?.kind === 'hold') {
    const { exception, evidence } = owner;
    return { change: holdSellAgain(movement, transaction!, exception, evidence, deps.clock.now()) };
  }
  if (owner?.kind === 'unknown') return { change: postponeMovement(deps, movement, NO_RAIL_MS) };
  const move = makeMove(movement, {
    state: 'sending',
    bankAccount: payoutAccountOf(rail),
    attempts: movement.attempts + 1,
    tries: 0,
    dueAtMs: atMs + callLeaseMs(rail.terms),
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
    order: { movement: move.after, attempt, transaction },
  };
}

/**
 * Checks a payout that two people ordered after the first one was returned. No bank has checked its account yet, so a rail must
 * confirm the owner before the service reserves naira. Returns what happens instead of the payout, or undefined if there is no
 * obstacle.
 */
async function checkRepeatedPayout(
  deps: SettlementDeps,
  movement: Movement,
  transaction: Transaction,
): Promise<Change | undefined> {
  const { mode, businessId } = transaction;
  const account = movement.destination as AccountDestination;
  const rail = chooseRailToAsk(deps, mode, account.bankCode);
  // The order of the two people stays valid. The service only postpones it until the freeze or halt is lifted, or a rail is
  // available.
  const waits = deps.catalogue().frozen.has(`${businessId} ${mode}`) || isAssetHalted(deps, movement);
  if (waits || rail === undefined) return postponeMovement(deps, movement, REPEATED_MS);
  const hold = (exception: TransactionException, evidence: object) =>
    holdSellAgain(movement, transaction, exception, { ...evidence }, deps.clock.now());
  const hits = await screenDestination(deps, movement);
  if (hits.length > 0) return hold('screening_hit', { hits });
  const owner = await checkPayoutAccount(deps, rail.payouts, transaction, account);
  if (owner.kind === 'unknown') return postponeMovement(deps, movement, REPEATED_MS);
  return owner.kind === 'hold' ? hold(owner.exception, owner.evidence) : undefined;
}

/**
 * Chooses a rail for a waiting movement: a rail that did not refuse the movement, or otherwise the rail with the oldest
 * refusal.
 */
async function chooseRailForWaiting(
  deps: PickDeps<'banks' | 'catalogue' | 'clock' | 'entropy' | 'store' | 'onTrouble'>,
  movement: Movement,
  last: Attempt | undefined,
): Promise<ChosenRail | null> {
  const chooser = await openRailChooser(deps, [movement.mode]);
  const tried = last === undefined ? [] : triedRails(last);
  const choices = tried.map((_, index) => tried.slice(index));
  for (const leftOut of [...choices, []]) {
    const choice = chooser.choose(movement.mode, payoutFactsOfMovement(movement, leftOut));
    if (choice.kind === 'chosen') return choice;
    if (leftOut.length > 0) continue;
    if (choice.why.length > 0)
      deps.onTrouble('no rail takes a payout', {
        movement: movement.id,
        why: describeSkippedRails(choice.why),
      });
  }
  return null;
}

function postponeMovement(deps: PickDeps<'clock' | 'entropy'>, movement: Movement, firstMs: number): Change {
  const atMs = deps.clock.now();
  return {
    atMs,
    movements: [makeMove(movement, { dueAtMs: atMs + backOffMs(deps, movement.tries, firstMs) })],
  };
}
