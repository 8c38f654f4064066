// Stores data about rails: the operators' settings, the rails of running processes, the health of each rail, and the lease of
// the only process that probes the rail.
import type { HealthState, RailFigures } from '../../domain/rails/health.ts';
import type { RailSettings } from '../../domain/rails/settings.ts';
import type { UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface RailKey {
  readonly mode: Mode;
  readonly rail: string;
}

export interface ConfiguredRail extends RailKey {
  /** The ledger name of the account from which the rail pays; null for the simulated bank. */
  readonly account: string | null;
  /** The position of the rail in the order of configuration. */
  readonly place: number;
}

export interface ReportedBalance {
  readonly minor: bigint;
  readonly atMs: number;
}

export interface StoredRail extends ConfiguredRail, HealthState {
  /** The time when a running process last reported the rail. */
  readonly seenAtMs: number;
  /** The time of the last probe; null if the rail was never probed. */
  readonly probedAtMs: number | null;
  /** The reason why the last probe failed; null if the probe succeeded. */
  readonly probeFailure: string | null;
  /** The balance as the rail reports it; null if the rail never reported it. */
  readonly balance: ReportedBalance | null;
}

/** A rail whose probe is due. One process has leased it until the lease ends. */
export interface LeasedRail {
  readonly stored: StoredRail;
  /** Every lease increases this number. The service does not store results of an older holder. */
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
  /** The reason to pause the rail with this write; null if the write starts no pause. */
  readonly pause: string | null;
  /** Whether this write ends the pause that the health check started. */
  readonly resumed: boolean;
}

export interface RailGuard extends RailKey {
  /** The time up to which the payments of the rail were compared with our payouts. */
  readonly comparedToMs: number;
  /**
   * The reason why the payments could not be compared; null if they were compared. `failingSinceMs` is the start of this
   * failure.
   */
  readonly failure: string | null;
  readonly failingSinceMs: number | null;
  /** The unexplained payments that people have not closed, oldest first. */
  readonly unexplained: readonly UnexplainedPayment[];
}

export interface RailStore {
  settings(): Promise<RailSettings>;
  /** Lists the rails in the order of configuration, live rails first. */
  list(): Promise<readonly StoredRail[]>;
  guards(): Promise<readonly RailGuard[]>;
  figures(of: RailKey, fromMs: number, nowMs: number): Promise<RailFigures>;
  /** Returns the sum of all attempts since this time in kobo, no matter how they ended. */
  usedMinor(of: RailKey, fromMs: number): Promise<bigint>;
  register(rails: readonly ConfiguredRail[], atMs: number): Promise<void>;
  /** Leases a rail that is due. Undefined if the rail is not due, or if another process has leased it. */
  lease(of: RailKey, atMs: number, leaseMs: number): Promise<LeasedRail | undefined>;
  /**
   * Stores a probe with the pause and the audit entry. If another process has leased the rail, it returns false and writes
   * nothing.
   */
  save(probed: ProbeResult): Promise<boolean>;
}
