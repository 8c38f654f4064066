// Reports of a rail about a payout or a refund that had ended: the naira were returned, or were paid late. Both are booked at
// once, and each gets a case for two people. A sell whose payout was returned is on hold until they decide.
import type { TransferCharges } from '../catalogue/bank-charges.ts';
import { type Entry, entryOf } from '../ledger/ledger.ts';
import { chargeEntries } from '../movements/entries.ts';
import { type Case, type Change, makeMove, type TransactionMove } from '../records/change.ts';
import { isRefundDecided } from '../records/exceptions.ts';
import type { Movement } from '../records/movement.ts';
import type { BankNotice } from '../records/notice.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';

export interface EndedPayoutFacts {
  readonly notice: BankNotice;
  readonly movement: Movement;
  /** Null: the refund returns a payment that belongs to no transaction. */
  readonly transaction: Transaction | null;
  readonly caseId: string;
  readonly atMs: number;
}

const ACTOR = 'bank';

/**
 * The payout was made, and the naira were returned. The part that the bank kept is its charge, so the full amount is owed
 * again.
 */
export function bookReturnedPayout(facts: EndedPayoutFacts): Change {
  const { notice, movement, transaction, atMs } = facts;
  const { nairaMinor, bankAccount: payoutAccount } = movement;
  const keptMinor = nairaMinor - notice.amountMinor;
  const of = { mode: movement.mode, subjectId: movement.transactionId ?? movement.id };
  const entries: readonly Entry[] = [
    entryOf('payout_returned', { ...of, payoutAccount, amounts: { amount: notice.amountMinor } }),
    ...(keptMinor === 0n ? [] : [entryOf('return_shortfall', { ...of, amounts: { amount: keptMinor } })]),
  ];
  const returned = {
    state: 'returned',
    reason: 'payout_returned',
    dueAtMs: null,
    updatedAtMs: atMs,
  } as const;
  return {
    atMs,
    notices: [makeMove(notice, { state: 'done', dueAtMs: null })],
    movements: [makeMove(movement, returned)],
    openCase: makePayoutCase(facts, nairaMinor),
    entries,
    ...(transaction !== null && { transactions: [makeReturnedMove(facts, transaction)] }),
  };
}

/** A sell waits for people. Any other transaction keeps its state, and the returned amount no longer counts as refunded. */
function makeReturnedMove(facts: EndedPayoutFacts, transaction: Transaction): TransactionMove {
  const { movement, notice, caseId, atMs } = facts;
  const isPayout = movement.kind === 'payout';
  const { state, dueAtMs, refundedMinor } = transaction;
  const refunded = isPayout ? {} : { refundedMinor: refundedMinor - movement.nairaMinor };
  // Two people have decided to return the money of the transaction. That decision stays, even if the bank returns an earlier
  // refund.
  const marked = isRefundDecided(transaction) ? {} : { exception: 'payout_returned' as const };
  const kept = notice.amountMinor < movement.nairaMinor && { came_back_minor: `${notice.amountMinor}` };
  return moveTransaction(transaction, isPayout ? 'on_hold' : state, {
    ...{ actor: ACTOR, atMs, reason: 'payout_returned', dueAtMs: isPayout ? null : dueAtMs },
    updates: { ...refunded, ...marked },
    evidence: { movement: movement.id, case: caseId, ...kept },
  });
}

export interface LatePayoutFacts extends EndedPayoutFacts {
  readonly payoutAccount: string | null;
  /** The bank's charge, if it was not booked with the first payment. */
  readonly charges: bigint | TransferCharges;
}

/**
 * The rail paid a payout that it had reported as failed or had returned. More money has left than was owed, including the charge
 * of the payout.
 */
export function bookLatePayout(facts: LatePayoutFacts): Change {
  const { notice, movement, transaction, payoutAccount, charges, caseId, atMs } = facts;
  const of = { mode: movement.mode, subjectId: movement.transactionId ?? movement.id };
  return {
    atMs,
    notices: [makeMove(notice, { state: 'done', dueAtMs: null })],
    openCase: makePayoutCase(facts, notice.amountMinor),
    entries: [
      entryOf('payout_paid_late', { ...of, payoutAccount, amounts: { amount: notice.amountMinor } }),
      ...chargeEntries({ ...movement, bankAccount: payoutAccount }, charges),
    ],
    ...(transaction !== null && {
      // The change contains the version of the transaction, so that an earlier approval is checked again.
      transactions: [
        moveTransaction(transaction, transaction.state, {
          ...{ actor: ACTOR, atMs, reason: 'payout_paid_late', dueAtMs: transaction.dueAtMs },
          evidence: { movement: movement.id, case: caseId },
        }),
      ],
    }),
    // The same rule applies to a refund without a transaction.
    ...(transaction === null && { movements: [makeMove(movement, { updatedAtMs: atMs })] }),
  };
}

function makePayoutCase(
  { notice, movement, transaction, caseId }: EndedPayoutFacts,
  amountMinor: bigint,
): Case {
  return {
    id: caseId,
    kind: notice.kind,
    mode: movement.mode,
    businessId: transaction?.businessId ?? null,
    transactionId: movement.transactionId,
    creditId: null,
    movementId: movement.id,
    amountMinor,
  };
}
