// What people can do with naira that a bank returned: pay them to an account that people name, or return the tokens of the
// sell. The first payout keeps its record. The new payout is a separate movement, and it is never made while another payout may
// still happen.
import { type Entry, entryOf } from '../ledger/ledger.ts';
import { type Case, type Change, type ClosedCase, makeMove } from '../records/change.ts';
import { isRefundDecided, REFUND_DECIDED } from '../records/exceptions.ts';
import { type AccountDestination, type Movement, newMovement } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { makeReplacedReason, wasReplaced } from '../settlement/refund.ts';
import { NAIRA } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import { findLatePayoutCase, refusePaidAfterAll } from './cases.ts';
import { isMoneyOnItsWay, returnedPayouts } from './holds.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

export interface ReturnedSell {
  readonly transaction: Transaction;
  readonly movements: readonly Movement[];
  /** The open cases about the returned payouts of the sell. */
  readonly cases: readonly Case[];
}

/**
 * The sell continues with a new payout. If an earlier repeated payout could not start, the naira are still owed, so the ledger
 * does not change.
 */
export function paySellAgain(
  { transaction, movements, cases }: ReturnedSell,
  account: AccountDestination,
  by: Decider & { readonly newPayoutId: string },
): Result<Plan, ReviewRefusal> {
  const { id, mode, state } = transaction;
  const returned = returnedPayouts(movements).at(-1);
  if (state !== 'on_hold' || returned === undefined)
    return refuse(
      'not_possible',
      `${id} is ${state}: only a sell on hold whose payout came back can be paid again.`,
    );
  if (isMoneyOnItsWay(movements)) return refuse('not_possible', `A payout of ${id} is on its way.`);
  if (isRefundDecided(transaction)) return refuse('not_possible', `The tokens of ${id} are being sent back.`);
  const late = findLatePayoutCase(cases);
  if (late !== undefined) return refusePaidAfterAll(late);
  const { atMs, actor } = by;
  const { nairaMinor } = returned;
  const payout = newMovement({
    ...{ kind: 'payout', mode, network: null, asset: NAIRA, nairaMinor, atMs },
    id: by.newPayoutId,
    amountMinor: nairaMinor,
    transactionId: id,
    destination: account,
  });
  const move = moveTransaction(transaction, 'paying_out', {
    ...{ actor, atMs, reason: 'payout_repeated', dueAtMs: null, updates: { exception: null } },
    evidence: { movement: payout.id, returned: returned.id },
  });
  const change: Change = {
    ...{ atMs, transactions: [move], newMovements: [payout] },
    ...makeReturnedPayoutDue(transaction, cases, 'paid_again', by),
  };
  return ok({ mode, amountMinor: nairaMinor, change });
}

/** The returned naira and the earned fee are owed again. The caller decides how to use them. */
export function makeReturnedPayoutDue(
  { id: subjectId, mode, feeMinor }: Transaction,
  cases: readonly Case[],
  outcome: ClosedCase['outcome'],
  { actor: closedBy }: Decider,
): { readonly entries: readonly Entry[]; readonly closeCases: readonly ClosedCase[] } {
  const open = cases.filter(({ kind }) => kind === 'payout_returned');
  return {
    entries: open.map(({ amountMinor: amount }) =>
      entryOf('returned_payout_due', { mode, subjectId, amounts: { amount, fee: feeMinor } }),
    ),
    closeCases: open.map(({ id }) => ({ id, outcome, closedBy })),
  };
}

export function payRefundAgain(
  facts: {
    readonly found: Case;
    readonly refund: Movement;
    readonly transaction: Transaction | null;
    readonly others: readonly Case[];
  },
  account: AccountDestination,
  by: Decider & { readonly newRefundId: string },
): Result<Plan, ReviewRefusal> {
  const { found, refund, transaction, others } = facts;
  const { id, mode, kind, network, asset, amountMinor, nairaMinor, transactionId, creditId, depositId } =
    refund;
  if (kind !== 'refund' || refund.state !== 'returned' || wasReplaced(refund))
    return refuse(
      'not_possible',
      `${id} is ${refund.state}: only a refund that came back can be paid again.`,
    );
  const late = findLatePayoutCase(others);
  if (late !== undefined) return refusePaidAfterAll(late);
  const { atMs, actor } = by;
  const next = newMovement({
    ...{ kind, mode, network, asset, amountMinor, nairaMinor, transactionId, creditId, depositId, atMs },
    ...{ id: by.newRefundId, destination: account, reason: REFUND_DECIDED },
  });
  const change: Change = {
    atMs,
    movements: [makeMove(refund, { reason: makeReplacedReason(next), updatedAtMs: atMs })],
    newMovements: [next],
    entries: [
      entryOf('returned_refund_due', {
        mode,
        subjectId: transactionId ?? id,
        amounts: { amount: nairaMinor },
      }),
    ],
    closeCases: [{ id: found.id, outcome: 'paid_again', closedBy: actor }],
    ...(transaction !== null && {
      transactions: [
        moveTransaction(transaction, transaction.state, {
          ...{ actor, atMs, reason: 'refund_repeated', dueAtMs: transaction.dueAtMs },
          updates: transaction.exception === 'payout_returned' ? { exception: null } : {},
          evidence: { movement: next.id, returned: id },
        }),
      ],
    }),
  };
  return ok({ mode, amountMinor: nairaMinor, change });
}
