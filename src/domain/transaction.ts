// The transaction record and the pure decisions on it: `decide(transaction, event)` answers with a change to commit,
// with "nothing to do", or with a refusal. No clock, no I/O: the time comes in with the event.
import type { Mode } from './mode.ts';
import { type Refusal, refusal } from './refusals.ts';
import { canMove, type State, type TransactionType } from './states.ts';

export interface Wallet {
  readonly network: string;
  readonly address: string;
}

export interface VendorSnapshot {
  readonly vendorId: string;
  readonly name: string;
  readonly number: string;
  readonly bank: string;
}

export interface DepositInstruction {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
  readonly asset: string;
  readonly decimals: number;
  /** In the token's own minor units. */
  readonly expectedToken: bigint;
  readonly confirmations: number;
  readonly expiresAtMs: number;
}

export interface Transaction {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly type: TransactionType;
  readonly reference: string;
  readonly linkTag: string;
  readonly state: State;
  readonly stateReason: string | null;
  /** Raised by every change; a change names the version it was decided on. */
  readonly version: number;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  /** The payer's account of a buy (a claim), the beneficiary's of a sell. */
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly bankName: string;
  readonly bankCode: string | null;
  /** Things a reviewer should see: a failed check digit, look-alike letters in a name. */
  readonly flags: readonly string[];
  readonly vendor: VendorSnapshot | null;
  readonly wallet: Wallet | null;
  readonly deposits: readonly DepositInstruction[];
  readonly exception: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
}

export interface TimelineEntry {
  readonly from: State | null;
  readonly to: State;
  readonly actor: string;
  readonly reason: string;
}

/** One move of one transaction: committed whole or not at all, and only on the version it was decided on. */
export interface Change {
  readonly transactionId: string;
  readonly version: number;
  readonly state: State;
  readonly stateReason: string | null;
  readonly wallet: Wallet | null;
  readonly timeline: TimelineEntry;
  readonly atMs: number;
}

export type TransactionEvent =
  | { readonly kind: 'wallet_given'; readonly wallet: Wallet; readonly actor: string; readonly atMs: number }
  | { readonly kind: 'cancel_requested'; readonly actor: string; readonly atMs: number };

export type Decision =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'already_done' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function decide(transaction: Transaction, event: TransactionEvent): Decision {
  switch (event.kind) {
    case 'wallet_given':
      return decideWallet(transaction, event.wallet, event.actor, event.atMs);
    case 'cancel_requested':
      return decideCancel(transaction, event.actor, event.atMs);
  }
}

function decideWallet(transaction: Transaction, wallet: Wallet, actor: string, atMs: number): Decision {
  const current = transaction.wallet;
  if (current !== null) {
    if (current.network === wallet.network && current.address === wallet.address)
      return { kind: 'already_done' };
    return refused(
      'wallet_already_set',
      'The transaction already has a wallet, and a wallet is never replaced.',
    );
  }
  if (transaction.type === 'buy') {
    if (transaction.state !== 'awaiting_wallet') return conflict(transaction, 'take a wallet');
    return moved(transaction, 'awaiting_payment', { wallet, actor, atMs, reason: 'wallet given' });
  }
  if (isClosed(transaction.state)) return conflict(transaction, 'take a wallet');
  if (!transaction.deposits.some((deposit) => deposit.network === wallet.network)) {
    return refused('network_not_enabled', `The sell has no deposit instruction on ${wallet.network}.`);
  }
  return moved(transaction, transaction.state, { wallet, actor, atMs, reason: 'refund wallet given' });
}

function decideCancel(transaction: Transaction, actor: string, atMs: number): Decision {
  if (transaction.state === 'cancelled') return { kind: 'already_done' };
  if (!canMove(transaction.type, transaction.state, 'cancelled'))
    return conflict(transaction, 'be cancelled');
  const { wallet } = transaction;
  return moved(transaction, 'cancelled', { wallet, actor, atMs, reason: 'cancelled by the business' });
}

function moved(
  transaction: Transaction,
  to: State,
  how: { wallet: Wallet | null; actor: string; atMs: number; reason: string },
): Decision {
  const change: Change = {
    transactionId: transaction.id,
    version: transaction.version,
    state: to,
    stateReason: to === transaction.state ? transaction.stateReason : how.reason,
    wallet: how.wallet,
    timeline: { from: transaction.state, to, actor: how.actor, reason: how.reason },
    atMs: how.atMs,
  };
  return { kind: 'change', change };
}

/** The record as a committed change leaves it. */
export function applyChange(transaction: Transaction, change: Change): Transaction {
  return {
    ...transaction,
    version: change.version + 1,
    state: change.state,
    stateReason: change.stateReason,
    wallet: change.wallet,
    updatedAtMs: change.atMs,
  };
}

function isClosed(state: State): boolean {
  return state === 'completed' || state === 'refunded' || state === 'rejected';
}

function conflict(transaction: Transaction, what: string): Decision {
  return refused('state_conflict', `A ${transaction.type} in state ${transaction.state} cannot ${what}.`);
}

function refused(code: Parameters<typeof refusal>[0], message: string): Decision {
  return { kind: 'refused', refusal: refusal(code, message) };
}

export interface TransactionFilter {
  readonly type?: TransactionType;
  readonly state?: State;
  readonly reference?: string;
  /** At or after. */
  readonly createdFromMs?: number;
  /** At or before. */
  readonly createdToMs?: number;
  /** Only what comes after this one in the list, newest first. */
  readonly after?: { readonly id: string; readonly createdAtMs: number };
  readonly limit: number;
}
