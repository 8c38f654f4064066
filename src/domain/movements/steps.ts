// How answers from outside change a movement. One change covers the movement, its attempt, the transaction and the ledger.
// `recordUnknown` changes only the time of the next query, and only a proof of death allows a new attempt.
import type { TransferCharges } from '../catalogue/bank-charges.ts';
import type { Entry } from '../ledger/ledger.ts';
import { type Change, makeMove, type RecordMove, type TransactionMove } from '../records/change.ts';
import { isRefundDecided } from '../records/exceptions.ts';
import type { MoveReason } from '../records/move-reasons.ts';
import type { Attempt, Movement } from '../records/movement.ts';
import type { TransactionState } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { chargeEntries, costEntries, type NetworkCost, releaseEntries, stepEntries } from './entries.ts';

export interface LiveAttempt {
  readonly movement: Movement;
  readonly attempt: Attempt;
  readonly transaction: Transaction | null;
}

export interface Timing {
  readonly atMs: number;
  readonly dueAtMs: number | null;
}

type StepEvidence = Readonly<Record<string, unknown>>;

/** Tokens count as sent as soon as the network is known to have the payment. */
function wasSent({ attempt }: LiveAttempt): boolean {
  return attempt.state === 'accepted';
}

export function recordAccepted(
  alive: LiveAttempt,
  when: Timing,
  evidence: StepEvidence | null = null,
): Change {
  const { attempt, transaction, movement } = alive;
  return {
    atMs: when.atMs,
    movements: [moveMovement(alive, { state: 'sending', reason: null }, when)],
    attempts: [updateAttempt(attempt, 'accepted', when.atMs, evidence)],
    ...(movement.kind === 'send' &&
      transaction !== null &&
      makeBuyMove(transaction, 'confirming', 'tokens_sent', alive, when.atMs, { txHash: attempt.reference })),
    entries: stepEntries(movement, 'send'),
  };
}

/** The outcome is unknown. The service queries and submits the same payment or the same reference again. */
export function recordUnknown(alive: LiveAttempt, when: Timing, reason: string): Change {
  const { attempt, movement } = alive;
  // Tokens stay sent once the network is known to have the payment, even if a later answer omits the payment.
  const state = attempt.state === 'accepted' ? 'accepted' : 'unknown';
  return {
    atMs: when.atMs,
    movements: [
      moveMovement(alive, { state: state === 'accepted' ? movement.state : 'unknown', reason }, when),
    ],
    attempts: [updateAttempt(attempt, state, when.atMs, { ...attempt.evidence, reason })],
  };
}

export function postponeQuestion({ movement }: LiveAttempt, when: Timing): Change {
  return { atMs: when.atMs, movements: [makeMove(movement, { dueAtMs: when.dueAtMs })] };
}

/**
 * The payment is in a block but not final yet. This is stored, so that the service notices if the payment disappears from the
 * chain.
 */
export function recordInclusion(alive: LiveAttempt, when: Timing, confirmations: number): Change {
  if (!wasSent(alive)) return recordAccepted(alive, when, { included: true, confirmations });
  const { attempt } = alive;
  if (attempt.evidence?.included === true) return postponeQuestion(alive, when);
  return {
    ...postponeQuestion(alive, when),
    attempts: [updateAttempt(attempt, 'accepted', when.atMs, { included: true, confirmations })],
  };
}

/** The chain was reorganised and no longer contains the payment. The payment does not count as sent until it is seen again. */
export function recordReorganisation(alive: LiveAttempt, when: Timing): Change {
  const { attempt, movement, transaction } = alive;
  return {
    atMs: when.atMs,
    movements: [moveMovement(alive, { state: 'unknown', reason: 'reorganised' }, when)],
    attempts: [updateAttempt(attempt, 'unknown', when.atMs, { reorganised: true })],
    ...(movement.kind === 'send' &&
      transaction !== null &&
      makeBuyMove(transaction, 'sending', 'network_reorganised', alive, when.atMs)),
    entries: stepEntries(movement, 'unsend'),
  };
}

/** This attempt had no effect and never will have one, so another attempt may be made. */
export function endAttempt(
  alive: LiveAttempt,
  when: Timing,
  state: 'rejected' | 'failed' | 'dead',
  evidence: StepEvidence,
  cost: NetworkCost | null = null,
): Change {
  const { attempt, movement, transaction } = alive;
  const sent = wasSent(alive);
  const reason = `attempt ${attempt.no} ${state}`;
  return {
    atMs: when.atMs,
    movements: [moveMovement(alive, { state: 'pending', reason }, when)],
    attempts: [updateAttempt(attempt, state, when.atMs, evidence)],
    ...(sent &&
      movement.kind === 'send' &&
      transaction !== null &&
      makeBuyMove(transaction, 'sending', 'send_repeated', alive, when.atMs)),
    entries: [...(sent ? stepEntries(movement, 'unsend') : []), ...costEntries(movement, cost)],
  };
}

/** The movement is done. `reference`: the external reference, if it differs from the first reference of the attempt. */
export function finishMovement(
  alive: LiveAttempt,
  atMs: number,
  evidence: StepEvidence,
  costs: {
    readonly feeMinor: bigint;
    /** The charge of the bank. It has parts if it comes from the table of bank charges. */
    readonly chargeMinor: bigint | TransferCharges;
    readonly network?: NetworkCost | null;
  },
  reference: string = alive.attempt.reference,
): Change {
  const { attempt, movement, transaction } = alive;
  return {
    atMs,
    movements: [moveMovement(alive, { state: 'done', reason: null }, { atMs, dueAtMs: null })],
    attempts: [updateAttempt(attempt, 'landed', atMs, evidence)],
    ...(transaction !== null && finishTransaction(alive, transaction, reference, atMs)),
    entries: [
      ...(wasSent(alive) ? [] : stepEntries(movement, 'send')),
      ...stepEntries(movement, 'finish', costs.feeMinor),
      ...chargeEntries(movement, costs.chargeMinor),
      ...costEntries(movement, costs.network ?? null),
    ],
  };
}

function finishTransaction(
  alive: LiveAttempt,
  transaction: Transaction,
  reference: string,
  atMs: number,
): { readonly transactions: readonly TransactionMove[] } {
  const { movement } = alive;
  switch (movement.kind) {
    case 'send':
      return makeBuyMove(transaction, 'completed', 'tokens_arrived', alive, atMs, { txHash: reference });
    case 'payout': {
      const evidence = { movement: movement.id, reference };
      const facts = { actor: 'bank', atMs, reason: 'payout_made' as const, dueAtMs: null, evidence };
      return { transactions: [moveTransaction(transaction, 'completed', facts)] };
    }
    case 'refund':
      return { transactions: [makeRefundMove(transaction, movement, reference, atMs)] };
    case 'sweep':
    case 'withdrawal':
      return { transactions: [] };
  }
}

/** A transaction in one of these states becomes `refunded` when all received money was returned. */
const RETURNING_STATES = new Set<TransactionState>(['payout_failed', 'expired', 'cancelled', 'rejected']);

/**
 * Whether all money of the transaction is being returned. While a transaction is on hold, its excess may be returned alone.
 * Only people decide to return everything.
 */
function isReturningAll(transaction: Transaction): boolean {
  const { state } = transaction;
  return state === 'on_hold' ? isRefundDecided(transaction) : RETURNING_STATES.has(state);
}

/**
 * A refund by bank or in tokens was made. The transaction counts its amount as refunded, and ends when all of the money was
 * returned.
 */
export function makeRefundMove(
  transaction: Transaction,
  movement: Movement,
  reference: string,
  atMs: number,
): TransactionMove {
  const refundedMinor = transaction.refundedMinor + movement.nairaMinor;
  const all = refundedMinor >= transaction.receivedMinor && isReturningAll(transaction);
  return moveTransaction(transaction, all ? 'refunded' : transaction.state, {
    actor: movement.network === null ? 'bank' : 'network',
    atMs,
    reason: 'refund_made',
    dueAtMs: all ? null : transaction.dueAtMs,
    updates: { refundedMinor },
    evidence: { movement: movement.id, reference },
  });
}

/** The service makes no more attempts. The reserved amount is released, and a person decides. */
export function giveUpMovement(
  alive: LiveAttempt,
  atMs: number,
  feeMinor: bigint,
  reason: string,
  last: Attempt,
  cost: NetworkCost | null = null,
): Change {
  const { movement, transaction } = alive;
  const entries: Entry[] = [
    ...(wasSent(alive) ? stepEntries(movement, 'unsend') : []),
    ...releaseEntries(movement, feeMinor),
    ...costEntries(movement, cost),
  ];
  return {
    atMs,
    movements: [moveMovement(alive, { state: 'failed', reason }, { atMs, dueAtMs: null })],
    attempts: [last],
    ...(movement.kind === 'send' &&
      transaction !== null &&
      makeBuyMove(transaction, 'on_hold', 'send_failed', alive, atMs, { exception: 'send_failed' })),
    entries,
  };
}

/** The movement must not go to its destination and has no live attempt. People name another destination. */
export function holdMovementBack(
  movement: Movement,
  last: Attempt | undefined,
  transaction: Transaction | null,
  atMs: number,
  reason: string,
): Change {
  if (last !== undefined)
    return giveUpMovement(
      { movement, attempt: last, transaction },
      atMs,
      transaction?.feeMinor ?? 0n,
      reason,
      last,
    );
  return {
    atMs,
    movements: [makeMove(movement, { state: 'failed', reason, dueAtMs: null, updatedAtMs: atMs })],
    // Only a withdrawal has an amount reserved before its first attempt.
    ...(movement.kind === 'withdrawal' && { entries: releaseEntries(movement, 0n) }),
  };
}

function moveMovement(
  { movement }: LiveAttempt,
  updates: Partial<Movement>,
  { atMs, dueAtMs }: Timing,
): RecordMove<Movement> {
  const tries = updates.state === movement.state ? movement.tries : 0;
  return makeMove(movement, { ...updates, dueAtMs, tries, updatedAtMs: atMs });
}

export function updateAttempt(
  attempt: Attempt,
  state: Attempt['state'],
  atMs: number,
  evidence: StepEvidence | null,
): Attempt {
  return { ...attempt, state, evidence, updatedAtMs: atMs };
}

function makeBuyMove(
  transaction: Transaction,
  to: TransactionState,
  reason: MoveReason,
  { movement, attempt }: LiveAttempt,
  atMs: number,
  updates: Partial<Transaction> = {},
): { readonly transactions: readonly TransactionMove[] } {
  const evidence = {
    movement: movement.id,
    attempt: attempt.no,
    tx_hash: updates.txHash ?? attempt.reference,
  };
  if (transaction.state === to) return { transactions: [] };
  const facts = { actor: 'network', atMs, reason, dueAtMs: null, updates, evidence };
  return { transactions: [moveTransaction(transaction, to, facts)] };
}
