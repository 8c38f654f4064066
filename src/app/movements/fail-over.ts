// A payout goes to another rail only when its last attempt is proven to pay nothing: refused for good by fault of its rail, or not
// sent by the one process that could have sent it. The naira leave the reserve of the old bank account and are reserved in the
// new one in the commit that opens the new attempt.
import { releaseEntries, stepEntries } from '../../domain/movements/entries.ts';
import { type UnderWay, updatedAttempt } from '../../domain/movements/steps.ts';
import type { PayoutFacts } from '../../domain/rails/route.ts';
import { describeNone } from '../../domain/rails/words.ts';
import { type Change, moveOf } from '../../domain/records/change.ts';
import {
  type AccountDestination,
  type Attempt,
  bankReference,
  type Movement,
  repeatedReference,
} from '../../domain/records/movement.ts';
import type { PayoutStatus } from '../../ports/bank/payouts.ts';
import { backOffMs, isHalted, type SettlementDeps } from '../settlement/context.ts';
import { type ChosenRail, openRailChooser, payoutAccountOf } from './choose-rail.ts';

/** How a rail was asked: the first call ever for an attempt, by the step that stored it; a later one; or only about it. */
export type Called = 'paid_first' | 'paid_again' | 'asked';

/** After every rail that fits refused it, one is tried again so long later; the pause doubles with every attempt. */
const TRY_AGAIN_MS = 15_000;

/** Null: the answer does not prove that this attempt pays nothing, or its rail shall try again. */
export async function failOver(
  deps: SettlementDeps,
  alive: UnderWay,
  status: PayoutStatus,
  called: Called,
): Promise<Change | null> {
  const isRefused = status.kind === 'failed' && status.fault === 'rail';
  const isUnsent = status.kind === 'not_sent' && called === 'paid_first';
  if (!isRefused && !isUnsent) return null;
  const atMs = deps.clock.now();
  const { attempt } = alive;
  const tried = triedRails(attempt);
  const evidence = { reason: status.reason, fault: 'rail', tried };
  const ended = updatedAttempt(attempt, isRefused ? 'failed' : 'dead', atMs, evidence);
  const next = await anotherRail(deps, alive, tried);
  if (next !== null) return attemptElsewhere(deps, alive.movement, ended, next, atMs);
  return isRefused ? putBack(deps, alive, ended, status.reason, atMs) : null;
}

async function anotherRail(
  deps: SettlementDeps,
  { movement }: UnderWay,
  tried: readonly string[],
): Promise<ChosenRail | null> {
  if (isHalted(deps, movement) || !deps.moving()) return null;
  const choice = (await openRailChooser(deps, [movement.mode])).choose(
    movement.mode,
    payoutFacts(movement, tried),
  );
  return choice.kind === 'chosen' ? choice : null;
}

function attemptElsewhere(
  deps: SettlementDeps,
  movement: Movement,
  ended: Attempt,
  { rail, usage }: ChosenRail,
  atMs: number,
): Change {
  const move = moveOf(movement, {
    state: 'sending',
    reason: null,
    bankAccount: payoutAccountOf(rail),
    attempts: movement.attempts + 1,
    tries: 0,
    dueAtMs: atMs + deps.leaseMs,
    updatedAtMs: atMs,
  });
  deps.onTrouble('a payout goes to another rail', { movement: movement.id, from: ended.rail, to: rail.name });
  return {
    atMs,
    movements: [move],
    attempts: [ended, bankAttempt(move.after, rail.name, triedRails(ended), atMs)],
    usage,
    entries: [...releaseEntries(movement, 0n), ...stepEntries(move.after, 'reserve')],
  };
}

/** No rail fits now: nothing is reserved, and it begins again later. The customer's payout is not given up. */
function putBack(
  deps: SettlementDeps,
  { movement }: UnderWay,
  ended: Attempt,
  says: string,
  atMs: number,
): Change {
  const reason = `rail ${ended.rail} refused it: ${says}`;
  deps.onTrouble('a payout waits for a rail', { movement: movement.id, attempts: movement.attempts, reason });
  const dueAtMs = atMs + backOffMs(deps, movement.attempts, TRY_AGAIN_MS);
  return {
    atMs,
    movements: [
      moveOf(movement, {
        ...{ state: 'pending', reason, bankAccount: null, dueAtMs, tries: 0, updatedAtMs: atMs },
      }),
    ],
    attempts: [ended],
    entries: releaseEntries(movement, 0n),
  };
}

/** For a movement that waits: a rail that did not refuse it, and otherwise the one whose refusal is oldest. */
export async function chooseForWaiting(
  deps: SettlementDeps,
  movement: Movement,
  last: Attempt | undefined,
): Promise<ChosenRail | null> {
  const chooser = await openRailChooser(deps, [movement.mode]);
  const tried = last === undefined ? [] : triedRails(last);
  const choices = tried.map((_, index) => tried.slice(index));
  for (const leftOut of [...choices, []]) {
    const choice = chooser.choose(movement.mode, payoutFacts(movement, leftOut));
    if (choice.kind === 'chosen') return choice;
    if (leftOut.length > 0) continue;
    if (choice.why.length > 0)
      deps.onTrouble('no rail takes a payout', { movement: movement.id, why: describeNone(choice.why) });
  }
  return null;
}

/** Rails this movement was refused on or not taken by, the last one last. The attempt itself counts. */
export function triedRails({ rail, evidence }: Attempt): readonly string[] {
  const before = (evidence?.tried ?? []) as readonly string[];
  return [...before.filter((each) => each !== rail), rail!];
}

function payoutFacts({ nairaMinor, destination }: Movement, tried: readonly string[]): PayoutFacts {
  return { amountMinor: nairaMinor, bankCode: (destination as AccountDestination).bankCode, tried };
}

/** `tried`: a rail that refused it once never pays that reference, so a second attempt there has another one. */
export function bankAttempt(
  { id, mode, attempts: no }: Movement,
  rail: string,
  tried: readonly string[],
  atMs: number,
): Attempt {
  return {
    movementId: id,
    no,
    mode,
    network: null,
    rail,
    reference: tried.includes(rail) ? repeatedReference(id, no) : bankReference(id),
    source: null,
    sequence: null,
    payload: null,
    bound: null,
    index: 0,
    orders: [id],
    replacements: [],
    state: 'prepared',
    evidence: tried.length === 0 ? null : { tried },
    atMs,
    updatedAtMs: atMs,
  };
}
