// What people can do with a buy on hold: release it, refund its money, or reject it. A refund is marked on the credits
// themselves, so a buy whose money is being returned can never be released.
import { entryOf } from '../ledger/ledger.ts';
import { type Change, makeMove } from '../records/change.ts';
import { type BankCredit, isOpenCredit } from '../records/credit.ts';
import { isRefundDecided, REFUND_DECIDED } from '../records/exceptions.ts';
import type { PublicReason } from '../records/move-reasons.ts';
import type { AccountDestination, Movement } from '../records/movement.ts';
import type { TransactionState } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { makeCreditRefund } from '../settlement/refund.ts';
import { formatNaira } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import { holdForRefund, isMoneyOnItsWay, type RefundReason, releaseTransaction } from './holds.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

const REFUNDABLE_STATES = new Set<TransactionState>([
  'on_hold',
  'paid',
  'awaiting_trustline',
  'awaiting_wallet',
]);

export interface BuyFacts {
  readonly transaction: Transaction;
  readonly credits: readonly BankCredit[];
  readonly movements: readonly Movement[];
}

export function listHeldCredits({
  credits,
  movements,
  transaction,
}: BuyFacts): { credit: BankCredit; heldMinor: bigint }[] {
  return credits
    .filter(({ state, transactionId }) => state === 'matched' && transactionId === transaction.id)
    .map((credit) => {
      // Only the excess of a matched credit is ever returned. A repeated refund returns the same excess.
      const excess = movements.find(({ kind, creditId }) => kind === 'refund' && creditId === credit.id);
      return { credit, heldMinor: credit.amountMinor - (excess?.nairaMinor ?? 0n) };
    })
    .filter(({ heldMinor }) => heldMinor > 0n);
}

/** Refunds everything that was paid for a buy whose tokens were not sent. Each credit is refunded separately. */
export function refundBuy(
  buy: BuyFacts,
  target: AccountDestination | null,
  by: Decider & { readonly newRefundIds: readonly string[]; readonly publicReason: RefundReason },
): Result<Plan, ReviewRefusal> {
  const { transaction } = buy;
  const { id, mode, state } = transaction;
  const { atMs } = by;
  if (!REFUNDABLE_STATES.has(state)) {
    return refuse(
      'not_possible',
      `${id} is ${state}: only a buy whose tokens were not sent can be refunded.`,
    );
  }
  if (isMoneyOnItsWay(buy.movements)) return refuse('not_possible', `The tokens of ${id} are on their way.`);
  const held = listHeldCredits(buy);
  if (held.length === 0)
    return refuse('not_possible', `No money is held for ${id}.${describeMeantCredits(buy)}`);
  if (target !== null && held.length > 1) {
    const message = `${id} was paid by ${held.length} transfers: refund it without an account, then name an account for each refund that waits.`;
    return refuse('invalid', message);
  }
  const totalMinor = held.reduce((sum, each) => sum + each.heldMinor, 0n);
  const refunds = held.map(({ credit, heldMinor: amountMinor }, index) => {
    const facts = {
      id: by.newRefundIds[index]!,
      amountMinor,
      reason: REFUND_DECIDED,
      transactionId: id,
      atMs,
    };
    const refund = makeCreditRefund(credit, facts);
    return target === null ? refund : { ...refund, destination: target };
  });
  const change: Change = {
    atMs,
    transactions: [holdForRefund(transaction, by)],
    credits: held.map(({ credit }) => makeMove(credit, { state: 'refunded', exception: REFUND_DECIDED })),
    newMovements: refunds,
    entries: [entryOf('payment_refund_due', { mode, subjectId: id, amounts: { amount: totalMinor } })],
  };
  return ok({ mode, amountMinor: totalMinor, change });
}

/** The buy continues. Limits, screening lists and names no longer stop it. */
export function releaseBuy(buy: BuyFacts, by: Decider): Result<Plan, ReviewRefusal> {
  const { transaction } = buy;
  const { id, amountMinor, state, wallet } = transaction;
  if (state !== 'on_hold') return refuse('not_possible', `${id} is ${state}, not on hold.`);
  if (isMoneyOnItsWay(buy.movements)) return refuse('not_possible', `The tokens of ${id} are on their way.`);
  if (isRefundDecided(transaction)) return refuse('not_possible', `The payment of ${id} is being sent back.`);
  const heldMinor = listHeldCredits(buy).reduce((sum, each) => sum + each.heldMinor, 0n);
  if (heldMinor < amountMinor) {
    const message = `Only ${formatNaira(heldMinor)} of ${formatNaira(amountMinor)} is paid.${describeMeantCredits(buy)}`;
    return refuse('not_possible', message);
  }
  if (wallet === null) return refuse('not_possible', `${id} has no wallet to send tokens to.`);
  return releaseTransaction(transaction, 'paid', by);
}

/**
 * Rejects a buy if no money arrived and no credit seems to be meant for it. One person may reject it. The note is for operators
 * only.
 */
export function rejectBuy(
  transaction: Transaction,
  meant: readonly BankCredit[],
  by: Decider & { readonly publicReason: PublicReason; readonly note: string },
): Result<Plan, ReviewRefusal> {
  const { id, mode, type, state, receivedMinor, amountMinor } = transaction;
  if (type !== 'buy') return refuse('not_possible', `${id} is a sell: refund it, or let it expire.`);
  if (state !== 'on_hold') return refuse('not_possible', `${id} is ${state}, not on hold.`);
  if (receivedMinor > 0n) return refuse('not_possible', `Money came for ${id}: refund it first.`);
  // Two equal claims may compete for a credit. If one of them were closed, the credit would go to the other, and that decision
  // needs two people.
  if (meant.length > 0) {
    const ids = meant.map((credit) => credit.id).join(', ');
    return refuse(
      'not_possible',
      `${ids} may be meant for ${id}: first match, refund or write off each credit.`,
    );
  }
  const { actor, atMs, publicReason: reason, note } = by;
  const move = moveTransaction(transaction, 'rejected', {
    actor,
    atMs,
    reason,
    dueAtMs: null,
    evidence: { note },
  });
  return ok({ mode, amountMinor, change: { atMs, transactions: [move] } });
}

function describeMeantCredits({ credits }: BuyFacts): string {
  const open = credits.filter(isOpenCredit);
  if (open.length === 0) return '';
  return ` ${open.map(({ id }) => id).join(', ')} may be meant for it: propose to match or refund that credit.`;
}
