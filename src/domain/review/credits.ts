// What reviewers can do with an unmatched credit: pay a buy with it, split it, refund it, or keep it. The credit stays in
// suspense until one of these actions is committed, and only one can be committed.
import { entryOf } from '../ledger/ledger.ts';
import { CURRENT_MATCHING_RULES } from '../matching/rules.ts';
import { type MatchRecord, makeMove } from '../records/change.ts';
import { type BankCredit, isOpenCredit, makePartSourceId } from '../records/credit.ts';
import { isRefundDecided, REFUND_DECIDED } from '../records/exceptions.ts';
import type { MatchVerdict } from '../records/match-decision.ts';
import type { AccountDestination } from '../records/movement.ts';
import type { TransactionState } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { payBuy, refundCredit } from '../settlement/buy.ts';
import { formatNaira } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import { type BuyFacts, listHeldCredits } from './buys.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

const PAYABLE_STATES = new Set<TransactionState>([
  'awaiting_wallet',
  'awaiting_payment',
  'on_hold',
  'expired',
]);
const MAX_PARTS = 20;

export function matchCreditByHand(
  credit: BankCredit,
  buy: BuyFacts,
  by: Decider & { readonly newRefundId: string },
): Result<Plan, ReviewRefusal> {
  const { transaction } = buy;
  const { id, state, amountMinor, receivedMinor } = transaction;
  if (!isOpenCredit(credit)) return refuseClosedCredit(credit);
  if (transaction.mode !== credit.mode)
    return refuse('invalid', 'The credit and the transaction must be of the same mode, live or test.');
  if (transaction.type !== 'buy')
    return refuse('not_possible', `${id} is a sell: no bank credit pays for it.`);
  if (credit.businessId !== null && credit.businessId !== transaction.businessId)
    return refuse(
      'not_possible',
      `${credit.id} was made in the sandbox of a business that does not own ${id}.`,
    );
  if (!PAYABLE_STATES.has(state)) {
    return refuse('not_possible', `${id} is ${state} and takes no payment. Refund the credit instead.`);
  }
  const heldMinor = listHeldCredits(buy).reduce((sum, each) => sum + each.heldMinor, 0n);
  if (heldMinor >= amountMinor) {
    return refuse('not_possible', `${id} is paid in full. Refund the credit instead.`);
  }
  // Money that is being returned cannot pay for a buy, and a buy that is being refunded accepts no more money.
  if (isRefundDecided(transaction) || heldMinor !== receivedMinor) {
    return refuse(
      'not_possible',
      `A payment for ${id} was sent back or is being sent back. Refund this credit, too.`,
    );
  }
  const shortMinor = amountMinor - heldMinor - credit.amountMinor;
  const late = state === 'expired' ? 'paid_late' : null;
  const verdict: MatchVerdict = { kind: 'matched', transactionId: id, exception: late };
  const change = payBuy(transaction, {
    credit,
    match: makeMatchRecord(credit, by, verdict),
    actor: by.actor,
    atMs: by.atMs,
    nextDueMs: by.atMs,
    exception: shortMinor > 0n ? 'paid_partial' : late,
    newRefundId: by.newRefundId,
  });
  return ok({ mode: credit.mode, amountMinor: credit.amountMinor, change });
}

export function splitCredit(
  credit: BankCredit,
  partsMinor: readonly bigint[],
  by: Decider & { readonly partIds: readonly string[] },
): Result<Plan, ReviewRefusal> {
  if (!isOpenCredit(credit)) return refuseClosedCredit(credit);
  if (partsMinor.length < 2 || partsMinor.length > MAX_PARTS) {
    return refuse('invalid', `A credit is split into 2 to ${MAX_PARTS} parts.`);
  }
  if (partsMinor.some((part) => part <= 0n)) return refuse('invalid', 'Every part must be more than zero.');
  const sumMinor = partsMinor.reduce((sum, part) => sum + part, 0n);
  if (sumMinor !== credit.amountMinor) {
    return refuse(
      'invalid',
      `The parts add up to ${formatNaira(sumMinor)}, but the credit is ${formatNaira(credit.amountMinor)}.`,
    );
  }
  const newCredits = partsMinor.map(
    (amountMinor, index): BankCredit => ({
      ...credit,
      id: by.partIds[index]!,
      sourceId: makePartSourceId(credit, index + 1),
      amountMinor,
      raw: { split_of: credit.id, part: index + 1, parts: partsMinor.length },
      parentId: credit.id,
      state: 'unmatched',
      exception: null,
      transactionId: null,
      version: 1,
      dueAtMs: by.atMs,
      tries: 0,
    }),
  );
  const credits = [makeMove(credit, { state: 'split', dueAtMs: null })];
  const change = { atMs: by.atMs, credits, newCredits };
  return ok({ mode: credit.mode, amountMinor: credit.amountMinor, change });
}

export function returnCredit(
  credit: BankCredit,
  meant: Transaction | null,
  target: AccountDestination | null,
  by: Decider & { readonly newRefundId: string },
): Result<Plan, ReviewRefusal> {
  if (!isOpenCredit(credit)) return refuseClosedCredit(credit);
  // A claim that waits only for this credit ends with the refund. A claim with other money is not changed.
  const claim = meant?.state === 'on_hold' && meant.receivedMinor === 0n ? meant : null;
  const change = refundCredit(claim, {
    credit,
    match: makeMatchRecord(credit, by, { kind: 'review', exception: 'no_claim', transactionIds: [] }),
    actor: by.actor,
    atMs: by.atMs,
    nextDueMs: by.atMs,
    reason: REFUND_DECIDED,
    newRefundId: by.newRefundId,
  });
  const movements = change.newMovements?.map((refund) =>
    target === null ? refund : { ...refund, destination: target },
  );
  return ok({
    mode: credit.mode,
    amountMinor: credit.amountMinor,
    change: { ...change, ...(movements !== undefined && { newMovements: movements }) },
  });
}

/** The owner of the credit cannot be found, so the operator keeps the money. */
export function writeOffCredit(credit: BankCredit, { atMs }: Decider): Result<Plan, ReviewRefusal> {
  if (!isOpenCredit(credit)) return refuseClosedCredit(credit);
  const { mode, id, amountMinor } = credit;
  const entry = entryOf('credit_written_off', { mode, subjectId: id, amounts: { amount: amountMinor } });
  const credits = [makeMove(credit, { state: 'written_off', dueAtMs: null })];
  return ok({ mode, amountMinor, change: { atMs, credits, entries: [entry] } });
}

function refuseClosedCredit({ id, state, transactionId }: BankCredit) {
  const where = state === 'matched' ? `pays for ${transactionId}` : `is ${state}`;
  return refuse('not_possible', `${id} ${where}: there is nothing left to decide.`);
}

function makeMatchRecord(credit: BankCredit, { actor }: Decider, verdict: MatchVerdict): MatchRecord {
  const { id: creditId, version } = credit;
  const common = { ruleVersion: CURRENT_MATCHING_RULES.version, candidates: [], transactionId: null };
  return { ...common, creditId, version: version + 1, verdict, actor };
}
