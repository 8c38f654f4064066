// Treasuries: what operators see besides balances (the newest movements of a network, withdrawals and the caps of the signer),
// and what the treasury watch compares.
import type { SignedSend, UnexplainedOutflow } from '../domain/movements/outflows.ts';
import type { Attempt, Movement } from '../domain/records/movement.ts';
import type { Mode } from '../domain/values/mode.ts';

/** The caps of the signer in the token's minor units. Null if there is no cap of that kind. */
export interface SigningCaps {
  readonly perPaymentMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  /** The amount that was signed on this day in Lagos. */
  readonly todayMinor: bigint;
}

export interface TreasuryStore {
  /** Newest first. */
  lastMovements(mode: Mode, network: string, limit: number): Promise<readonly Movement[]>;
  lastWithdrawals(mode: Mode, limit: number): Promise<readonly Movement[]>;
  /**
   * Returns the caps of the signer. Null if the network is simulated, because then no key signs anything. `day` is a day such
   * as `2026-11-14`.
   */
  caps(mode: Mode, network: string, day: string): Promise<SigningCaps | null>;
}

// What the treasury watch needs from the database: which signed payment has a hash, the position up to which each treasury was
// read, and the unexplained outflows. An unexplained outflow stops the sends of an asset until two people have decided.

export interface StoredFinding extends UnexplainedOutflow {
  readonly mode: Mode;
  readonly network: string;
  readonly asset: string;
  readonly atMs: number;
}

export interface TreasuryWatch {
  /** Returns the position up to which the outflows of a treasury were compared; null if they were never compared. */
  position(mode: Mode, network: string): Promise<string | null>;
  /** Stores the position. Two processes may write in any order: after an older position, outflows are only read again. */
  keepPosition(mode: Mode, network: string, position: string): Promise<void>;
  /** Records each outflow with one of these hashes on its attempt, before anything is decided about the attempt. */
  noteLeft(mode: Mode, network: string, left: ReadonlyMap<string, bigint>): Promise<void>;
  /** Returns the signed payments that have a version with one of these hashes, by the given hash. */
  sendsByHash(
    mode: Mode,
    network: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, SignedSend>>;
  /** Returns those of the given outflows that two people have accepted. */
  accepted(mode: Mode, network: string, txHashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records the unexplained outflows and halts the asset in one commit. It returns the new unexplained outflows. */
  stop(
    of: { readonly mode: Mode; readonly network: string; readonly asset: string; readonly atMs: number },
    findings: readonly UnexplainedOutflow[],
  ): Promise<readonly UnexplainedOutflow[]>;
  /** Lists the unexplained outflows that two people have not accepted yet, oldest first. */
  openFindings(): Promise<readonly StoredFinding[]>;
  /**
   * Returns the reason why sends of an asset are halted, with the open unexplained outflows. Undefined if the asset is not
   * halted.
   */
  haltOf(
    mode: Mode,
    asset: string,
  ): Promise<{ readonly reason: string; readonly findings: readonly StoredFinding[] } | undefined>;
  /** Lists attempts that were declared dead since then, starting after a hash. Each signed payment appears once. */
  deadSends(
    mode: Mode,
    network: string,
    since: { readonly sinceMs: number; readonly after: string; readonly limit: number },
  ): Promise<readonly Attempt[]>;
}
