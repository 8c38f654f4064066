// If it is proven that the last attempt of a payout pays nothing, another rail gets the payout, or the payout waits for one.
// The commit that opens the new attempt moves the reserved naira from the old bank account to the new one.
import { releaseEntries, stepEntries } from '../../../domain/movements/entries.ts';
import { mergeMemory, readMemory } from '../../../domain/movements/outcome-memory.ts';
import {
  bankAttempt,
  recordPayoutReroute,
  triedRails,
  type UnpaidVerdict,
} from '../../../domain/movements/payout-steps.ts';
import { type LiveAttempt, updateAttempt } from '../../../domain/movements/steps.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { Attempt } from '../../../domain/records/movement.ts';
import { isAssetHalted, type PickDeps, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import type { BankStep } from '../movement-step.ts';
import {
  type ChosenRail,
  checkAccountOwner,
  openRailChooser,
  payoutAccountOf,
  payoutFactsOfMovement,
} from './choose-rail.ts';

/** If every suitable rail refused, the service pauses this long before it tries again. The pause doubles with every attempt. */
const TRY_AGAIN_MS = 15_000;

/** A fault of the rail proves that the attempt pays nothing. Another rail gets the payout, or the payout waits for one. */
export async function failOver(
  deps: SettlementDeps,
  alive: LiveAttempt,
  { proof, reason }: Pick<UnpaidVerdict, 'proof' | 'reason'>,
): Promise<BankStep> {
  const atMs = deps.clock.now();
  const { attempt } = alive;
  const tried = triedRails(attempt);
  const evidence = mergeMemory(attempt, readMemory(attempt), { reason, fault: 'rail', tried });
  const ended = updateAttempt(attempt, proof === 'refused' ? 'failed' : 'dead', atMs, evidence);
  const next = await chooseAnotherRail(deps, alive, tried);
  // This rail may report another name of the owner than the previous rail.
  const isOwner = next !== null && (await checkAccountOwner(deps, next.rail, alive)).kind === 'clear';
  return isOwner
    ? openNextAttempt(deps, alive, ended, next, atMs)
    : { change: waitForAnotherRail(deps, alive, ended, reason, atMs) };
}

async function chooseAnotherRail(
  deps: SettlementDeps,
  { movement }: LiveAttempt,
  tried: readonly string[],
): Promise<ChosenRail | null> {
  if (isAssetHalted(deps, movement) || !deps.moving()) return null;
  const chooser = await openRailChooser(deps, [movement.mode]);
  const choice = chooser.choose(movement.mode, payoutFactsOfMovement(movement, tried));
  return choice.kind === 'chosen' ? choice : null;
}

function openNextAttempt(
  { onTrouble }: PickDeps<'onTrouble'>,
  { movement, transaction }: LiveAttempt,
  ended: Attempt,
  { rail, usage }: ChosenRail,
  atMs: number,
): BankStep {
  const move = makeMove(movement, {
    state: 'sending',
    reason: null,
    bankAccount: payoutAccountOf(rail),
    attempts: movement.attempts + 1,
    tries: 0,
    dueAtMs: atMs + callLeaseMs(rail.terms),
    updatedAtMs: atMs,
  });
  onTrouble('a payout goes to another rail', { movement: movement.id, from: ended.rail, to: rail.name });
  const attempt = bankAttempt(move.after, rail.name, triedRails(ended), atMs);
  const line = recordPayoutReroute(movement, transaction, atMs);
  return {
    change: {
      atMs,
      ...line,
      movements: [move],
      attempts: [ended, attempt],
      usage,
      entries: [...releaseEntries(movement, 0n), ...stepEntries(move.after, 'reserve')],
    },
    order: { movement: move.after, attempt, transaction: line.transactions?.[0]?.after ?? transaction },
  };
}

/**
 * No rail is suitable now. The service reserves nothing and tries the payout again later. It never abandons the payout of a
 * customer.
 */
function waitForAnotherRail(
  deps: PickDeps<'entropy' | 'onTrouble'>,
  { movement, transaction }: LiveAttempt,
  ended: Attempt,
  says: string,
  atMs: number,
): Change {
  const reason = `rail ${ended.rail} ${ended.state === 'dead' ? 'did not get it' : 'refused it'}: ${says}`;
  deps.onTrouble('a payout waits for a rail', { movement: movement.id, attempts: movement.attempts, reason });
  const dueAtMs = atMs + backOffMs(deps, movement.attempts, TRY_AGAIN_MS);
  return {
    atMs,
    ...recordPayoutReroute(movement, transaction, atMs),
    movements: [
      makeMove(movement, {
        ...{ state: 'pending', reason, bankAccount: null, dueAtMs, tries: 0, updatedAtMs: atMs },
      }),
    ],
    attempts: [ended],
    entries: releaseEntries(movement, 0n),
  };
}
