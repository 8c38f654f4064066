// Handles transactions whose time limit has passed because no payment arrived, or only a part of the tokens. Expiry uses the
// database's clock, and the service still finds a later payment.
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTransaction, postponeTransaction } from '../../domain/records/transaction-moves.ts';
import { makeDepositRefund } from '../../domain/settlement/refund.ts';
import { makeRefundDueEntry } from '../../domain/settlement/sell.ts';
import { koboToToken, tokenToKobo } from '../../domain/values/money.ts';
import { newId, type SettlementDeps } from '../engine/deps.ts';
import { runEach } from '../engine/retries.ts';
import { findDepositDecimals } from './undo-payout.ts';

const ACTOR = 'settlement';

/** The caller must hold the leases of the transactions, which are in a waiting state. */
export async function expireTransactions(
  deps: SettlementDeps,
  transactions: readonly Transaction[],
): Promise<void> {
  const { done, rethrow } = await runEach(transactions, (transaction) => decideExpiry(deps, transaction));
  await deps.store.commit(done.map(({ outcome }) => outcome));
  rethrow();
}

async function decideExpiry(deps: SettlementDeps, transaction: Transaction): Promise<Change> {
  const atMs = deps.clock.now();
  if (transaction.type === 'sell' && transaction.receivedMinor > 0n)
    return settleShortDeposit(deps, transaction, atMs);
  if (transaction.expiresAtMs > atMs)
    return { atMs, transactions: [postponeTransaction(transaction, transaction.expiresAtMs)] };
  if (transaction.type === 'buy' && transaction.receivedMinor > 0n) return holdForWallet(transaction, atMs);
  const reason = transaction.type === 'buy' ? 'payment_not_found' : 'tokens_not_received';
  return {
    atMs,
    transactions: [moveTransaction(transaction, 'expired', { actor: ACTOR, atMs, reason, dueAtMs: null })],
  };
}

/**
 * The customer paid the buy, but the business has set no wallet. The business can still set a wallet, and from now on people
 * see the buy.
 */
function holdForWallet(transaction: Transaction, atMs: number): Change {
  const reason = 'paid_without_wallet' as const;
  const updates = { exception: 'wallet_missing' as const };
  const facts = { actor: ACTOR, atMs, reason, dueAtMs: null, updates };
  return { atMs, transactions: [moveTransaction(transaction, 'on_hold', facts)] };
}

/**
 * Some of the tokens did not arrive in time. Depending on the policy, people decide, or the service returns the part that
 * arrived.
 */
async function settleShortDeposit(
  deps: SettlementDeps,
  transaction: Transaction,
  atMs: number,
): Promise<Change> {
  const facts = {
    actor: ACTOR,
    atMs,
    reason: 'tokens_incomplete' as const,
    dueAtMs: null,
    updates: { exception: 'paid_partial' as const },
  };
  if (deps.policies[transaction.mode].shortDeposit === 'hold') {
    return { atMs, transactions: [moveTransaction(transaction, 'on_hold', facts)] };
  }
  // The books do not contain foreign tokens, and the service cannot send less than a kobo.
  const own = (await deps.store.depositsOf([transaction.id])).filter(isPartDeposit);
  const parts = own.flatMap((deposit) => {
    const decimals = findDepositDecimals(deps, transaction, deposit);
    const { kobo: nairaMinor } = tokenToKobo(deposit.amountMinor, decimals);
    return nairaMinor === 0n ? [] : [{ deposit, nairaMinor, tokens: koboToToken(nairaMinor, decimals)! }];
  });
  return {
    atMs,
    transactions: [
      moveTransaction(transaction, 'expired', { ...facts, updates: { ...facts.updates, receivedMinor: 0n } }),
    ],
    deposits: parts.map(({ deposit }) => makeMove(deposit, { state: 'refunded', dueAtMs: null })),
    newMovements: parts.map(({ deposit, ...amounts }) =>
      makeDepositRefund(deposit, transaction, {
        id: newId(deps, 'mov'),
        ...amounts,
        reason: 'paid_partial',
        atMs,
      }),
    ),
    entries: parts.map(({ deposit, tokens }) => makeRefundDueEntry(transaction, deposit, tokens)),
  };
}

function isPartDeposit({ state, exception }: Deposit): boolean {
  return state === 'suspense' && exception === 'paid_partial';
}
