// Treasuries: what operators see of them besides balances (the newest movements of a network, withdrawals, and the signing caps),
// and what the watch compares.
import type { SignedSend, UnexplainedOutflow } from '../domain/movements/outflows.ts';
import type { Attempt, Movement } from '../domain/records/movement.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The caps of the signer in the token's minor units. Null: no cap of that kind. */
export interface SigningCaps {
  readonly perPaymentMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  /** The signed amount on this day (Lagos time). */
  readonly todayMinor: bigint;
}

export interface TreasuryStore {
  /** Newest first. */
  lastMovements(mode: Mode, network: string, limit: number): Promise<readonly Movement[]>;
  /** Lists the last withdrawals of all networks, newest first. */
  lastWithdrawals(mode: Mode, limit: number): Promise<readonly Movement[]>;
  /** Null: the network is simulated, so nothing is signed with a key. `day`: such as `2026-11-14`. */
  caps(mode: Mode, network: string, day: string): Promise<SigningCaps | null>;
}

// What the watch over treasuries needs from the database: which signed payment has a hash, how far each treasury was read, and
// the findings that stop sends of an asset until two people have decided.

/** A stored finding. */
export interface StoredFinding extends UnexplainedOutflow {
  readonly mode: Mode;
  readonly network: string;
  readonly asset: string;
  readonly atMs: number;
}

export interface TreasuryWatch {
  /** The position up to which the outflows of a treasury were compared; null: never. */
  position(mode: Mode, network: string): Promise<string | null>;
  /** Stores the position. Two processes may write in any order: an older position is only read again. */
  keepPosition(mode: Mode, network: string, position: string): Promise<void>;
  /** Stores the outflows seen under these hashes on their attempts, before any decision about the attempts. */
  noteLeft(mode: Mode, network: string, left: ReadonlyMap<string, bigint>): Promise<void>;
  /** The payments stored under these hashes, in any version, by the given hash. */
  sendsByHash(
    mode: Mode,
    network: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, SignedSend>>;
  /** Finds the outflows among these that two people have accepted. */
  accepted(mode: Mode, network: string, txHashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records the findings and halts the asset, in one commit. Returns the new findings. */
  stop(
    of: { readonly mode: Mode; readonly network: string; readonly asset: string; readonly atMs: number },
    findings: readonly UnexplainedOutflow[],
  ): Promise<readonly UnexplainedOutflow[]>;
  /** The findings that two people have not accepted yet, oldest first. */
  openFindings(): Promise<readonly StoredFinding[]>;
  /** Why sends of an asset are halted, with its open findings; undefined: they are not halted. */
  haltOf(
    mode: Mode,
    asset: string,
  ): Promise<{ readonly reason: string; readonly findings: readonly StoredFinding[] } | undefined>;
  /** Attempts that were declared dead since then, each signed payment once, after a hash. */
  deadSends(
    mode: Mode,
    network: string,
    since: { readonly sinceMs: number; readonly after: string; readonly limit: number },
  ): Promise<readonly Attempt[]>;
}
