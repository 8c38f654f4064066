// The transaction record: what a business asked for, how far it got, and what is out of the ordinary about it.
import type { Mode } from '../values/mode.ts';
import type { TransactionException } from './exceptions.ts';
import type { TransactionState, TransactionType } from './states.ts';

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
  /** The expected amount in the token's own minor units. */
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
  readonly state: TransactionState;
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
  /** The quote it was accepted on; null: none. */
  readonly quoteId: string | null;
  readonly exception: TransactionException | null;
  /** The tokens sent for a buy, the tokens received for a sell. */
  readonly txHash: string | null;
  /** The amount of credits, or final deposits, kept for it, in kobo, without an excess or money that goes back. */
  readonly receivedMinor: bigint;
  /** The refunded amount, in kobo. */
  readonly refundedMinor: bigint;
  /** Whether two people released it: limits and screening no longer hold it. */
  readonly released: boolean;
  /** The due time for a worker; null: nothing is to be done, or another record continues it. */
  readonly dueAtMs: number | null;
  /** The number of tries in its current state. */
  readonly tries: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
}

/** The initial values of every transaction. */
export const INITIAL_TRANSACTION_FIELDS = {
  stateReason: null,
  version: 1,
  exception: null,
  txHash: null,
  receivedMinor: 0n,
  refundedMinor: 0n,
  released: false,
  tries: 0,
} as const;

// What of a transaction's money is there and what is still to arrive. Nothing is missing once nothing is awaited any more, and
// while tokens that were seen are not final: a customer who read "missing" then would send them again.
const AWAITING_STATES: ReadonlySet<TransactionState> = new Set([
  'awaiting_wallet',
  'awaiting_payment',
  'awaiting_deposit',
]);

/** `heldMinor`: payments that wait for review only because they are not the amount asked for. An excess does not count. */
export function computeArrivedMinor({ amountMinor, receivedMinor }: Transaction, heldMinor: bigint): bigint {
  const allMinor = receivedMinor + heldMinor;
  return allMinor < amountMinor ? allMinor : amountMinor;
}

export function computeMissingMinor(transaction: Transaction, hereMinor: bigint): bigint {
  const { state, exception, amountMinor } = transaction;
  // On hold, more money is wanted only where less came; everything else waits for people.
  const awaited = state === 'on_hold' ? exception === 'paid_partial' : AWAITING_STATES.has(state);
  return awaited ? amountMinor - hereMinor : 0n;
}
