// Stored data about rails: the operators' settings, the rails of running processes, the health of each rail, and the lease of the
// only process that probes it.
import type { HealthState, RailFigures } from '../../domain/rails/health.ts';
import type { RailSettings } from '../../domain/rails/settings.ts';
import type { UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface RailKey {
  readonly mode: Mode;
  readonly rail: string;
}

/** A rail with payouts, as a process has configured it. */
export interface ConfiguredRail extends RailKey {
  /** The ledger name of the account that the rail pays from; null for the simulated bank. */
  readonly account: string | null;
  /** Its position in the order of configuration. */
  readonly place: number;
}

export interface ReportedBalance {
  readonly minor: bigint;
  readonly atMs: number;
}

export interface StoredRail extends ConfiguredRail, HealthState {
  /** The time when a running process last reported the rail. */
  readonly seenAtMs: number;
  /** The time of the last probe; null if there was none yet. */
  readonly probedAtMs: number | null;
  /** The reason why the last probe failed; null if it succeeded. */
  readonly probeFailure: string | null;
  /** The balance as the rail reports it; null if it was never reported. */
  readonly balance: ReportedBalance | null;
}

/** A rail whose probe is due, leased to one process until the lease ends. */
export interface LeasedRail {
  readonly stored: StoredRail;
  /** Every lease increases this number: results of an older holder are not written. */
  readonly fence: bigint;
}

export interface ProbeResult extends RailKey {
  readonly fence: bigint;
  readonly atMs: number;
  readonly dueAtMs: number;
  readonly next: HealthState;
  readonly probeFailure: string | null;
  /** The new balance; null to keep the last known balance. */
  readonly balanceMinor: bigint | null;
  /** The reason to pause the rail with this write; null if it is not paused. */
  readonly pause: string | null;
  /** Whether this write ends the pause that the health check started. */
  readonly resumed: boolean;
}

/** What the guard of a rail has found. */
export interface RailGuard extends RailKey {
  /** The time up to which its payments were compared with our payouts. */
  readonly comparedToMs: number;
  /** The reason why the payments could not be compared, and since when; null if they were compared. */
  readonly failure: string | null;
  readonly failingSinceMs: number | null;
  /** The unexplained payments that people have not closed, oldest first. */
  readonly unexplained: readonly UnexplainedPayment[];
}

export interface RailStore {
  settings(): Promise<RailSettings>;
  /** Lists the rails in the order of configuration, live ones first. */
  list(): Promise<readonly StoredRail[]>;
  guards(): Promise<readonly RailGuard[]>;
  /** The outcomes of attempts since a given time. */
  figures(of: RailKey, fromMs: number, nowMs: number): Promise<RailFigures>;
  /** The sum in naira of attempts made since this time, no matter how they ended. */
  usedMinor(of: RailKey, fromMs: number): Promise<bigint>;
  register(rails: readonly ConfiguredRail[], atMs: number): Promise<void>;
  /** Leases a rail that is due; undefined if it is not due, or another process has leased it. */
  lease(of: RailKey, atMs: number, leaseMs: number): Promise<LeasedRail | undefined>;
  /**
   * Stores a probe with the pause and the audit entry. If another process has leased the rail, returns false and writes nothing.
   */
  save(probed: ProbeResult): Promise<boolean>;
}
