// Contains the drafts of payments over a network, and the change for each result: the payment is signed, has to wait, or must
// not be stored. The first attempt reserves the tokens in the same change that stores the signed bytes.
import { entryOf } from '../../../domain/ledger/ledger.ts';
import { stepEntries } from '../../../domain/movements/entries.ts';
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import { type Change, type LimitUsage, makeMove } from '../../../domain/records/change.ts';
import type { Attempt, Movement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { moveTransaction, postponeTransaction } from '../../../domain/records/transaction-moves.ts';
import type { Network } from '../../../ports/networks/network.ts';
import type { Obstacle, Payment } from '../../../ports/networks/network-payer.ts';
import type { RefusedCommit } from '../../../ports/store/commit.ts';
import type { PickDeps } from '../../engine/deps.ts';
import { networkLeaseMs } from '../../engine/leases.ts';
import { backOffMs } from '../../engine/retries.ts';
import { putOnHold } from '../commit-steps.ts';

interface PayableMovement {
  readonly network: Network;
  /** The movement as it is after its attempt is stored. */
  readonly movement: Movement;
  /**
   * Until this time, this process holds the record. Later, this process does not sign the movement, because another process may
   * be signing it.
   */
  readonly heldUntilMs: number;
  readonly payment: Payment;
}

/** The tokens of a paid buy. The send begins with this attempt. */
export interface NewSend extends PayableMovement {
  readonly kind: 'new_send';
  readonly transaction: Transaction;
  readonly usage: readonly LimitUsage[];
}

/** A further attempt for a stored movement: a refund, a sweep, a withdrawal, or a send that is signed again. */
export interface NextAttempt extends PayableMovement {
  readonly kind: 'next_attempt';
  readonly before: Movement;
  readonly transaction: Transaction | null;
}

export type MovementDraft = NewSend | NextAttempt;

export type MovementDraftDeps = PickDeps<'clock' | 'entropy' | 'networks' | 'leaseMs' | 'onTrouble'>;

const TURN_MS = 500;
const OBSTACLE_MS = { new_send: 2_000, next_attempt: 1_200 } as const;
const REFUSED_MS = 2_000;

/**
 * Returns the change that stores the attempt of a draft, and the attempt to broadcast afterwards. The lease begins here,
 * because the process may have waited long for its turn and for the signature.
 */
export function buildAttemptChange(
  deps: MovementDraftDeps,
  draft: MovementDraft,
  attempt: Attempt,
): { readonly change: Change; readonly start: LiveAttempt } {
  const atMs = deps.clock.now();
  const dueAtMs = atMs + networkLeaseMs(deps);
  if (draft.kind === 'new_send') {
    const movement = { ...draft.movement, dueAtMs };
    const change = reserveTokens(draft, movement, attempt, atMs);
    return { change, start: { movement, attempt, transaction: change.transactions![0]!.after } };
  }
  const { before, transaction } = draft;
  const move = moveToSending(before, atMs, dueAtMs);
  const entries = attempt.no === 1 ? stepEntries(before, 'reserve') : [];
  return {
    change: { atMs, movements: [move], attempts: [attempt], entries },
    start: { movement: move.after, attempt, transaction },
  };
}

export function moveToSending(movement: Movement, atMs: number, dueAtMs: number) {
  return makeMove(movement, {
    state: 'sending',
    attempts: movement.attempts + 1,
    // The next query must come soon, however often the movement waited for a turn before.
    tries: 0,
    dueAtMs,
    updatedAtMs: atMs,
  });
}

function reserveTokens(
  { transaction, usage }: NewSend,
  movement: Movement,
  attempt: Attempt,
  atMs: number,
): Change {
  const of = { mode: transaction.mode, subjectId: transaction.id };
  return {
    atMs,
    transactions: [
      moveTransaction(transaction, 'sending', {
        actor: 'settlement',
        atMs,
        reason: 'tokens_reserved',
        dueAtMs: null,
        evidence: { movement: movement.id },
      }),
    ],
    newMovements: [movement],
    attempts: [attempt],
    usage,
    entries: [
      ...stepEntries(movement, 'reserve'),
      entryOf('fee_taken', { ...of, amounts: { amount: transaction.feeMinor } }),
    ],
  };
}

/** If the draft waits for the turn of another process, the pause is short. All other obstacles need an operator. */
export function postponeDraft(deps: MovementDraftDeps, draft: MovementDraft, obstacle: Obstacle): Change {
  const atMs = deps.clock.now();
  const { tries } = draft.kind === 'new_send' ? draft.transaction : draft.before;
  const afterMs = obstacle === 'turn_taken' ? TURN_MS : backOffMs(deps, tries, OBSTACLE_MS[draft.kind]);
  const dueAtMs = atMs + afterMs;
  return draft.kind === 'new_send'
    ? { atMs, transactions: [postponeTransaction(draft.transaction, dueAtMs)] }
    : { atMs, movements: [makeMove(draft.before, { dueAtMs })] };
}

/**
 * The rules of the database refused the draft: another process used up the limit or the treasury, or has already sent the
 * payment. Null means that the service waits until the lease ends.
 */
export function refuseDraft(
  deps: MovementDraftDeps,
  draft: MovementDraft,
  { rule, constraint }: RefusedCommit,
): Change | null {
  if (draft.kind === 'next_attempt') {
    deps.onTrouble('an attempt was refused', { movement: draft.movement.id, constraint });
    return null;
  }
  const { transaction } = draft;
  const atMs = deps.clock.now();
  if (rule === 'limit_exceeded') return putOnHold(transaction, 'limit_reached', {}, atMs);
  deps.onTrouble('a send was refused', { transaction: transaction.id, constraint });
  return {
    atMs,
    transactions: [postponeTransaction(transaction, atMs + backOffMs(deps, transaction.tries, REFUSED_MS))],
  };
}
