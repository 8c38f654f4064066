// What answers show of a transaction besides its own record: its refunds, its payout and what is held for it. Read for a page
// of transactions at once, whatever their number.
import type { Movement } from '../domain/records/movement.ts';
import type { Transaction } from '../domain/records/transaction.ts';

export interface Details {
  /** The oldest first. `txHash`: under which the network has it; null by bank, or while no network is known to have it. */
  readonly refunds: readonly { readonly movement: Movement; readonly txHash: string | null }[];
  /** The one that may still happen or did; otherwise the last one that failed. */
  readonly payout: Movement | null;
  /** Of a payout that a bank refused: when it is about certain that the bank does not pay it after all; null: no such payout. */
  readonly payoutSureAtMs: number | null;
  /** Payments that wait for review only because they are not the amount asked for, in kobo. */
  readonly heldMinor: bigint;
  /** What a bank said about the account of a sell after it was accepted, as the code of a warning; null: nothing to warn of. */
  readonly accountWarning: string | null;
  /** The version of the transaction that they were read with; null when there is none. */
  readonly version: number | null;
}

export const NO_DETAILS: Details = {
  refunds: [],
  payout: null,
  payoutSureAtMs: null,
  heldMinor: 0n,
  accountWarning: null,
  version: null,
};

export interface TransactionDetails {
  /** Those that have any, by the id of the transaction. */
  detailsOf(transactions: readonly Transaction[]): Promise<ReadonlyMap<string, Details>>;
}
