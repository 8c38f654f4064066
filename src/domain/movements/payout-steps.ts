// What the answers of a bank do to a payout that is not over, as changes: it is taken up, asked about again, ordered once more, made
// sure of after a refusal, given to another rail, or held for people; and what the business reads of it.
import type { Memory, Verdict } from '../rails/payout-outcome.ts';
import { type Change, moveOf, type TransactionMove } from '../records/change.ts';
import type { Exception } from '../records/exceptions.ts';
import { type Attempt, bankReference, type Movement, repeatedReference } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTo } from '../records/transaction-moves.ts';
import { evidenceWith, memoryOf, needsPeople } from './outcome-memory.ts';
import { type UnderWay, updatedAttempt, type When } from './steps.ts';

/** The bank has it, and has not paid it yet. */
export function takenUp({ movement, attempt }: UnderWay, memory: Memory, { atMs, dueAtMs }: When): Change {
  const isKnown = attempt.state === 'accepted' && memoryOf(attempt).refusal === null;
  if (isKnown) return { atMs, movements: [moveOf(movement, { dueAtMs })] };
  return {
    atMs,
    movements: [moveOf(movement, { state: 'sending', reason: null, dueAtMs, updatedAtMs: atMs })],
    attempts: [updatedAttempt(attempt, 'accepted', atMs, evidenceWith(attempt, memory))],
  };
}

/** Asks again later, because nothing is known. An order that the rail accepted stays accepted, whatever one answer omits. */
export function askedLater(
  { movement, attempt }: UnderWay,
  { memory, reason }: { readonly memory: Memory; readonly reason: string },
  { atMs, dueAtMs }: When,
  more: { readonly needs_people?: true } = {},
): Change {
  const isAccepted = attempt.state === 'accepted';
  const state = isAccepted ? movement.state : 'unknown';
  const tries = state === movement.state ? movement.tries : 0;
  // Only an answer that tells something takes it off the list of people.
  const still = needsPeople(attempt) ? { needs_people: true } : {};
  const evidence = evidenceWith(attempt, memory, { reason, ...still, ...more });
  return {
    atMs,
    movements: [moveOf(movement, { state, reason, dueAtMs, tries, updatedAtMs: atMs })],
    attempts: [updatedAttempt(attempt, isAccepted ? 'accepted' : 'unknown', atMs, evidence)],
  };
}

/** Written down before it is done: whoever finds it later knows that an order may be on its way, and since when. */
export function orderedAgain(
  { movement, attempt, transaction }: UnderWay,
  memory: Memory,
  { atMs, dueAtMs }: When,
): { readonly change: Change; readonly order: UnderWay } {
  const move = moveOf(movement, {
    ...{ state: 'unknown', reason: 'ordered again', dueAtMs, updatedAtMs: atMs },
  });
  const evidence = evidenceWith(attempt, { ...memory, notFound: 0 }, { ordered_ms: atMs });
  const next = updatedAttempt(attempt, 'unknown', atMs, evidence);
  return {
    change: { atMs, movements: [move], attempts: [next] },
    order: { movement: move.after, attempt: next, transaction },
  };
}

/**
 * The bank refused it. Until it is sure that the bank does not pay it after all, nothing else is done. `sureMs`: when that is
 * about.
 */
export function makingSure(
  { movement, attempt, transaction }: UnderWay,
  atMs: number,
  memory: Memory,
  askAtMs: number,
  sureMs: number,
): Change {
  const { reason: said } = memory.refusal!;
  const isNew = memoryOf(attempt).refusal === null;
  const reason = `refused: ${said}. We make sure before anything else is done`;
  const evidence = evidenceWith(attempt, memory, { reason: said, sure_ms: sureMs });
  return {
    atMs,
    movements: [moveOf(movement, { state: 'unknown', reason, dueAtMs: askAtMs, updatedAtMs: atMs })],
    attempts: [updatedAttempt(attempt, 'unknown', atMs, evidence)],
    ...(isNew &&
      movement.kind === 'payout' &&
      transaction !== null && {
        transactions: [tellPayout(transaction, 'payout_refused', movement, atMs)],
      }),
  };
}

/** Another rail gets a payout that the business reads as refused. */
export function rerouted(
  movement: Movement,
  transaction: Transaction | null,
  atMs: number,
): Pick<Change, 'transactions'> {
  if (movement.kind !== 'payout' || transaction?.stateReason !== 'payout_refused') return {};
  return { transactions: [tellPayout(transaction, 'payout_rerouted', movement, atMs)] };
}

function tellPayout(
  transaction: Transaction,
  reason: 'payout_refused' | 'payout_rerouted',
  { id }: Movement,
  atMs: number,
): TransactionMove {
  const { state, dueAtMs } = transaction;
  const move = moveTo(transaction, state, {
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
export function heldAgain(
  movement: Movement,
  transaction: Transaction,
  exception: Exception,
  evidence: Readonly<Record<string, unknown>>,
  atMs: number,
): Change {
  const failed = { state: 'failed', reason: exception, dueAtMs: null, updatedAtMs: atMs } as const;
  return {
    atMs,
    movements: [moveOf(movement, failed)],
    transactions: [
      moveTo(transaction, 'on_hold', {
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
export type Unpaid = Extract<Verdict, { readonly kind: 'unpaid' }>;

export type PayoutDecision =
  | Exclude<Verdict, Unpaid>
  /** Another rail gets the payout, or it waits for one, because its rail is at fault. */
  | { readonly kind: 'elsewhere'; readonly proof: Unpaid['proof']; readonly reason: string }
  /** A payout that every rail would refuse: the tokens go back. */
  | { readonly kind: 'undo'; readonly reason: string }
  /** A refund that every rail would refuse. */
  | { readonly kind: 'give_up'; readonly reason: string };

/** `isDoubted`: the rail broke its word before, so that its refusals prove nothing. People decide. */
export function decideUnpaid(
  { movement, attempt }: UnderWay,
  { proof, fault, reason }: Unpaid,
  isDoubted: boolean,
): PayoutDecision {
  if (proof === 'refused' && isDoubted) {
    const why = `${reason}; and this rail has paid what it had refused before`;
    return { kind: 'people', memory: memoryOf(attempt), reason: why };
  }
  if (fault === 'rail') return { kind: 'elsewhere', proof, reason };
  return { kind: movement.kind === 'payout' ? 'undo' : 'give_up', reason };
}
