// Commits steps of movements as they become ready, for banks and for networks. Steps that become ready during a commit share
// the next commit. No step waits for a step that is not ready.
import type { LedgerEvent } from '../../domain/ledger/ledger.ts';
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { TransactionException } from '../../domain/records/exceptions.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTransaction } from '../../domain/records/transaction-moves.ts';
import type { PickDeps } from '../engine/deps.ts';
import { makeBatcher } from '../engine/retries.ts';

/** Commits one step of one movement, together with other ready steps. Returns whether the step was committed. */
export type CommitStep = (step: { readonly movement: Movement; readonly change: Change }) => Promise<boolean>;

export function makeCommitStep(deps: PickDeps<'clock' | 'onTrouble' | 'store'>): CommitStep {
  return makeBatcher((steps) =>
    commitSteps(
      deps,
      steps.map(({ movement }) => movement),
      steps.map(({ change }) => change),
    ),
  );
}

/**
 * Commits steps of movements and returns which steps it committed. If another process took over a movement, its step is not
 * committed, because that process will find the same result. If another movement or the business changed only the transaction,
 * the step is repeated at once.
 */
async function commitSteps(
  deps: PickDeps<'clock' | 'onTrouble' | 'store'>,
  movements: readonly Movement[],
  changes: readonly Change[],
): Promise<readonly boolean[]> {
  const outcomes = await deps.store.commit(changes);
  const again: Change[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const movement = movements[index]!;
    const atMs = deps.clock.now();
    if (outcome.kind === 'stale') again.push({ atMs, movements: [makeMove(movement, { dueAtMs: atMs })] });
    if (outcome.kind !== 'refused') continue;
    const { rule, constraint } = outcome;
    deps.onTrouble('a step was refused', { movement: movement.id, constraint });
    const uncharged = omitBankCharges(changes[index]!);
    if (rule === 'account_negative' && uncharged !== undefined) again.push(uncharged);
  }
  if (again.length > 0) await deps.store.commit(again);
  return outcomes.map(({ kind }) => kind === 'committed');
}

const BANK_CHARGE_EVENTS: ReadonlySet<string> = new Set<LedgerEvent>([
  ...(['bank_charged', 'vat_charged', 'stamp_duty_charged'] as const),
]);

/**
 * The service records a payout as paid even if the float is too low for the charge of the bank. Then two people post the charge
 * (naira charge).
 */
function omitBankCharges(change: Change): Change | undefined {
  const entries = change.entries?.filter(({ event }) => !BANK_CHARGE_EVENTS.has(event));
  return entries === undefined || entries.length === change.entries?.length
    ? undefined
    : { ...change, entries };
}

/** Puts a transaction on hold for people: a buy whose tokens must not be sent, or a sell that must not be paid out. */
export function putOnHold(
  transaction: Transaction,
  exception: TransactionException,
  evidence: Readonly<Record<string, unknown>>,
  atMs: number,
): Change {
  const facts = {
    actor: 'settlement',
    atMs,
    reason: exception,
    dueAtMs: null,
    updates: { exception },
    evidence,
  } as const;
  return { atMs, transactions: [moveTransaction(transaction, 'on_hold', facts)] };
}
