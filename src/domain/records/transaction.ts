// The transaction record: the request of a business, its progress, and its exception.
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
  /** Every change increases the version. A change contains the version that its decision was based on. */
  readonly version: number;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  /** The payer's account for a buy (a claim), or the beneficiary's account for a sell. */
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly bankName: string;
  readonly bankCode: string | null;
  /** Facts for reviewers, such as a failed check digit or look-alike letters in a name. */
  readonly flags: readonly string[];
  readonly vendor: VendorSnapshot | null;
  readonly wallet: Wallet | null;
  readonly deposits: readonly DepositInstruction[];
  /** The id of the quote with which the transaction was accepted. Null: no quote was used. */
  readonly quoteId: string | null;
  readonly exception: TransactionException | null;
  /** The hash of the network transaction that sent the tokens of a buy, or that brought the tokens of a sell. */
  readonly txHash: string | null;
  /**
   * The sum of the credits or final deposits that count for the transaction, in kobo. An excess and money that is returned do
   * not count.
   */
  readonly receivedMinor: bigint;
  /** The refunded amount, in kobo. */
  readonly refundedMinor: bigint;
  /** Whether two people released the transaction, so that limits and screening no longer stop it. */
  readonly released: boolean;
  /** The time when a worker takes the next step. Null: there is nothing to do, or the next step depends on another record. */
  readonly dueAtMs: number | null;
  readonly tries: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
}

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

// Computes which part of a transaction's money has arrived, and which part is missing. Nothing is missing if no money is
// awaited, or while received tokens are not final. A customer who reads "missing" would send the tokens again.
const AWAITING_STATES: ReadonlySet<TransactionState> = new Set([
  'awaiting_wallet',
  'awaiting_payment',
  'awaiting_deposit',
]);

/**
 * `heldMinor`: the sum of payments that wait for review only because their amount differs from the request. An excess does not
 * count.
 */
export function computeArrivedMinor({ amountMinor, receivedMinor }: Transaction, heldMinor: bigint): bigint {
  const allMinor = receivedMinor + heldMinor;
  return allMinor < amountMinor ? allMinor : amountMinor;
}

export function computeMissingMinor(transaction: Transaction, hereMinor: bigint): bigint {
  const { state, exception, amountMinor } = transaction;
  // A transaction on hold needs more money only after a partial payment. In all other cases it waits for people.
  const awaited = state === 'on_hold' ? exception === 'paid_partial' : AWAITING_STATES.has(state);
  return awaited ? amountMinor - hereMinor : 0n;
}
