// The transaction record and the pure decisions on it: `decide(transaction, event)` answers with a change to commit,
// with "nothing to do", or with a refusal. No clock, no I/O: the time comes in with the event.

import type { Mode } from '../values/mode.ts';
import { type Refusal, refusal } from '../values/refusals.ts';
import type { TransactionMove } from './change.ts';
import { canMove, isGoingBack, type State, type TransactionType } from './states.ts';

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
  /** The tokens sent for a buy, the tokens received for a sell. */
  readonly txHash: string | null;
  /** What credits, or final deposits, brought and is kept for it, in kobo. An excess, or what goes back, is not. */
  readonly receivedMinor: bigint;
  /** What was given back, in kobo. */
  readonly refundedMinor: bigint;
  /** Two people looked at it and let it go on: limits and screening no longer hold it. */
  readonly released: boolean;
  /** When somebody has to do something about it; null when nothing is to be done, or another record's turn it is. */
  readonly dueAtMs: number | null;
  /** How often its present state was tried. */
  readonly tries: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
}

/** What every transaction starts with. */
export const UNTOUCHED = {
  stateReason: null,
  version: 1,
  exception: null,
  txHash: null,
  receivedMinor: 0n,
  refundedMinor: 0n,
  released: false,
  tries: 0,
} as const;

export type TransactionEvent =
  | { readonly kind: 'wallet_given'; readonly wallet: Wallet; readonly actor: string; readonly atMs: number }
  | { readonly kind: 'cancel_requested'; readonly actor: string; readonly atMs: number };

export type Decision =
  | { readonly kind: 'move'; readonly move: TransactionMove }
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
    const { state, exception } = transaction;
    // On hold for another reason it stays there, with its wallet.
    if (state === 'on_hold' && exception !== 'wallet_missing')
      return moved(transaction, state, {
        actor,
        atMs,
        reason: 'wallet given',
        dueAtMs: null,
        updates: { wallet },
      });
    if (state !== 'awaiting_wallet' && state !== 'on_hold') return conflict(transaction, 'take a wallet');
    // The payment may have been found before: then the tokens can go at once.
    const paid = transaction.receivedMinor >= transaction.amountMinor;
    return moved(transaction, paid ? 'paid' : 'awaiting_payment', {
      actor,
      atMs,
      reason: 'wallet given',
      dueAtMs: paid ? atMs : transaction.dueAtMs,
      updates: { wallet, exception: exception === 'wallet_missing' ? null : exception },
    });
  }
  if (isClosed(transaction)) return conflict(transaction, 'take a wallet');
  if (!transaction.deposits.some((deposit) => deposit.network === wallet.network)) {
    return refused('network_not_enabled', `The sell has no deposit instruction on ${wallet.network}.`);
  }
  const { state, dueAtMs } = transaction;
  return moved(transaction, state, {
    actor,
    atMs,
    reason: 'refund wallet given',
    dueAtMs,
    updates: { wallet },
  });
}

function decideCancel(transaction: Transaction, actor: string, atMs: number): Decision {
  if (transaction.state === 'cancelled') return { kind: 'already_done' };
  const { type, state, receivedMinor } = transaction;
  if (!canMove(type, state, 'cancelled') || receivedMinor > 0n) return conflict(transaction, 'be cancelled');
  return moved(transaction, 'cancelled', { actor, atMs, reason: 'cancelled by the business', dueAtMs: null });
}

function moved(...parameters: Parameters<typeof moveTo>): Decision {
  return { kind: 'move', move: moveTo(...parameters) };
}

export interface MoveFacts {
  readonly actor: string;
  readonly atMs: number;
  readonly reason: string;
  /** When the next step is due; null when it is another record's turn, or nobody's. */
  readonly dueAtMs: number | null;
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly updates?: Partial<Transaction>;
}

/** The one way a transaction moves. A move the table does not have is a mistake of ours. */
export function moveTo(transaction: Transaction, to: State, facts: MoveFacts): TransactionMove {
  const { type, state: from } = transaction;
  if (from !== to && !canMove(type, from, to)) throw new Error(`a ${type} cannot go from ${from} to ${to}`);
  return {
    version: transaction.version,
    after: {
      ...transaction,
      ...facts.updates,
      version: transaction.version + 1,
      state: to,
      stateReason: from === to ? transaction.stateReason : facts.reason,
      dueAtMs: facts.dueAtMs,
      tries: 0,
      updatedAtMs: facts.atMs,
    },
    line: { from, to, actor: facts.actor, reason: facts.reason, evidence: facts.evidence ?? null },
  };
}

/** Nothing happened that anybody needs to hear of: only the next try is put off. */
export function putOff(transaction: Transaction, dueAtMs: number): TransactionMove {
  const after = { ...transaction, version: transaction.version + 1, dueAtMs };
  return { version: transaction.version, after, line: null };
}

/** A completed sell may still have tokens to give back: what came over the amount. */
function isClosed({ state, exception }: Transaction): boolean {
  return state === 'refunded' || state === 'rejected' || (state === 'completed' && !isGoingBack(exception));
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
