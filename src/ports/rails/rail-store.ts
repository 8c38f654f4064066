// Stored data about rails: the operators' settings, the rails of running processes, the health of each rail, and the lease of the
// one process that probes it.
import type { HealthState, RailFigures } from '../../domain/rails/health.ts';
import type { RailSettings } from '../../domain/rails/settings.ts';
import type { UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface RailKey {
  readonly mode: Mode;
  readonly rail: string;
}

/** A rail with payouts, as configured in a process. */
export interface ConfiguredRail extends RailKey {
  /** The ledger name of the account it pays from; null: the simulated bank. */
  readonly account: string | null;
  /** Its index in the order of configuration. */
  readonly place: number;
}

export interface ReportedBalance {
  readonly minor: bigint;
  readonly atMs: number;
}

export interface StoredRail extends ConfiguredRail, HealthState {
  /** When a running process last reported the rail. */
  readonly seenAtMs: number;
  /** The time of the last probe; null: none yet. */
  readonly probedAtMs: number | null;
  /** The reason why the last probe failed; null: it succeeded. */
  readonly probeFailure: string | null;
  /** The balance according to the rail; null: never reported. */
  readonly balance: ReportedBalance | null;
}

/** A rail whose probe is due, leased to one process until the lease ends. */
export interface LeasedRail {
  readonly stored: StoredRail;
  /** Every lease raises it: results of an older holder are not written. */
  readonly fence: bigint;
}

export interface ProbeResult extends RailKey {
  readonly fence: bigint;
  readonly atMs: number;
  readonly dueAtMs: number;
  readonly next: HealthState;
  readonly probeFailure: string | null;
  /** The new balance; null: the last known balance stays. */
  readonly balanceMinor: bigint | null;
  /** The reason to pause the rail with this write; null: it is not paused. */
  readonly pause: string | null;
  /** Whether the pause by the health check ends with this write. */
  readonly resumed: boolean;
}

/** What the guard of a rail has found. */
export interface RailGuard extends RailKey {
  /** The time up to which its payments were compared with our payouts. */
  readonly comparedToMs: number;
  /** The reason why it could not be compared, and since when; null: it was compared. */
  readonly failure: string | null;
  readonly failingSinceMs: number | null;
  /** The unexplained payments that people have not closed, the oldest first. */
  readonly unexplained: readonly UnexplainedPayment[];
}

export interface RailStore {
  settings(): Promise<RailSettings>;
  /** Lists the rails in the order of configuration, live ones first. */
  list(): Promise<readonly StoredRail[]>;
  guards(): Promise<readonly RailGuard[]>;
  /** The outcomes of attempts since a time. */
  figures(of: RailKey, fromMs: number, nowMs: number): Promise<RailFigures>;
  /** The naira of attempts made from this time on, whatever their outcome. */
  usedMinor(of: RailKey, fromMs: number): Promise<bigint>;
  register(rails: readonly ConfiguredRail[], atMs: number): Promise<void>;
  /** Takes a rail that is due; undefined: it is not due, or another process has it. */
  lease(of: RailKey, atMs: number, leaseMs: number): Promise<LeasedRail | undefined>;
  /** Stores a probe with the pause and the audit entry. False: another process has the rail, and nothing is written. */
  save(probed: ProbeResult): Promise<boolean>;
}
