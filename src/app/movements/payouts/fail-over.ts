// A payout whose last attempt is proven to pay nothing goes to another rail, or waits for one. The naira leave the reserve of the old bank account and are reserved in the
// new one in the commit that opens the new attempt.
import { releaseEntries, stepEntries } from '../../../domain/movements/entries.ts';
import { evidenceWith, memoryOf } from '../../../domain/movements/outcome-memory.ts';
import { rerouted } from '../../../domain/movements/payout-steps.ts';
import { type UnderWay, updatedAttempt } from '../../../domain/movements/steps.ts';
import type { Verdict } from '../../../domain/rails/payout-outcome.ts';
import type { PayoutFacts } from '../../../domain/rails/route.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import { describeNone } from '../../../domain/rails/words.ts';
import { type Change, moveOf } from '../../../domain/records/change.ts';
import {
  type AccountDestination,
  type Attempt,
  bankReference,
  type Movement,
  repeatedReference,
} from '../../../domain/records/movement.ts';
import type { PayingRail } from '../../../ports/bank/rail.ts';
import { isHalted, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import { type AccountCheck, checkAccount } from '../../enquiries/check-account.ts';
import type { Step } from '../step.ts';
import { type ChosenRail, openRailChooser, payoutAccountOf } from './choose-rail.ts';

/** After every rail that fits refused it, one is tried again so long later; the pause doubles with every attempt. */
const TRY_AGAIN_MS = 15_000;

/** What `decideOutcome` calls unpaid. */
export type Unpaid = Extract<Verdict, { readonly kind: 'unpaid' }>;

/** An attempt that is proven to pay nothing, by fault of its rail: another rail gets it, or it waits for one. */
export async function payElsewhere(
  deps: SettlementDeps,
  alive: UnderWay,
  { proof, reason }: Pick<Unpaid, 'proof' | 'reason'>,
): Promise<Step> {
  const atMs = deps.clock.now();
  const { attempt } = alive;
  const tried = triedRails(attempt);
  const evidence = evidenceWith(attempt, memoryOf(attempt), { reason, fault: 'rail', tried });
  const ended = updatedAttempt(attempt, proof === 'refused' ? 'failed' : 'dead', atMs, evidence);
  const next = await anotherRail(deps, alive, tried);
  const isOwner = next !== null && (await checkOwner(deps, next.rail, alive)).kind === 'clear';
  return isOwner
    ? attemptElsewhere(deps, alive, ended, next, atMs)
    : { change: putBack(deps, alive, ended, reason, atMs) };
}

/** The rail that shall pay says again who owns the account: it may know another name than the rail before it. */
export async function checkOwner(
  deps: SettlementDeps,
  { name, payouts }: PayingRail,
  { movement, transaction }: Pick<UnderWay, 'movement' | 'transaction'>,
): Promise<AccountCheck> {
  if (movement.kind !== 'payout' || transaction === null) return { kind: 'clear' };
  const checked = await checkAccount(deps, payouts, transaction, movement.destination as AccountDestination);
  if (checked.kind === 'unknown')
    deps.onTrouble('a rail does not say who owns an account', { movement: movement.id, rail: name });
  return checked;
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
  { movement, transaction }: UnderWay,
  ended: Attempt,
  { rail, usage }: ChosenRail,
  atMs: number,
): Step {
  const move = moveOf(movement, {
    state: 'sending',
    reason: null,
    bankAccount: payoutAccountOf(rail),
    attempts: movement.attempts + 1,
    tries: 0,
    dueAtMs: atMs + callLeaseMs(rail.terms),
    updatedAtMs: atMs,
  });
  deps.onTrouble('a payout goes to another rail', { movement: movement.id, from: ended.rail, to: rail.name });
  const attempt = bankAttempt(move.after, rail.name, triedRails(ended), atMs);
  const line = rerouted(movement, transaction, atMs);
  return {
    change: {
      atMs,
      ...line,
      movements: [move],
      attempts: [ended, attempt],
      usage,
      entries: [...releaseEntries(movement, 0n), ...stepEntries(move.after, 'reserve')],
    },
    start: { movement: move.after, attempt, transaction: line.transactions?.[0]?.after ?? transaction },
  };
}

/** No rail fits now: nothing is reserved, and it begins again later. The customer's payout is not given up. */
function putBack(
  deps: SettlementDeps,
  { movement, transaction }: UnderWay,
  ended: Attempt,
  says: string,
  atMs: number,
): Change {
  const reason = `rail ${ended.rail} ${ended.state === 'dead' ? 'did not get it' : 'refused it'}: ${says}`;
  deps.onTrouble('a payout waits for a rail', { movement: movement.id, attempts: movement.attempts, reason });
  const dueAtMs = atMs + backOffMs(deps, movement.attempts, TRY_AGAIN_MS);
  return {
    atMs,
    ...rerouted(movement, transaction, atMs),
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
