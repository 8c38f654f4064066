// How the answers of a bank change a payout in progress. The payout is accepted, queried again, ordered again, confirmed as
// refused, given to another rail, or held for people. This file also decides what the business reads about the payout.
import type { OutcomeMemory, PayoutVerdict } from '../rails/payout-outcome.ts';
import { type Change, makeMove, type TransactionMove } from '../records/change.ts';
import type { TransactionException } from '../records/exceptions.ts';
import { type Attempt, bankReference, type Movement, repeatedReference } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { mergeMemory, needsPeople, readMemory } from './outcome-memory.ts';
import { type LiveAttempt, type Timing, updateAttempt } from './steps.ts';

export function recordPayoutPending(
  { movement, attempt }: LiveAttempt,
  memory: OutcomeMemory,
  { atMs, dueAtMs }: Timing,
): Change {
  const isKnown = attempt.state === 'accepted' && readMemory(attempt).refusal === null;
  if (isKnown) return { atMs, movements: [makeMove(movement, { dueAtMs })] };
  return {
    atMs,
    movements: [makeMove(movement, { state: 'sending', reason: null, dueAtMs, updatedAtMs: atMs })],
    attempts: [updateAttempt(attempt, 'accepted', atMs, mergeMemory(attempt, memory))],
  };
}

/**
 * The outcome is unknown, so the rail is queried again later. An order that the rail accepted stays accepted, even if a later
 * answer does not confirm it.
 */
export function recordPayoutUnknown(
  { movement, attempt }: LiveAttempt,
  { memory, reason }: { readonly memory: OutcomeMemory; readonly reason: string },
  { atMs, dueAtMs }: Timing,
  more: { readonly needs_people?: true } = {},
): Change {
  const isAccepted = attempt.state === 'accepted';
  const state = isAccepted ? movement.state : 'unknown';
  const tries = state === movement.state ? movement.tries : 0;
  // A payout that needs people leaves their list only after an answer with new information.
  const still = needsPeople(attempt) ? { needs_people: true } : {};
  const evidence = mergeMemory(attempt, memory, { reason, ...still, ...more });
  return {
    atMs,
    movements: [makeMove(movement, { state, reason, dueAtMs, tries, updatedAtMs: atMs })],
    attempts: [updateAttempt(attempt, isAccepted ? 'accepted' : 'unknown', atMs, evidence)],
  };
}

/**
 * This change is stored before the order is sent again. After a crash, another process then knows that an order may be in
 * transit, and since when.
 */
export function orderPayoutAgain(
  { movement, attempt, transaction }: LiveAttempt,
  memory: OutcomeMemory,
  { atMs, dueAtMs }: Timing,
): { readonly change: Change; readonly order: LiveAttempt } {
  const move = makeMove(movement, {
    ...{ state: 'unknown', reason: 'ordered again', dueAtMs, updatedAtMs: atMs },
  });
  const evidence = mergeMemory(attempt, { ...memory, notFound: 0 }, { ordered_ms: atMs });
  const next = updateAttempt(attempt, 'unknown', atMs, evidence);
  return {
    change: { atMs, movements: [move], attempts: [next] },
    order: { movement: move.after, attempt: next, transaction },
  };
}

/**
 * The bank refused the payout. The next step waits until it is certain that the bank will not pay the payout. `sureMs`: the
 * time at which this is expected to be certain.
 */
export function recordPayoutRefused(
  { movement, attempt, transaction }: LiveAttempt,
  atMs: number,
  memory: OutcomeMemory,
  askAtMs: number,
  sureMs: number,
): Change {
  const { reason: said } = memory.refusal!;
  const isNew = readMemory(attempt).refusal === null;
  const reason = `refused: ${said}. We confirm the refusal before anything else is done`;
  const evidence = mergeMemory(attempt, memory, { reason: said, sure_ms: sureMs });
  return {
    atMs,
    movements: [makeMove(movement, { state: 'unknown', reason, dueAtMs: askAtMs, updatedAtMs: atMs })],
    attempts: [updateAttempt(attempt, 'unknown', atMs, evidence)],
    ...(isNew &&
      movement.kind === 'payout' &&
      transaction !== null && {
        transactions: [makePayoutMove(transaction, 'payout_refused', movement, atMs)],
      }),
  };
}

/** Gives the payout to another rail. Until then, the business sees the payout as refused. */
export function recordPayoutReroute(
  movement: Movement,
  transaction: Transaction | null,
  atMs: number,
): Pick<Change, 'transactions'> {
  if (movement.kind !== 'payout' || transaction?.stateReason !== 'payout_refused') return {};
  return { transactions: [makePayoutMove(transaction, 'payout_rerouted', movement, atMs)] };
}

function makePayoutMove(
  transaction: Transaction,
  reason: 'payout_refused' | 'payout_rerouted',
  { id }: Movement,
  atMs: number,
): TransactionMove {
  const { state, dueAtMs } = transaction;
  const move = moveTransaction(transaction, state, {
    actor: 'bank',
    atMs,
    reason,
    dueAtMs,
    evidence: { movement: id },
  });
  return { ...move, after: { ...move.after, stateReason: reason } };
}

/**
 * The account of a waiting payout cannot be paid. The sell is on hold again, and its naira are still owed. Nothing was reserved
 * or sent, so people name another account or refund the sell.
 */
export function holdSellAgain(
  movement: Movement,
  transaction: Transaction,
  exception: TransactionException,
  evidence: Readonly<Record<string, unknown>>,
  atMs: number,
): Change {
  const failed = { state: 'failed', reason: exception, dueAtMs: null, updatedAtMs: atMs } as const;
  return {
    atMs,
    movements: [makeMove(movement, failed)],
    transactions: [
      moveTransaction(transaction, 'on_hold', {
        ...{ actor: 'settlement', atMs, reason: exception, dueAtMs: null, updates: { exception } },
        evidence: { movement: movement.id, ...evidence },
      }),
    ],
  };
}

// One attempt at a payout or a bank refund, as stored before the rail is called: its rail, its reference, and the rails that were
// tried before.

/**
 * `tried`: the rails that were tried before. A rail never pays a reference that it refused, so a second attempt on that rail
 * gets another reference.
 */
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

/** The rails that refused the movement or did not take it, in the order of the attempts. The rail of this attempt is included. */
export function triedRails({ rail, evidence }: Attempt): readonly string[] {
  const before = (evidence?.tried ?? []) as readonly string[];
  return [...before.filter((each) => each !== rail), rail!];
}

// Decides the next step of a payout or a bank refund after the rail has answered. rails/payout-outcome.ts decides what the
// answer proves. This part decides what follows if nothing was paid.

export type UnpaidVerdict = Extract<PayoutVerdict, { readonly kind: 'unpaid' }>;

export type PayoutDecision =
  | Exclude<PayoutVerdict, UnpaidVerdict>
  /** The rail is at fault. Another rail gets the payout, or the payout waits for another rail. */
  | { readonly kind: 'elsewhere'; readonly proof: UnpaidVerdict['proof']; readonly reason: string }
  /** Every rail would refuse the payout, so the tokens are returned. */
  | { readonly kind: 'undo'; readonly reason: string }
  /** Every rail would refuse the refund. */
  | { readonly kind: 'give_up'; readonly reason: string };

/** `isDoubted`: the rail has paid a payout that it had refused. Its refusals therefore prove nothing, and people decide. */
export function decideUnpaid(
  { movement, attempt }: LiveAttempt,
  { proof, fault, reason }: UnpaidVerdict,
  isDoubted: boolean,
): PayoutDecision {
  if (proof === 'refused' && isDoubted) {
    const why = `${reason}; but this rail has already paid a payout that it had refused`;
    return { kind: 'people', memory: readMemory(attempt), reason: why };
  }
  if (fault === 'rail') return { kind: 'elsewhere', proof, reason };
  return { kind: movement.kind === 'payout' ? 'undo' : 'give_up', reason };
}
