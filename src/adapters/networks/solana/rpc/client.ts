// The questions that the adapter asks a Solana provider, and the plain values that come back. Nothing here decides what an
// answer proves.
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
  /** The error it failed with; null when it succeeded. */
  readonly failure: string | null;
}

/** What is known of some signatures, and the slot that the answer itself names: how far its server had read. */
export interface SignatureStatuses {
  readonly slot: bigint;
  /** In the order asked for. */
  readonly found: readonly (SignatureStatus | null)[];
}

/** A final block: its height and hash, the block before it, and what is in it. */
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
  /** As validators estimated it; null where it is not kept. */
  readonly blockTimeMs: number | null;
}

export interface Blockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /** The slot the provider was at when it answered. */
  readonly slot: bigint;
}

export interface SolanaClient {
  genesisHash(): Promise<string>;
  latestBlockhash(): Promise<Blockhash>;
  /** The newest final block: its slot and its height, from one answer. */
  finalized(): Promise<{ readonly slot: bigint; readonly height: bigint }>;
  /** Whether bytes that name it could still land, by the newest block the provider knows. */
  isUsable(blockhash: string): Promise<boolean>;
  /** The slots of final blocks, from a slot on. */
  blocksFrom(slot: bigint, limit: number): Promise<readonly bigint[]>;
  /** The hash of the confirmed block of a slot; undefined where the provider does not have it yet. */
  blockhashAt(slot: bigint): Promise<string | undefined>;
  /** Undefined where the provider does not have it. */
  block(slot: bigint): Promise<SolanaBlock | undefined>;
  /** Also searched for in its whole history. */
  statuses(signatures: readonly string[]): Promise<SignatureStatuses>;
  /** As received; `readLandedTransaction` reads it. */
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): Promise<unknown>;
  accounts(
    addresses: readonly string[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<readonly (ChainAccount | null)[]>;
  /**
   * At a final block that is not before this slot; throws where the provider is behind it. The slot is that of the answer: each of
   * the servers behind one address may be at another one.
   */
  finalAccounts(
    addresses: readonly string[],
    notBefore: bigint,
  ): Promise<{ readonly slot: bigint; readonly accounts: readonly (ChainAccount | null)[] }>;
  /** The newest first, one page. */
  history(
    address: string,
    range: { readonly until: string | null; readonly before: string | null },
  ): Promise<readonly HistoryEntry[]>;
  tokenAccounts(
    owner: string,
    program: string,
  ): Promise<readonly { readonly address: string; readonly account: ChainAccount }[]>;
  /** What it would fail with, or null. */
  simulate(wire: string): Promise<unknown>;
  send(wire: string): Promise<string>;
  /** What was lately paid per unit of compute to write to these accounts, in millionths of a lamport. */
  recentFees(accounts: readonly string[]): Promise<readonly bigint[]>;
}
