// What is stored about rails: what operators set, which rails processes were started with, how each is doing, and the lease of the
// one process that probes it.
import type { HealthState, RailFigures } from '../../domain/rails/health.ts';
import type { RailSettings } from '../../domain/rails/settings.ts';
import type { Unexplained } from '../../domain/rails/unexplained.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface RailName {
  readonly mode: Mode;
  readonly rail: string;
}

/** A rail that pays, as a process was started with it. */
export interface ConfiguredRail extends RailName {
  /** The account it pays from, by its name in the ledger; null: the simulated bank. */
  readonly account: string | null;
  /** Its index in the order of configuration. */
  readonly place: number;
}

export interface KnownBalance {
  readonly minor: bigint;
  readonly atMs: number;
}

export interface StoredRail extends ConfiguredRail, HealthState {
  /** When a running process last had it. */
  readonly seenAtMs: number;
  /** Null: it was not probed yet. */
  readonly probedAtMs: number | null;
  /** Why the last probe failed; null: it succeeded. */
  readonly probeFailure: string | null;
  /** What the rail itself says is in its account; null: it never said. */
  readonly balance: KnownBalance | null;
}

/** A rail whose probe is due, held by one process until the lease ends. */
export interface LeasedRail {
  readonly stored: StoredRail;
  /** Rises with every lease: what an older holder found out is not written. */
  readonly fence: bigint;
}

export interface ProbedRail extends RailName {
  readonly fence: bigint;
  readonly atMs: number;
  readonly dueAtMs: number;
  readonly next: HealthState;
  readonly probeFailure: string | null;
  /** Null: the last known one stays. */
  readonly balanceMinor: bigint | null;
  /** Why it is paused with this write; null: it is not. */
  readonly pause: string | null;
  /** Whether the pause by the health check ends with this write. */
  readonly resumed: boolean;
}

/** What the guard of a rail found. */
export interface RailGuard extends RailName {
  /** Its payments were compared with our payouts up to then. */
  readonly comparedToMs: number;
  /** Why it could not be compared, and since when; null: it was. */
  readonly failure: string | null;
  readonly failingSinceMs: number | null;
  /** The oldest first: those that people have not ended. */
  readonly unexplained: readonly Unexplained[];
}

export interface RailDesk {
  settings(): Promise<RailSettings>;
  /** In the order of configuration, live ones first. */
  list(): Promise<readonly StoredRail[]>;
  guards(): Promise<readonly RailGuard[]>;
  /** What became of attempts that were made from a moment on. */
  figures(of: RailName, fromMs: number, nowMs: number): Promise<RailFigures>;
  /** Naira of attempts that were made from a moment on, whatever became of them. */
  usedMinor(of: RailName, fromMs: number): Promise<bigint>;
  register(rails: readonly ConfiguredRail[], atMs: number): Promise<void>;
  /** Undefined: it is not due, or another process has it. */
  lease(of: RailName, atMs: number, leaseMs: number): Promise<LeasedRail | undefined>;
  /** With the pause and the line in the audit log. False: another process has it by now, and nothing is written. */
  save(probed: ProbedRail): Promise<boolean>;
}
