// How deposits change a sell. Only a final deposit counts, and it counts once. Tokens that are short, over, late or unmatched
// stay in suspense until they are applied or refunded.
import { type Entry, entryOf } from '../ledger/ledger.ts';
import { type Change, makeMove, type TransactionMove } from '../records/change.ts';
import { type Deposit, findDepositTimeMs } from '../records/deposit.ts';
import type { DepositException } from '../records/exceptions.ts';
import type { Movement } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { koboToToken, tokenToKobo } from '../values/money.ts';
import type { Policy } from './policy.ts';
import { makeDepositRefund } from './refund.ts';

export interface FinalDepositFacts {
  readonly deposit: Deposit;
  readonly decimals: number;
  readonly waiting: readonly { readonly deposit: Deposit; readonly decimals: number }[];
  readonly policy: Policy;
  readonly atMs: number;
  readonly nextDueMs: number;
  readonly newRefundId: string;
}

const ACTOR = 'network';

/** The service has seen tokens that are not final yet. They count only when they are final. */
export function recordSeenDeposit(transaction: Transaction, deposit: Deposit, atMs: number): Change | null {
  if (transaction.state !== 'awaiting_deposit') return null;
  const move = moveTransaction(transaction, 'confirming', {
    actor: ACTOR,
    atMs,
    reason: 'tokens_seen',
    dueAtMs: null,
    updates: { txHash: deposit.txHash },
    evidence: makeDepositEvidence(deposit),
  });
  return { atMs, transactions: [move] };
}

/** The network dropped the deposit permanently, so it never counts. */
export function recordDroppedDeposit(
  transaction: Transaction | null,
  deposit: Deposit,
  { atMs, graceMs }: { readonly atMs: number; readonly graceMs: number },
): Change {
  const back =
    transaction?.state === 'confirming'
      ? [
          moveTransaction(transaction, 'awaiting_deposit', {
            actor: ACTOR,
            atMs,
            reason: 'tokens_dropped',
            // After a partial deposit, the sell waits for the rest only during the grace time, and not until it expires.
            dueAtMs: transaction.receivedMinor > 0n ? atMs + graceMs : transaction.expiresAtMs,
            updates: { txHash: transaction.receivedMinor > 0n ? transaction.txHash : null },
            evidence: makeDepositEvidence(deposit),
          }),
        ]
      : [];
  return {
    atMs,
    transactions: back,
    deposits: [makeMove(deposit, { state: 'gone', exception: 'reorganised', dueAtMs: null })],
  };
}

export function settleFinalDeposit(transaction: Transaction | null, facts: FinalDepositFacts): Change {
  const { deposit, decimals, atMs } = facts;
  const { kobo, rest } = tokenToKobo(deposit.amountMinor, decimals);
  const received = entryOf('deposit_received', {
    mode: deposit.mode,
    subjectId: transaction?.id ?? deposit.id,
    asset: deposit.asset,
    amounts: { tokens: deposit.amountMinor - rest, dust: rest },
  });
  if (transaction === null) return keepInSuspense(deposit, 'unattributed', [received], atMs);
  const receivedMinor = transaction.receivedMinor + kobo;
  const gatheredMinor = gatherDust(facts, rest);
  // Only waiting deposits can pay for the sell. A deposit that was returned, or will be returned, does not count.
  const usableMinor = facts.waiting.reduce(
    (sum, each) => sum + tokenToKobo(each.deposit.amountMinor, each.decimals).kobo,
    kobo + gatheredMinor,
  );
  const open =
    isAwaitingTokens(transaction) ||
    wasSentInTime(transaction, deposit) ||
    (transaction.state === 'expired' && facts.policy.lateDeposit === 'complete');
  if (open && usableMinor >= transaction.amountMinor)
    return applyDeposits(transaction, facts, received, usableMinor - transaction.amountMinor, gatheredMinor);
  if (open) return recordShortPart(transaction, facts, received, receivedMinor);
  if (kobo === 0n) return keepInSuspense(deposit, 'too_small', [received], atMs);
  if (transaction.state === 'expired' && facts.policy.lateDeposit === 'hold') {
    const move = moveTransaction(transaction, 'on_hold', {
      actor: ACTOR,
      atMs,
      reason: 'tokens_late',
      dueAtMs: null,
      updates: { exception: 'paid_late', receivedMinor, txHash: deposit.txHash },
      evidence: makeDepositEvidence(deposit),
    });
    return { ...keepInSuspense(deposit, 'paid_late', [received], atMs), transactions: [move] };
  }
  return returnDeposit(transaction, facts, received, kobo);
}

/** Fractions of a kobo in several transfers add up to whole kobo. */
function gatherDust({ deposit, decimals, waiting }: FinalDepositFacts, rest: bigint): bigint {
  const same = waiting.filter((each) => each.deposit.asset === deposit.asset);
  const rests = same.map((each) => tokenToKobo(each.deposit.amountMinor, each.decimals).rest);
  return tokenToKobo(
    rests.reduce((sum, each) => sum + each, rest),
    decimals,
  ).kobo;
}

/** Whether the sell waits for tokens. A hold because of a short deposit ends when the rest arrives. */
function isAwaitingTokens({ state, exception }: Transaction): boolean {
  return (
    state === 'awaiting_deposit' ||
    state === 'confirming' ||
    (state === 'on_hold' && exception === 'paid_partial')
  );
}

/**
 * Whether the tokens were sent before the sell expired, even if we saw them later. If the partial deposits of a sell were
 * returned when it expired, the sell stays closed.
 */
function wasSentInTime(transaction: Transaction, deposit: Deposit): boolean {
  const { state, exception, expiresAtMs } = transaction;
  return state === 'expired' && exception === null && findDepositTimeMs(deposit, transaction) < expiresAtMs;
}

function keepInSuspense(
  deposit: Deposit,
  exception: DepositException,
  entries: readonly Entry[],
  atMs: number,
): Change {
  return { atMs, deposits: [makeMove(deposit, { state: 'suspense', exception, dueAtMs: null })], entries };
}

function recordShortPart(
  transaction: Transaction,
  facts: FinalDepositFacts,
  received: Entry,
  receivedMinor: bigint,
): Change {
  const { deposit, atMs, policy } = facts;
  const held = transaction.state === 'on_hold';
  const dueAtMs = held ? null : atMs + policy.depositGraceMs;
  const to = held ? 'on_hold' : transaction.state === 'expired' ? 'on_hold' : 'awaiting_deposit';
  const move = moveTransaction(transaction, to, {
    actor: ACTOR,
    atMs,
    reason: 'tokens_in_part',
    dueAtMs: to === 'on_hold' ? null : dueAtMs,
    updates: { receivedMinor, exception: 'paid_partial', txHash: deposit.txHash },
    evidence: makeDepositEvidence(deposit),
  });
  return { ...keepInSuspense(deposit, 'paid_partial', [received], atMs), transactions: [move] };
}

function applyDeposits(
  transaction: Transaction,
  facts: FinalDepositFacts,
  received: Entry,
  excessMinor: bigint,
  gatheredMinor: bigint,
): Change {
  const { deposit, decimals, waiting, atMs } = facts;
  const late = transaction.state === 'expired' && !wasSentInTime(transaction, deposit);
  const used = [
    ...waiting.map((each) => ({ ...each, kobo: tokenToKobo(each.deposit.amountMinor, each.decimals).kobo })),
    {
      deposit,
      decimals,
      kobo: tokenToKobo(deposit.amountMinor, decimals).kobo + gatheredMinor - excessMinor,
    },
  ];
  const move: TransactionMove = moveTransaction(transaction, 'deposited', {
    actor: ACTOR,
    atMs,
    reason: 'deposit_final',
    dueAtMs: facts.nextDueMs,
    updates: {
      receivedMinor: transaction.amountMinor,
      txHash: deposit.txHash,
      exception: excessMinor > 0n ? 'paid_over' : late ? 'paid_late' : null,
    },
    evidence: makeDepositEvidence(deposit),
  });
  const refund = refundExcess(transaction, facts, excessMinor);
  return {
    atMs,
    transactions: [move],
    deposits: used.map((each) =>
      makeMove(each.deposit, { state: 'applied', exception: null, dueAtMs: null }),
    ),
    newMovements: refund.movements,
    entries: [
      received,
      entryOf('dust_gathered', {
        mode: transaction.mode,
        subjectId: transaction.id,
        asset: deposit.asset,
        amounts: { tokens: koboToToken(gatheredMinor, decimals)! },
      }),
      ...used.map((each) =>
        entryOf('deposit_applied', {
          mode: transaction.mode,
          subjectId: transaction.id,
          asset: each.deposit.asset,
          amounts: { tokens: koboToToken(each.kobo, each.decimals)!, amount: each.kobo },
        }),
      ),
      ...refund.entries,
    ],
  };
}

function refundExcess(
  transaction: Transaction,
  { deposit, decimals, atMs, newRefundId }: FinalDepositFacts,
  excessMinor: bigint,
): { movements: readonly Movement[]; entries: readonly Entry[] } {
  if (excessMinor === 0n) return { movements: [], entries: [] };
  const tokens = koboToToken(excessMinor, decimals)!;
  const facts = { id: newRefundId, tokens, nairaMinor: excessMinor, reason: 'paid_over', atMs };
  return {
    movements: [makeDepositRefund(deposit, transaction, facts)],
    entries: [makeRefundDueEntry(transaction, deposit, tokens)],
  };
}

/** The deposit arrived when the sell awaited no tokens, so it is returned to the wallet of the sell. */
function returnDeposit(
  transaction: Transaction,
  facts: FinalDepositFacts,
  received: Entry,
  kobo: bigint,
): Change {
  const { deposit, decimals, atMs, newRefundId } = facts;
  const tokens = koboToToken(kobo, decimals)!;
  const reason =
    transaction.state === 'expired' || transaction.state === 'cancelled' ? 'paid_late' : 'unexpected_deposit';
  const move = moveTransaction(transaction, transaction.state, {
    actor: ACTOR,
    atMs,
    reason: 'tokens_returning',
    dueAtMs: transaction.dueAtMs,
    // The stored hash of counted tokens stays. If no hash is stored, the hash of the first late deposit is stored.
    updates: {
      exception: transaction.exception ?? reason,
      txHash: transaction.txHash ?? deposit.txHash,
    },
    evidence: makeDepositEvidence(deposit),
  });
  return {
    atMs,
    transactions: [move],
    deposits: [makeMove(deposit, { state: 'refunded', exception: reason, dueAtMs: null })],
    newMovements: [
      makeDepositRefund(deposit, transaction, { id: newRefundId, tokens, nairaMinor: kobo, reason, atMs }),
    ],
    entries: [received, makeRefundDueEntry(transaction, deposit, tokens)],
  };
}

export function makeRefundDueEntry(transaction: Transaction, deposit: Deposit, tokens: bigint): Entry {
  return entryOf('deposit_refund_due', {
    mode: deposit.mode,
    subjectId: transaction.id,
    asset: deposit.asset,
    amounts: { tokens },
  });
}

function makeDepositEvidence(deposit: Deposit): Readonly<Record<string, unknown>> {
  return { deposit: deposit.id, network: deposit.network, tx_hash: deposit.txHash };
}
