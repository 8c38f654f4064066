// How a bank credit changes a buy. Only a credit moves a buy to `paid`. A payment that is short, over, late or in another name
// is held or refunded according to the policy. Until then, the payment stays in the ledger.
import { entryOf } from '../ledger/ledger.ts';
import { type Change, type MatchRecord, makeMove, type TransactionMove } from '../records/change.ts';
import type { BankCredit } from '../records/credit.ts';
import type { CreditException, TransactionException } from '../records/exceptions.ts';
import { canMove } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { makeCreditRefund } from './refund.ts';

export interface MatchedCreditFacts {
  readonly credit: BankCredit;
  readonly match: MatchRecord;
  readonly actor: string;
  readonly atMs: number;
  /** The due time of the next step. It is later than now if the caller itself performs that step. */
  readonly nextDueMs: number;
}

interface PaidPart {
  readonly credit: BankCredit;
  readonly match: MatchRecord;
}

export function payBuy(
  transaction: Transaction,
  facts: MatchedCreditFacts & {
    readonly exception: TransactionException | null;
    readonly newRefundId: string;
    readonly parts?: readonly PaidPart[];
  },
): Change {
  const { credit, atMs, parts = [] } = facts;
  const partsMinor = parts.reduce((sum, part) => sum + part.credit.amountMinor, 0n);
  const neededMinor = transaction.amountMinor - transaction.receivedMinor - partsMinor;
  const usedMinor = credit.amountMinor < neededMinor ? credit.amountMinor : neededMinor;
  const excessMinor = credit.amountMinor - usedMinor;
  const receivedMinor = transaction.receivedMinor + partsMinor + usedMinor;
  const of = { mode: transaction.mode, subjectId: transaction.id };
  const refunds =
    excessMinor === 0n
      ? []
      : [
          makeCreditRefund(credit, {
            id: facts.newRefundId,
            amountMinor: excessMinor,
            reason: 'paid_over',
            transactionId: transaction.id,
            atMs,
          }),
        ];
  return {
    atMs,
    transactions: [
      makePaidMove(
        transaction,
        receivedMinor,
        facts.exception ?? (excessMinor > 0n ? 'paid_over' : null),
        facts,
      ),
    ],
    credits: [...parts.map((part) => part.credit), credit].map((each) =>
      makeMatchedMove(each, transaction.id),
    ),
    match: { ...facts.match, transactionId: transaction.id },
    ...(parts.length > 0 && {
      partMatches: parts.map(({ match }) => ({ ...match, transactionId: transaction.id })),
    }),
    newMovements: refunds,
    entries: [
      ...parts.map((part) =>
        entryOf('credit_matched', { ...of, amounts: { amount: part.credit.amountMinor } }),
      ),
      entryOf('credit_matched', { ...of, amounts: { amount: usedMinor } }),
      entryOf('excess_set_aside', { ...of, amounts: { amount: excessMinor } }),
    ],
  };
}

/**
 * Makes the move of a buy after a credit. The buy moves to `paid` if the full amount and a wallet are present. Otherwise it
 * keeps waiting.
 */
function makePaidMove(
  transaction: Transaction,
  receivedMinor: bigint,
  exception: TransactionException | null,
  { credit, actor, atMs, nextDueMs }: MatchedCreditFacts,
): TransactionMove {
  const paid = receivedMinor >= transaction.amountMinor;
  const updates = { receivedMinor, exception: exception ?? clearSettledException(transaction.exception) };
  const evidence = makeCreditEvidence(credit);
  if (paid && transaction.wallet !== null) {
    return moveTransaction(transaction, 'paid', {
      actor,
      atMs,
      reason: 'payment_found',
      dueAtMs: nextDueMs,
      updates,
      evidence,
    });
  }
  const { state } = transaction;
  if (paid && state === 'awaiting_wallet') {
    const reason = 'payment_found_before_wallet';
    // If the business never gives a wallet, the payment goes to review when the buy expires.
    const dueAtMs = Math.max(transaction.expiresAtMs, atMs);
    return moveTransaction(transaction, state, { actor, atMs, reason, dueAtMs, updates, evidence });
  }
  const to = canMove('buy', state, 'on_hold') ? 'on_hold' : state;
  if (!paid)
    return moveTransaction(transaction, to, {
      actor,
      atMs,
      reason: 'paid_in_part',
      dueAtMs: null,
      updates,
      evidence,
    });
  const missing = { ...updates, exception: 'wallet_missing' as const };
  const reason = 'paid_without_wallet';
  return moveTransaction(transaction, to, { actor, atMs, reason, dueAtMs: null, updates: missing, evidence });
}

/** Exceptions that end with a payment, because they are about a missing or a reversed payment. */
const EXCEPTIONS_UNTIL_PAID: ReadonlySet<TransactionException | null> = new Set<TransactionException>([
  'paid_partial',
  'duplicate_claim',
  'credit_reversed',
]);

function clearSettledException(exception: TransactionException | null): TransactionException | null {
  return EXCEPTIONS_UNTIL_PAID.has(exception) ? null : exception;
}

/** One claim fits the credit, but a person must check it first. The money waits in suspense. */
export function holdForReview(
  transactions: readonly Transaction[],
  facts: MatchedCreditFacts & {
    readonly exception: CreditException;
    /** The exception that the claims get. Null: they get none. */
    readonly claimException: TransactionException | null;
    readonly lookAgainMs: number | null;
  },
): Change {
  const { credit, actor, atMs, claimException } = facts;
  const [only] = transactions;
  return {
    atMs,
    transactions:
      claimException === null
        ? []
        : transactions
            .filter((each) => each.state !== 'on_hold' && canMove('buy', each.state, 'on_hold'))
            .map((each) =>
              moveTransaction(each, 'on_hold', {
                actor,
                atMs,
                reason: claimException,
                dueAtMs: null,
                updates: { exception: claimException },
                evidence: makeCreditEvidence(credit),
              }),
            ),
    credits: [
      makeMove(credit, {
        state: 'review',
        exception: facts.exception,
        transactionId: transactions.length === 1 ? only!.id : null,
        dueAtMs: facts.lookAgainMs,
      }),
    ],
    match: facts.match,
  };
}

/** Refunds the whole credit. If there is a claim, the claim shows the reason. */
export function refundCredit(
  transaction: Transaction | null,
  facts: MatchedCreditFacts & { readonly reason: TransactionException; readonly newRefundId: string },
): Change {
  const { credit, actor, atMs, reason } = facts;
  const transactionId = transaction?.id ?? null;
  return {
    atMs,
    ...(transaction !== null && {
      transactions: [
        moveTransaction(transaction, transaction.state, {
          actor,
          atMs,
          reason: 'payment_returning',
          dueAtMs: transaction.dueAtMs,
          updates: { exception: reason },
          evidence: makeCreditEvidence(credit),
        }),
      ],
    }),
    credits: [makeMove(credit, { state: 'refunded', exception: reason, transactionId, dueAtMs: null })],
    match: facts.match,
    newMovements: [
      makeCreditRefund(credit, {
        id: facts.newRefundId,
        amountMinor: credit.amountMinor,
        reason,
        transactionId,
        atMs,
      }),
    ],
    entries: [
      entryOf('credit_refund_due', {
        mode: credit.mode,
        subjectId: transactionId ?? credit.id,
        amounts: { amount: credit.amountMinor },
      }),
    ],
  };
}

function makeMatchedMove(credit: BankCredit, transactionId: string) {
  return makeMove(credit, { state: 'matched', exception: null, transactionId, dueAtMs: null });
}

function makeCreditEvidence(credit: BankCredit): Readonly<Record<string, unknown>> {
  return { bank_credit: credit.id, source: credit.source, source_id: credit.sourceId };
}
