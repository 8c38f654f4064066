// What the outside world's answers do to a movement, as changes: the movement, its attempt, the transaction and the
// ledger together. `unknown` moves nothing but the next question; only proof of death allows a new attempt.
import type { TransferCharges } from '../catalogue/bank-charges.ts';
import type { Entry } from '../ledger/ledger.ts';
import { type Change, type Move, moveOf, type TransactionMove } from '../records/change.ts';
import { isReturning } from '../records/exceptions.ts';
import type { Attempt, Movement } from '../records/movement.ts';
import type { MoveReason } from '../records/reasons.ts';
import type { State } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTo } from '../records/transaction-moves.ts';
import { chargeEntries, costEntries, type NetworkCost, releaseEntries, stepEntries } from './entries.ts';

/** A movement in progress with its live attempt, and the transaction it is for. */
export interface UnderWay {
  readonly movement: Movement;
  readonly attempt: Attempt;
  readonly transaction: Transaction | null;
}

export interface When {
  readonly atMs: number;
  readonly dueAtMs: number | null;
}

type Evidence = Readonly<Record<string, unknown>>;

/** Tokens count as sent from the moment the network is known to have them. */
function wasSent({ attempt }: UnderWay): boolean {
  return attempt.state === 'accepted';
}

export function accepted(alive: UnderWay, when: When, evidence: Evidence | null = null): Change {
  const { attempt, transaction, movement } = alive;
  return {
    atMs: when.atMs,
    movements: [moved(alive, { state: 'sending', reason: null }, when)],
    attempts: [updatedAttempt(attempt, 'accepted', when.atMs, evidence)],
    ...(movement.kind === 'send' &&
      transaction !== null &&
      buyMove(transaction, 'confirming', 'tokens_sent', alive, when.atMs, { txHash: attempt.reference })),
    entries: stepEntries(movement, 'send'),
  };
}

/** The outcome is unknown. The same bytes, or the same reference, are asked about and offered again. */
export function unknown(alive: UnderWay, when: When, reason: string): Change {
  const { attempt, movement } = alive;
  // Tokens the network is known to have stay sent, whatever one answer fails to say.
  const state = attempt.state === 'accepted' ? 'accepted' : 'unknown';
  return {
    atMs: when.atMs,
    movements: [moved(alive, { state: state === 'accepted' ? movement.state : 'unknown', reason }, when)],
    attempts: [updatedAttempt(attempt, state, when.atMs, { ...attempt.evidence, reason })],
  };
}

/** Still on its way: ask again later. */
export function waiting({ movement }: UnderWay, when: When): Change {
  return { atMs: when.atMs, movements: [moveOf(movement, { dueAtMs: when.dueAtMs })] };
}

/** The payment is in a block and not final yet. It is remembered, so that its disappearance is noticed. */
export function included(alive: UnderWay, when: When, confirmations: number): Change {
  if (!wasSent(alive)) return accepted(alive, when, { included: true, confirmations });
  const { attempt } = alive;
  if (attempt.evidence?.included === true) return waiting(alive, when);
  return {
    ...waiting(alive, when),
    attempts: [updatedAttempt(attempt, 'accepted', when.atMs, { included: true, confirmations })],
  };
}

/** The chain was reorganised and it is not in it now: not sent any more, until it is seen again. */
export function reorganised(alive: UnderWay, when: When): Change {
  const { attempt, movement, transaction } = alive;
  return {
    atMs: when.atMs,
    movements: [moved(alive, { state: 'unknown', reason: 'reorganised' }, when)],
    attempts: [updatedAttempt(attempt, 'unknown', when.atMs, { reorganised: true })],
    ...(movement.kind === 'send' &&
      transaction !== null &&
      buyMove(transaction, 'sending', 'network_reorganised', alive, when.atMs)),
    entries: stepEntries(movement, 'unsend'),
  };
}

/** This attempt did nothing and never will: another may be made. */
export function dead(
  alive: UnderWay,
  when: When,
  state: 'rejected' | 'failed' | 'dead',
  evidence: Evidence,
  cost: NetworkCost | null = null,
): Change {
  const { attempt, movement, transaction } = alive;
  const sent = wasSent(alive);
  const reason = `attempt ${attempt.no} ${state}`;
  return {
    atMs: when.atMs,
    movements: [moved(alive, { state: 'pending', reason }, when)],
    attempts: [updatedAttempt(attempt, state, when.atMs, evidence)],
    ...(sent &&
      movement.kind === 'send' &&
      transaction !== null &&
      buyMove(transaction, 'sending', 'send_repeated', alive, when.atMs)),
    entries: [...(sent ? stepEntries(movement, 'unsend') : []), ...costEntries(movement, cost)],
  };
}

/** It happened. `reference`: under which name outside, when it is not the attempt's first one. */
export function finished(
  alive: UnderWay,
  atMs: number,
  evidence: Evidence,
  costs: {
    readonly feeMinor: bigint;
    /** The charge, in parts where the table of bank charges has them. */
    readonly chargeMinor: bigint | TransferCharges;
    readonly network?: NetworkCost | null;
  },
  reference: string = alive.attempt.reference,
): Change {
  const { attempt, movement, transaction } = alive;
  return {
    atMs,
    movements: [moved(alive, { state: 'done', reason: null }, { atMs, dueAtMs: null })],
    attempts: [updatedAttempt(attempt, 'landed', atMs, evidence)],
    ...(transaction !== null && finishedTransaction(alive, transaction, reference, atMs)),
    entries: [
      ...(wasSent(alive) ? [] : stepEntries(movement, 'send')),
      ...stepEntries(movement, 'finish', costs.feeMinor),
      ...chargeEntries(movement, costs.chargeMinor),
      ...costEntries(movement, costs.network ?? null),
    ],
  };
}

function finishedTransaction(
  alive: UnderWay,
  transaction: Transaction,
  reference: string,
  atMs: number,
): { readonly transactions: readonly TransactionMove[] } {
  const { movement } = alive;
  switch (movement.kind) {
    case 'send':
      return buyMove(transaction, 'completed', 'tokens_arrived', alive, atMs, { txHash: reference });
    case 'payout': {
      const evidence = { movement: movement.id, reference };
      const facts = { actor: 'bank', atMs, reason: 'payout_made' as const, dueAtMs: null, evidence };
      return { transactions: [moveTo(transaction, 'completed', facts)] };
    }
    case 'refund':
      return { transactions: [refundedMove(transaction, movement, reference, atMs)] };
    case 'sweep':
    case 'withdrawal':
      return { transactions: [] };
  }
}

/** States that end as refunded once everything that came in went back. */
const RETURNING = new Set<State>(['payout_failed', 'expired', 'cancelled', 'rejected']);

/** Whether the whole transaction is being returned. On hold, an excess may go back alone: only people return all of it. */
function isGoingBack(transaction: Transaction): boolean {
  const { state } = transaction;
  return state === 'on_hold' ? isReturning(transaction) : RETURNING.has(state);
}

/** A refund by bank, or of tokens, was made: what went back counts, and the transaction ends when all of it did. */
export function refundedMove(
  transaction: Transaction,
  movement: Movement,
  reference: string,
  atMs: number,
): TransactionMove {
  const refundedMinor = transaction.refundedMinor + movement.nairaMinor;
  const all = refundedMinor >= transaction.receivedMinor && isGoingBack(transaction);
  return moveTo(transaction, all ? 'refunded' : transaction.state, {
    actor: movement.network === null ? 'bank' : 'network',
    atMs,
    reason: 'refund_made',
    dueAtMs: all ? null : transaction.dueAtMs,
    updates: { refundedMinor },
    evidence: { movement: movement.id, reference },
  });
}

/** No more attempts: what was set aside is free again, and a person decides. */
export function givenUp(
  alive: UnderWay,
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
    movements: [moved(alive, { state: 'failed', reason }, { atMs, dueAtMs: null })],
    attempts: [last],
    ...(movement.kind === 'send' &&
      transaction !== null &&
      buyMove(transaction, 'on_hold', 'send_failed', alive, atMs, { exception: 'send_failed' })),
    entries,
  };
}

/** It must not go where it was to go, and no attempt at it is alive: people say where it goes instead. */
export function heldBack(
  movement: Movement,
  last: Attempt | undefined,
  transaction: Transaction | null,
  atMs: number,
  reason: string,
): Change {
  if (last !== undefined)
    return givenUp({ movement, attempt: last, transaction }, atMs, transaction?.feeMinor ?? 0n, reason, last);
  return {
    atMs,
    movements: [moveOf(movement, { state: 'failed', reason, dueAtMs: null, updatedAtMs: atMs })],
    // For anything else nothing was set aside before its first attempt.
    ...(movement.kind === 'withdrawal' && { entries: releaseEntries(movement, 0n) }),
  };
}

function moved({ movement }: UnderWay, updates: Partial<Movement>, { atMs, dueAtMs }: When): Move<Movement> {
  const tries = updates.state === movement.state ? movement.tries : 0;
  return moveOf(movement, { ...updates, dueAtMs, tries, updatedAtMs: atMs });
}

export function updatedAttempt(
  attempt: Attempt,
  state: Attempt['state'],
  atMs: number,
  evidence: Evidence | null,
): Attempt {
  return { ...attempt, state, evidence, updatedAtMs: atMs };
}

function buyMove(
  transaction: Transaction,
  to: State,
  reason: MoveReason,
  { movement, attempt }: UnderWay,
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
  return { transactions: [moveTo(transaction, to, facts)] };
}
