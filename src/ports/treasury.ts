// Treasuries: what operators see of them, and what the watch compares. What the operator reads about treasuries besides
// balances: the newest movements of a network, withdrawals, and how much may be signed for.
import type { SignedSend, UnexplainedOutflow } from '../domain/movements/outflows.ts';
import type { Attempt, Movement } from '../domain/records/movement.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The caps of the signer in the token's minor units. Null: no cap of that kind. */
export interface SigningCaps {
  readonly perPaymentMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  /** Signed for on this day of the Lagos calendar. */
  readonly todayMinor: bigint;
}

export interface TreasuryStore {
  /** Newest first. */
  lastMovements(mode: Mode, network: string, limit: number): Promise<readonly Movement[]>;
  /** Lists the last withdrawals of all networks, newest first. */
  lastWithdrawals(mode: Mode, limit: number): Promise<readonly Movement[]>;
  /** Null: nothing is signed with a key here, because the network is simulated. `day`: as `2026-11-14`. */
  caps(mode: Mode, network: string, day: string): Promise<SigningCaps | null>;
}

// What the watch over treasuries needs of the database: which bytes have a hash, how far each treasury was read, and the
// findings that stop sends of an asset until two people have looked.

/** A finding as it is stored. */
export interface StoredFinding extends UnexplainedOutflow {
  readonly mode: Mode;
  readonly network: string;
  readonly asset: string;
  readonly atMs: number;
}

export interface TreasuryWatch {
  /** The position up to which the outflows of a treasury were compared; null: never. */
  position(mode: Mode, network: string): Promise<string | null>;
  /** Stores the position. Two processes may write in any order: an older position is read again, which does no harm. */
  keepPosition(mode: Mode, network: string, position: string): Promise<void>;
  /** Stores on the attempts with these hashes what was seen leaving under them, before anything is decided about them. */
  noteLeft(mode: Mode, network: string, left: ReadonlyMap<string, bigint>): Promise<void>;
  /** The bytes stored under these hashes, in whatever version, by the hash asked for. */
  sendsByHash(
    mode: Mode,
    network: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, SignedSend>>;
  /** Finds the outflows among these that two people have accepted. */
  accepted(mode: Mode, network: string, txHashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records the findings and halts the asset, in one commit. Answers those that are new. */
  stop(
    of: { readonly mode: Mode; readonly network: string; readonly asset: string; readonly atMs: number },
    findings: readonly UnexplainedOutflow[],
  ): Promise<readonly UnexplainedOutflow[]>;
  /** The findings that no two people have accepted yet, oldest first. */
  openFindings(): Promise<readonly StoredFinding[]>;
  /** The reason why sends of an asset are halted, with its open findings; undefined: they are not. */
  haltOf(
    mode: Mode,
    asset: string,
  ): Promise<{ readonly reason: string; readonly findings: readonly StoredFinding[] } | undefined>;
  /** Attempts that were declared dead since then, each set of bytes once, after a hash. */
  deadSends(
    mode: Mode,
    network: string,
    since: { readonly sinceMs: number; readonly after: string; readonly limit: number },
  ): Promise<readonly Attempt[]>;
}
