// Handles a credit that the bank reverses. If the value was not delivered yet, the money only leaves the account again.
// Otherwise the reversal is a loss with a case to recover it, and the business is frozen if the policy requires it.
import { type Entry, entryOf, type LedgerEvent } from '../ledger/ledger.ts';
import { releaseEntries } from '../movements/entries.ts';
import { type Case, type Change, makeMove } from '../records/change.ts';
import { type BankCredit, nameCreditedAccount } from '../records/credit.ts';
import { isRefundDecided } from '../records/exceptions.ts';
import type { Movement } from '../records/movement.ts';
import type { BankNotice } from '../records/notice.ts';
import { canMove } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { wasReplaced } from './refund.ts';

export interface ReversalFacts {
  readonly notice: BankNotice;
  readonly credit: BankCredit;
  readonly transaction: Transaction | null;
  readonly refunds: readonly Movement[];
  /** The send of the transaction. Null: there is no send, or it has ended. */
  readonly send: Movement | null;
  readonly freeze: boolean;
  readonly caseId: string;
  readonly atMs: number;
}

const ACTOR = 'bank';
/** In these states, nothing was sent for the buy yet, so the value can still be kept. */
const UNSENT_STATES = new Set(['awaiting_wallet', 'paid', 'on_hold', 'awaiting_trustline']);

export function reverseCredit(facts: ReversalFacts): Change {
  const { notice, credit, atMs } = facts;
  const done = {
    atMs,
    notices: [makeMove(notice, { state: 'done', dueAtMs: null })],
    credits: [makeMove(credit, { state: 'reversed', exception: 'credit_reversed', dueAtMs: null })],
  } as const;
  switch (credit.state) {
    case 'unmatched':
    case 'review':
      return {
        ...done,
        // In the meantime, another payment may have paid the transaction. The transaction is held only if it still waited for
        // this payment.
        ...(facts.transaction?.receivedMinor === 0n && uncountPayment(facts)),
        entries: [makeReversalEntry('credit_reversed', credit, credit.amountMinor)],
      };
    case 'refunded':
    case 'matched':
      return { ...done, ...undoUsedCredit(facts) };
    default:
      // The credit is already written off, split or reversed. People decide whether to book a loss or dismiss the notice.
      return { atMs, notices: [makeMove(notice, { state: 'review', dueAtMs: null })] };
  }
}

function makeReversalEntry(event: LedgerEvent, credit: BankCredit, amountMinor: bigint): Entry {
  const subjectId = credit.transactionId ?? credit.id;
  return entryOf(event, {
    mode: credit.mode,
    subjectId,
    bankAccount: nameCreditedAccount(credit),
    amounts: { amount: amountMinor },
  });
}

/** Cancels refunds that were not tried yet, and keeps unsent tokens. Everything else that the credit paid for is lost. */
function undoUsedCredit(facts: ReversalFacts): Partial<Change> {
  const { credit, transaction, refunds, send } = facts;
  // The send can still be stopped if every attempt so far is dead and none is in progress. A refunded credit pays for no send.
  const pays = credit.state === 'matched' && transaction?.state === 'sending';
  const stopped = pays && send?.state === 'pending' ? send : null;
  const live = refunds.filter((refund) => !wasReplaced(refund));
  const off = live.filter(
    ({ state, attempts }) => state === 'failed' || (state === 'pending' && attempts === 0),
  );
  const offMinor = sumRefunds(off);
  const goneMinor = sumRefunds(live) - offMinor;
  const paidMinor = credit.amountMinor - offMinor - goneMinor;
  const unsent =
    credit.state === 'refunded' ||
    stopped !== null ||
    (transaction !== null && UNSENT_STATES.has(transaction.state));
  const lostMinor = unsent ? goneMinor : goneMinor + paidMinor;
  const leftMinor = credit.state === 'matched' ? paidMinor : computeCountedMinor(facts);
  return {
    ...(lostMinor > 0n && openLossCase(facts, lostMinor)),
    ...(unsent && (lostMinor === 0n || leftMinor > 0n) && uncountPayment(facts, leftMinor)),
    movements: [...off, ...(stopped === null ? [] : [stopped])].map((movement) =>
      makeMove(movement, { state: 'failed', reason: 'credit_reversed', dueAtMs: null }),
    ),
    entries: [
      ...(stopped === null ? [] : releaseEntries(stopped, transaction!.feeMinor)),
      makeReversalEntry('refund_reversed', credit, offMinor),
      makeReversalEntry('payment_reversed', credit, credit.amountMinor - offMinor - lostMinor),
      makeReversalEntry('loss', credit, lostMinor),
    ],
  };
}

/** The part of a refunded payment that still counts for its buy. This part must be subtracted. */
function computeCountedMinor({ credit, transaction }: ReversalFacts): bigint {
  if (transaction === null || !isRefundDecided(transaction)) return 0n;
  const { receivedMinor } = transaction;
  return receivedMinor < credit.amountMinor ? receivedMinor : credit.amountMinor;
}

function sumRefunds(refunds: readonly Movement[]): bigint {
  return refunds.reduce((sum, { nairaMinor }) => sum + nairaMinor, 0n);
}

/** If there is a transaction, it no longer counts the money and waits for a person. */
function uncountPayment(
  { transaction, credit, atMs }: ReversalFacts,
  unpaidMinor = 0n,
): Pick<Change, 'transactions'> {
  if (transaction === null) return {};
  const { state } = transaction;
  const leftMinor = transaction.receivedMinor - unpaidMinor;
  // A send in progress continues, and a person sees the case.
  const to =
    (UNSENT_STATES.has(state) || unpaidMinor > 0n) && canMove('buy', state, 'on_hold') ? 'on_hold' : state;
  return {
    transactions: [
      moveTransaction(transaction, to, {
        actor: ACTOR,
        atMs,
        reason: 'payment_reversed',
        dueAtMs: to === 'on_hold' ? null : transaction.dueAtMs,
        updates: { ...markReversed(transaction, leftMinor), receivedMinor: leftMinor },
        evidence: { bank_credit: credit.id },
      }),
    ],
  };
}

/** While people return the rest of the money of a transaction, its exception stays. The refund then ends the transaction. */
function markReversed(transaction: Transaction, leftMinor: bigint): Partial<Transaction> {
  const goesBack = transaction.state === 'on_hold' && isRefundDecided(transaction) && leftMinor > 0n;
  return goesBack ? {} : { exception: 'credit_reversed' };
}

function openLossCase(facts: ReversalFacts, lostMinor: bigint): Partial<Change> {
  const { credit, transaction, atMs, caseId } = facts;
  const openCase: Case = {
    id: caseId,
    kind: 'credit_reversed',
    mode: credit.mode,
    businessId: transaction?.businessId ?? null,
    transactionId: transaction?.id ?? null,
    creditId: credit.id,
    amountMinor: lostMinor,
  };
  return {
    openCase,
    ...(transaction !== null && {
      transactions: [
        moveTransaction(transaction, transaction.state, {
          actor: ACTOR,
          atMs,
          reason: 'payment_reversed_after_use',
          dueAtMs: transaction.dueAtMs,
          updates: markReversed(transaction, transaction.receivedMinor),
          evidence: { bank_credit: credit.id, case: caseId },
        }),
      ],
      ...(facts.freeze && {
        freeze: { businessId: transaction.businessId, mode: credit.mode, reason: `case ${caseId}` },
      }),
    }),
  };
}
