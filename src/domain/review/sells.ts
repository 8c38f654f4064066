// What people can do with a sell on hold: release it, or return its tokens. The return is marked on the deposits and on the
// sell, so that tokens that arrive later are returned as well.
import type { Entry } from '../ledger/ledger.ts';
import { type Change, makeMove } from '../records/change.ts';
import type { Deposit } from '../records/deposit.ts';
import { isRefundDecided, REFUND_DECIDED } from '../records/exceptions.ts';
import type { Movement } from '../records/movement.ts';
import type { TransactionState } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { makeDepositRefund } from '../settlement/refund.ts';
import { makeRefundDueEntry } from '../settlement/sell.ts';
import { formatNaira, koboToToken, tokenToKobo } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import {
  holdForRefund,
  isMoneyOnItsWay,
  listPayoutsRefusedByRails,
  type RefundReason,
  releaseTransaction,
  returnedPayouts,
} from './holds.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

const REFUNDABLE_STATES = new Set<TransactionState>(['on_hold', 'deposited']);

export interface SellFacts {
  readonly transaction: Transaction;
  readonly deposits: readonly { readonly deposit: Deposit; readonly decimals: number }[];
  readonly movements: readonly Movement[];
}

/**
 * Returns the tokens of a sell. Tokens in suspense are returned as they arrived. `promised`: tokens for which a payout was
 * promised. This promise is already reversed.
 */
export function refundSell(
  { transaction, deposits, movements }: SellFacts,
  promised: { readonly movements: readonly Movement[]; readonly entries: readonly Entry[] },
  by: Decider & { readonly newRefundIds: readonly string[]; readonly publicReason: RefundReason },
): Result<Plan, ReviewRefusal> {
  const { id, mode, state } = transaction;
  const { atMs } = by;
  // Every rail refused the payout. Nothing is reserved and no attempt is alive, but settlement would try again.
  const refused = state === 'paying_out' ? listPayoutsRefusedByRails(movements) : [];
  if (!REFUNDABLE_STATES.has(state) && refused.length === 0) {
    return refuse('not_possible', `${id} is ${state}: only a sell that was not paid out can be refunded.`);
  }
  if (isMoneyOnItsWay(movements.filter((each) => !refused.includes(each))))
    return refuse('not_possible', `The payout of ${id} is on its way.`);
  const waiting = deposits
    .filter(({ deposit }) => deposit.state === 'suspense' && deposit.exception !== 'wrong_token')
    .map(({ deposit, decimals }, index) => {
      const { kobo: nairaMinor } = tokenToKobo(deposit.amountMinor, decimals);
      const tokens = koboToToken(nairaMinor, decimals)!;
      return { deposit, id: by.newRefundIds[index]!, nairaMinor, tokens, reason: REFUND_DECIDED, atMs };
    })
    .filter(({ nairaMinor }) => nairaMinor > 0n);
  const refunds = [
    ...promised.movements,
    ...waiting.map(({ deposit, ...facts }) => makeDepositRefund(deposit, transaction, facts)),
  ];
  if (refunds.length === 0) return refuse('not_possible', `No tokens are held for ${id}.`);
  const going = new Set(refunds.map(({ depositId }) => depositId));
  const change: Change = {
    atMs,
    transactions: [holdForRefund(transaction, by)],
    deposits: deposits
      .filter(({ deposit }) => going.has(deposit.id))
      .map(({ deposit }) => makeMove(deposit, { state: 'refunded', exception: REFUND_DECIDED })),
    // The change contains the version that was read. If settlement has continued the payout since then, the change is refused.
    movements: refused.map((each) =>
      makeMove(each, { state: 'failed', reason: REFUND_DECIDED, dueAtMs: null, updatedAtMs: atMs }),
    ),
    newMovements: refunds,
    entries: [
      ...promised.entries,
      ...waiting.map(({ deposit, tokens }) => makeRefundDueEntry(transaction, deposit, tokens)),
    ],
  };
  return ok({ mode, amountMinor: refunds.reduce((sum, each) => sum + each.nairaMinor, 0n), change });
}

export function releaseSell(
  { transaction, deposits, movements }: SellFacts,
  by: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, amountMinor, receivedMinor, state } = transaction;
  if (state !== 'on_hold') return refuse('not_possible', `${id} is ${state}, not on hold.`);
  if (isMoneyOnItsWay(movements)) return refuse('not_possible', `The payout of ${id} is on its way.`);
  if (isRefundDecided(transaction)) return refuse('not_possible', `The tokens of ${id} are being sent back.`);
  // A released sell would be paid to the same account again, although the bank returned the payout to this account.
  if (returnedPayouts(movements).length > 0) {
    return refuse(
      'not_possible',
      `The bank returned the payout of ${id}: pay it again to an account that you name, or refund it.`,
    );
  }
  // Either all deposits are applied, or none is. Fractions of a kobo in several deposits add up for the sell.
  const applied = deposits.some(({ deposit }) => deposit.state === 'applied');
  const appliedMinor = applied ? receivedMinor : 0n;
  if (appliedMinor < amountMinor) {
    const message = `${id} has tokens for only ${formatNaira(appliedMinor)} of the ${formatNaira(amountMinor)} to pay out. Refund it, or wait for the rest.`;
    return refuse('not_possible', message);
  }
  return releaseTransaction(transaction, 'deposited', by);
}
