// What the answers of a bank do to a payout that is not over, as changes: it is taken up, asked about again, ordered once more, made
// sure of after a refusal, given to another rail, or held for people; and what the business reads of it.
import type { OutcomeMemory, PayoutVerdict } from '../rails/payout-outcome.ts';
import { type Change, makeMove, type TransactionMove } from '../records/change.ts';
import type { TransactionException } from '../records/exceptions.ts';
import { type Attempt, bankReference, type Movement, repeatedReference } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { mergeMemory, needsPeople, readMemory } from './outcome-memory.ts';
import { type LiveAttempt, type Timing, updateAttempt } from './steps.ts';

/** The bank has it, and has not paid it yet. */
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

/** Asks again later, because nothing is known. An order that the rail accepted stays accepted, whatever one answer omits. */
export function recordPayoutUnknown(
  { movement, attempt }: LiveAttempt,
  { memory, reason }: { readonly memory: OutcomeMemory; readonly reason: string },
  { atMs, dueAtMs }: Timing,
  more: { readonly needs_people?: true } = {},
): Change {
  const isAccepted = attempt.state === 'accepted';
  const state = isAccepted ? movement.state : 'unknown';
  const tries = state === movement.state ? movement.tries : 0;
  // Only an answer that tells something takes it off the list of people.
  const still = needsPeople(attempt) ? { needs_people: true } : {};
  const evidence = mergeMemory(attempt, memory, { reason, ...still, ...more });
  return {
    atMs,
    movements: [makeMove(movement, { state, reason, dueAtMs, tries, updatedAtMs: atMs })],
    attempts: [updateAttempt(attempt, isAccepted ? 'accepted' : 'unknown', atMs, evidence)],
  };
}

/** Written down before it is done: whoever finds it later knows that an order may be on its way, and since when. */
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
 * The bank refused it. Until it is sure that the bank does not pay it after all, nothing else is done. `sureMs`: when that is
 * about.
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
  const reason = `refused: ${said}. We make sure before anything else is done`;
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

/** Another rail gets a payout that the business reads as refused. */
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
 * A payout that waits and whose account cannot be paid: the sell is on hold again, with its naira still owed. Nothing was reserved and
 * nothing was sent: people name another account, or refund the sell.
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

// One try at a payout or a refund by bank, as it is stored before its rail hears of it: on which rail, under which reference, and which
// rails were tried before.

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

/** Rails its movement was refused on or not taken by, the last one last. The attempt itself counts. */
export function triedRails({ rail, evidence }: Attempt): readonly string[] {
  const before = (evidence?.tried ?? []) as readonly string[];
  return [...before.filter((each) => each !== rail), rail!];
}

// What is done about a payout or a refund by bank after its rail has answered. What the answer proves is decided in
// rails/payout-outcome.ts; this adds what follows for the movement where nothing is paid.

/** The unpaid verdict of `decideOutcome`. */
export type UnpaidVerdict = Extract<PayoutVerdict, { readonly kind: 'unpaid' }>;

export type PayoutDecision =
  | Exclude<PayoutVerdict, UnpaidVerdict>
  /** Another rail gets the payout, or it waits for one, because its rail is at fault. */
  | { readonly kind: 'elsewhere'; readonly proof: UnpaidVerdict['proof']; readonly reason: string }
  /** A payout that every rail would refuse: the tokens go back. */
  | { readonly kind: 'undo'; readonly reason: string }
  /** A refund that every rail would refuse. */
  | { readonly kind: 'give_up'; readonly reason: string };

/** `isRailDoubted`: the rail broke its word before, so that its refusals prove nothing. People decide. */
export function decideUnpaid(
  { movement, attempt }: LiveAttempt,
  { proof, fault, reason }: UnpaidVerdict,
  isDoubted: boolean,
): PayoutDecision {
  if (proof === 'refused' && isDoubted) {
    const why = `${reason}; and this rail has paid what it had refused before`;
    return { kind: 'people', memory: readMemory(attempt), reason: why };
  }
  if (fault === 'rail') return { kind: 'elsewhere', proof, reason };
  return { kind: movement.kind === 'payout' ? 'undo' : 'give_up', reason };
}
