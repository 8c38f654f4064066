// Handles later requests of a business about its transaction, to set a wallet or to cancel it. `decide(transaction, event)`
// returns a move to commit, "already done", or a refusal. It uses no clock and no I/O, because the event contains the time.
import type { TransactionMove } from '../records/change.ts';
import { leadsToRefund } from '../records/exceptions.ts';
import { canMove } from '../records/states.ts';
import type { Transaction, Wallet } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { type Refusal, refusal } from '../values/refusals.ts';

export type BusinessRequest =
  | { readonly kind: 'wallet_given'; readonly wallet: Wallet; readonly actor: string; readonly atMs: number }
  | { readonly kind: 'cancel_requested'; readonly actor: string; readonly atMs: number };

export type RequestDecision =
  | { readonly kind: 'move'; readonly move: TransactionMove }
  | { readonly kind: 'already_done' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function decideBusinessRequest(transaction: Transaction, event: BusinessRequest): RequestDecision {
  switch (event.kind) {
    case 'wallet_given':
      return decideWallet(transaction, event.wallet, event.actor, event.atMs);
    case 'cancel_requested':
      return decideCancel(transaction, event.actor, event.atMs);
  }
}

function decideWallet(
  transaction: Transaction,
  wallet: Wallet,
  actor: string,
  atMs: number,
): RequestDecision {
  const current = transaction.wallet;
  if (current !== null) {
    if (current.network === wallet.network && current.address === wallet.address)
      return { kind: 'already_done' };
    return refuseRequest(
      'wallet_already_set',
      'The transaction already has a wallet, and a wallet is never replaced.',
    );
  }
  if (transaction.type === 'buy') {
    const { state, exception } = transaction;
    if (state === 'on_hold' && exception !== 'wallet_missing')
      return makeMoveDecision(transaction, state, {
        actor,
        atMs,
        reason: 'wallet_given',
        dueAtMs: null,
        updates: { wallet },
      });
    if (state !== 'awaiting_wallet' && state !== 'on_hold') return refuseState(transaction, 'take a wallet');
    // If the payment was found before the wallet was set, the tokens can be sent at once.
    const paid = transaction.receivedMinor >= transaction.amountMinor;
    return makeMoveDecision(transaction, paid ? 'paid' : 'awaiting_payment', {
      actor,
      atMs,
      reason: 'wallet_given',
      dueAtMs: paid ? atMs : transaction.dueAtMs,
      updates: { wallet, exception: exception === 'wallet_missing' ? null : exception },
    });
  }
  if (isClosedTransaction(transaction)) return refuseState(transaction, 'take a wallet');
  if (!transaction.deposits.some((deposit) => deposit.network === wallet.network)) {
    return refuseRequest('network_not_enabled', `The sell has no deposit instruction on ${wallet.network}.`);
  }
  const { state, dueAtMs } = transaction;
  return makeMoveDecision(transaction, state, {
    actor,
    atMs,
    reason: 'refund_wallet_given',
    dueAtMs,
    updates: { wallet },
  });
}

function decideCancel(transaction: Transaction, actor: string, atMs: number): RequestDecision {
  if (transaction.state === 'cancelled') return { kind: 'already_done' };
  const { type, state, receivedMinor } = transaction;
  if (!canMove(type, state, 'cancelled') || receivedMinor > 0n)
    return refuseState(transaction, 'be cancelled');
  return makeMoveDecision(transaction, 'cancelled', {
    actor,
    atMs,
    reason: 'cancelled_by_business',
    dueAtMs: null,
  });
}

function makeMoveDecision(...parameters: Parameters<typeof moveTransaction>): RequestDecision {
  return { kind: 'move', move: moveTransaction(...parameters) };
}

/** A completed sell may still have tokens to return, namely the tokens above its amount. */
function isClosedTransaction({ state, exception }: Transaction): boolean {
  return state === 'refunded' || state === 'rejected' || (state === 'completed' && !leadsToRefund(exception));
}

function refuseState(transaction: Transaction, what: string): RequestDecision {
  return refuseRequest(
    'state_conflict',
    `A ${transaction.type} in state ${transaction.state} cannot ${what}.`,
  );
}

function refuseRequest(code: Parameters<typeof refusal>[0], message: string): RequestDecision {
  return { kind: 'refused', refusal: refusal(code, message) };
}
