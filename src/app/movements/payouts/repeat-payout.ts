// Starts a payout that two people ordered after the first one came back. Its account was never checked by a bank, so the rail says
// who owns it before anything is reserved; an account that cannot be paid puts the sell on hold again, with its naira still owed.

import { compareNames } from '../../../domain/matching/name-match.ts';
import { type Change, moveOf } from '../../../domain/records/change.ts';
import type { AccountDestination, Movement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { isHalted, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import { screenDestination } from '../../settlement/hold-checks.ts';
import type { Step } from '../step.ts';
import { startPayoutAttempt } from './bank-steps.ts';
import { railToAsk } from './choose-rail.ts';
import { heldAgain } from './held-again.ts';

const RETRY_MS = 500;

export async function startRepeatedPayout(
  deps: SettlementDeps,
  movement: Movement,
  transaction: Transaction,
): Promise<Step> {
  const { mode, businessId } = transaction;
  const { bankCode, accountNumber, accountName } = movement.destination as AccountDestination;
  const rail = railToAsk(deps, mode, bankCode);
  // The order of two people stands: it is only put off until the freeze is lifted, or a rail is there.
  const waits = deps.catalogue().frozen.has(`${businessId} ${mode}`) || isHalted(deps, movement);
  if (waits || rail === undefined) return { change: later(deps, movement) };
  const hits = await screenDestination(deps, movement);
  if (hits.length > 0) return { change: heldAgain(deps, movement, transaction, 'screening_hit', { hits }) };
  const question = { bankCode, accountNumber, expectedName: accountName, about: transaction.id };
  const owner = await rail.payouts.enquireName(question);
  if (owner.kind === 'unknown') return { change: later(deps, movement) };
  if (owner.kind === 'no_account')
    return { change: heldAgain(deps, movement, transaction, 'account_unknown', {}) };
  const { verdict, score } = compareNames(owner.name, accountName ?? '');
  if (verdict === 'strong') return startPayoutAttempt(deps, movement, undefined, transaction);
  const evidence = { bank_says: owner.name, verdict, score };
  return { change: heldAgain(deps, movement, transaction, 'name_mismatch', evidence) };
}

function later(deps: SettlementDeps, movement: Movement): Change {
  const atMs = deps.clock.now();
  const dueAtMs = atMs + backOffMs(deps, movement.tries, RETRY_MS);
  return { atMs, movements: [moveOf(movement, { dueAtMs })] };
}
