// The requests that the adapter sends to a Solana provider, and the plain values that they return. Other files decide what a
// response proves.
import type { Address } from '@solana/kit';

export interface ChainAccount {
  readonly program: Address;
  readonly executable: boolean;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

export interface SignatureStatus {
  readonly slot: bigint;
  readonly final: boolean;
  readonly confirmations: number;
  /** The error of a failed transaction. Null means that the transaction succeeded. */
  readonly failure: string | null;
}

export interface SignatureStatuses {
  readonly slot: bigint;
  /** The list has the order of the requested signatures. */
  readonly found: readonly (SignatureStatus | null)[];
}

export interface SolanaBlock {
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  readonly parentSlot: bigint;
  readonly signatures: readonly string[];
}

export interface HistoryEntry {
  readonly signature: string;
  readonly slot: bigint;
  readonly final: boolean;
  readonly failed: boolean;
  /** The block time as the validators estimated it. Null means that the provider does not have it. */
  readonly blockTimeMs: number | null;
}

export interface Blockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /** The slot that the provider had reached when it responded. */
  readonly slot: bigint;
}

export interface SolanaClient {
  genesisHash(): Promise<string>;
  latestBlockhash(): Promise<Blockhash>;
  finalized(): Promise<{ readonly slot: bigint; readonly height: bigint }>;
  /** Whether bytes with this blockhash could still land, according to the newest block that the provider knows. */
  isUsable(blockhash: string): Promise<boolean>;
  blocksFrom(slot: bigint, limit: number): Promise<readonly bigint[]>;
  /** The hash of the confirmed block of a slot. Undefined means that the provider does not have it yet. */
  blockhashAt(slot: bigint): Promise<string | undefined>;
  /** Undefined means that the provider does not have the block. */
  block(slot: bigint): Promise<SolanaBlock | undefined>;
  /** The provider searches all of its history. */
  statuses(signatures: readonly string[]): Promise<SignatureStatuses>;
  /** Returns the transaction as received, and `readLandedTransaction` decodes it. */
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): Promise<unknown>;
  accounts(
    addresses: readonly string[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<readonly (ChainAccount | null)[]>;
  /**
   * Reads accounts at a final block of this slot or later. Throws if the provider has not reached it. The returned slot is the
   * slot of the response, because each server behind one URL may have reached a different slot.
   */
  finalAccounts(
    addresses: readonly string[],
    notBefore: bigint,
  ): Promise<{ readonly slot: bigint; readonly accounts: readonly (ChainAccount | null)[] }>;
  /** Returns one page, newest first. */
  history(
    address: string,
    range: { readonly until: string | null; readonly before: string | null },
  ): Promise<readonly HistoryEntry[]>;
  tokenAccounts(
    owner: string,
    program: string,
  ): Promise<readonly { readonly address: string; readonly account: ChainAccount }[]>;
  /** Returns the error that the transaction would fail with, or null. */
  simulate(wire: string): Promise<unknown>;
  send(wire: string): Promise<string>;
  /** The fees recently paid per compute unit to write to these accounts, in millionths of a lamport. */
  recentFees(accounts: readonly string[]): Promise<readonly bigint[]>;
}
