// Treasuries: what operators see besides balances (the newest movements of a network, withdrawals and the signing caps), and what
// the treasury watch compares.
import type { SignedSend, UnexplainedOutflow } from '../domain/movements/outflows.ts';
import type { Attempt, Movement } from '../domain/records/movement.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The caps of the signer in the token's minor units. Null if there is no cap of that kind. */
export interface SigningCaps {
  readonly perPaymentMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  /** The amount that was signed on this day (Lagos time). */
  readonly todayMinor: bigint;
}

export interface TreasuryStore {
  /** Newest first. */
  lastMovements(mode: Mode, network: string, limit: number): Promise<readonly Movement[]>;
  /** Lists the last withdrawals of all networks, newest first. */
  lastWithdrawals(mode: Mode, limit: number): Promise<readonly Movement[]>;
  /** Null if the network is simulated, because then nothing is signed with a key. `day`: such as `2026-11-14`. */
  caps(mode: Mode, network: string, day: string): Promise<SigningCaps | null>;
}

// What the treasury watch needs from the database: which signed payment has a hash, up to which position each treasury was read,
// and the findings. Findings stop sends of an asset until two people have decided.

/** A stored finding. */
export interface StoredFinding extends UnexplainedOutflow {
  readonly mode: Mode;
  readonly network: string;
  readonly asset: string;
  readonly atMs: number;
}

export interface TreasuryWatch {
  /** The position up to which the outflows of a treasury were compared; null if they never were. */
  position(mode: Mode, network: string): Promise<string | null>;
  /** Stores the position. Two processes may write in any order: after an older position, outflows are only read again. */
  keepPosition(mode: Mode, network: string, position: string): Promise<void>;
  /** Stores each outflow with one of these hashes on its attempt, before anything is decided about the attempt. */
  noteLeft(mode: Mode, network: string, left: ReadonlyMap<string, bigint>): Promise<void>;
  /** The payments of which any version has one of these hashes, by the given hash. */
  sendsByHash(
    mode: Mode,
    network: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, SignedSend>>;
  /** Returns those of these outflows that two people have accepted. */
  accepted(mode: Mode, network: string, txHashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records the findings and halts the asset, in one commit. Returns the new findings. */
  stop(
    of: { readonly mode: Mode; readonly network: string; readonly asset: string; readonly atMs: number },
    findings: readonly UnexplainedOutflow[],
  ): Promise<readonly UnexplainedOutflow[]>;
  /** The findings that two people have not accepted yet, oldest first. */
  openFindings(): Promise<readonly StoredFinding[]>;
  /** The reason why sends of an asset are halted, with its open findings; undefined if they are not halted. */
  haltOf(
    mode: Mode,
    asset: string,
  ): Promise<{ readonly reason: string; readonly findings: readonly StoredFinding[] } | undefined>;
  /** Attempts that were declared dead since then, starting after a hash; each signed payment appears once. */
  deadSends(
    mode: Mode,
    network: string,
    since: { readonly sinceMs: number; readonly after: string; readonly limit: number },
  ): Promise<readonly Attempt[]>;
}
