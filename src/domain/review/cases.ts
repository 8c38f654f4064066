// How a case is closed, together with its posting, in one change that two people approve. Money that the bank took back or paid
// twice is recovered, or accepted as lost. A late payout counts as the payout of a sell or refund that still waits for one.
import { entryOf } from '../ledger/ledger.ts';
import { makeRefundMove } from '../movements/steps.ts';
import {
  type Case,
  type Change,
  type ClosedCase,
  makeMove,
  type TransactionMove,
} from '../records/change.ts';
import { isRefundDecided } from '../records/exceptions.ts';
import { bankReference, type Movement } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { ok, type Result } from '../values/result.ts';
import { isMoneyOnItsWay } from './holds.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

export interface CaseFacts {
  readonly found: Case;
  /** The payout or refund that the case is about. Null: the case is about a reversed credit. */
  readonly movement: Movement | null;
  readonly transaction: Transaction | null;
  readonly movements: readonly Movement[];
  readonly others: readonly Case[];
}

/** `payoutAccount`: the ledger name of our bank account that received the money. */
export function recoverCase(
  { found }: CaseFacts,
  payoutAccount: string | null,
  by: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, kind } = found;
  if (kind === 'payout_returned')
    return refuse('not_possible', `The naira of ${id} came back already: pay them again, or send them back.`);
  const event = kind === 'credit_reversed' ? 'loss_recovered' : 'overpayment_recovered';
  return endCase(found, 'recovered', by, [entryOf(event, { ...makeCaseEntryFacts(found), payoutAccount })]);
}

export function acceptCaseLoss({ found }: CaseFacts, by: Decider): Result<Plan, ReviewRefusal> {
  const { id, kind } = found;
  if (kind === 'payout_returned')
    return refuse('not_possible', `The naira of ${id} came back and are still owed, so they are not a loss.`);
  const event = kind === 'credit_reversed' ? 'loss_accepted' : 'overpayment_accepted';
  return endCase(found, 'accepted', by, [entryOf(event, makeCaseEntryFacts(found))]);
}

/**
 * Keeps returned naira whose owner cannot be found. If a sell waits for these naira, the sell is paid again or refunded
 * instead.
 */
export function writeOffCase(
  { found, movement, transaction, others }: CaseFacts,
  by: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, kind } = found;
  if (kind !== 'payout_returned')
    return refuse(
      'not_possible',
      `${id} is about money that is gone: book it as recovered, or accept the loss.`,
    );
  if (movement?.kind === 'payout' && transaction?.state === 'on_hold')
    return refuse(
      'not_possible',
      `${transaction.id} waits for its naira: pay them again, or send the tokens back.`,
    );
  const late = findLatePayoutCase(others);
  if (late !== undefined) return refusePaidAfterAll(late);
  return endCase(found, 'written_off', by, [entryOf('recovery_written_off', makeCaseEntryFacts(found))]);
}

/** The bank returned the payout and paid it later. The late payment counts as the payout, and nothing more is owed. */
export function countLatePayout(facts: CaseFacts, by: Decider): Result<Plan, ReviewRefusal> {
  const { found, movement, transaction, movements, others } = facts;
  const { id, kind, amountMinor } = found;
  if (kind !== 'payout_paid_late' || movement === null)
    return refuse('not_possible', `${id} is not about a payout that was paid after all.`);
  const returned = others.find((each) => each.kind === 'payout_returned');
  const waits = movement.state === 'returned' && returned?.amountMinor === amountMinor;
  const ofSell = movement.kind === 'payout';
  const free =
    !ofSell ||
    (transaction?.state === 'on_hold' && !isRefundDecided(transaction) && !isMoneyOnItsWay(movements));
  if (!waits || !free)
    return refuse(
      'not_possible',
      `The payout of ${id} was already paid again or returned in another way: book it as recovered, or accept the loss.`,
    );
  const { atMs, actor: closedBy } = by;
  const change: Change = {
    atMs,
    movements: [makeMove(movement, { state: 'done', reason: null, dueAtMs: null, updatedAtMs: atMs })],
    ...(transaction !== null && { transactions: [makeCountedMove(transaction, movement, by)] }),
    entries: [entryOf('late_payout_counted', makeCaseEntryFacts(found))],
    closeCases: [found.id, returned!.id].map((each) => ({ id: each, outcome: 'counted', closedBy })),
  };
  return ok({ mode: found.mode, amountMinor, change });
}

function makeCountedMove(
  transaction: Transaction,
  movement: Movement,
  { actor, atMs }: Decider,
): TransactionMove {
  const reference = bankReference(movement.id);
  const marked = transaction.exception === 'payout_returned' ? { exception: null } : {};
  if (movement.kind === 'refund') {
    const move = makeRefundMove(transaction, movement, reference, atMs);
    return { ...move, after: { ...move.after, ...marked } };
  }
  return moveTransaction(transaction, 'completed', {
    ...{ actor, atMs, reason: 'payout_made', dueAtMs: null, updates: marked },
    evidence: { movement: movement.id, reference },
  });
}

export function findLatePayoutCase(cases: readonly Case[]): Case | undefined {
  return cases.find(({ kind }) => kind === 'payout_paid_late');
}

export function refusePaidAfterAll({ id }: Case) {
  return refuse(
    'not_possible',
    `The bank has paid it after all (case ${id}). Count that payout, or close that case first: otherwise it would be paid twice.`,
  );
}

function endCase(
  { id, mode, amountMinor }: Case,
  outcome: ClosedCase['outcome'],
  { atMs, actor: closedBy }: Decider,
  entries: NonNullable<Change['entries']>,
): Result<Plan, never> {
  return ok({ mode, amountMinor, change: { atMs, entries, closeCases: [{ id, outcome, closedBy }] } });
}

function makeCaseEntryFacts({ mode, transactionId, movementId, creditId, id, amountMinor }: Case) {
  const subjectId = transactionId ?? movementId ?? creditId ?? id;
  return { mode, subjectId, amounts: { amount: amountMinor } };
}
