// What is stored about rails: what operators set, which rails processes were started with, how each is doing, and the lease of the
// one process that probes it.
import type { HealthState, RailFigures } from '../../domain/rails/health.ts';
import type { RailSettings } from '../../domain/rails/settings.ts';
import type { UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';

export interface RailKey {
  readonly mode: Mode;
  readonly rail: string;
}

/** A rail that pays, as a process was started with it. */
export interface ConfiguredRail extends RailKey {
  /** The account it pays from, by its name in the ledger; null: the simulated bank. */
  readonly account: string | null;
  /** Its index in the order of configuration. */
  readonly place: number;
}

export interface ReportedBalance {
  readonly minor: bigint;
  readonly atMs: number;
}

export interface StoredRail extends ConfiguredRail, HealthState {
  /** The time when a running process last had the rail. */
  readonly seenAtMs: number;
  /** The time of the last probe; null: none yet. */
  readonly probedAtMs: number | null;
  /** The reason why the last probe failed; null: it succeeded. */
  readonly probeFailure: string | null;
  /** The balance according to the rail; null: never reported. */
  readonly balance: ReportedBalance | null;
}

/** A rail whose probe is due, held by one process until the lease ends. */
export interface LeasedRail {
  readonly stored: StoredRail;
  /** Rises with every lease: what an older holder found out is not written. */
  readonly fence: bigint;
}

export interface ProbeResult extends RailKey {
  readonly fence: bigint;
  readonly atMs: number;
  readonly dueAtMs: number;
  readonly next: HealthState;
  readonly probeFailure: string | null;
  /** The new balance; null: the last known one stays. */
  readonly balanceMinor: bigint | null;
  /** The reason for pausing it with this write; null: it is not paused. */
  readonly pause: string | null;
  /** Whether the pause by the health check ends with this write. */
  readonly resumed: boolean;
}

/** The findings of the guard of a rail. */
export interface RailGuard extends RailKey {
  /** Its payments were compared with our payouts up to then. */
  readonly comparedToMs: number;
  /** The reason why it could not be compared, and since when; null: it was. */
  readonly failure: string | null;
  readonly failingSinceMs: number | null;
  /** The oldest first: those that people have not ended. */
  readonly unexplained: readonly UnexplainedPayment[];
}

export interface RailStore {
  settings(): Promise<RailSettings>;
  /** Lists the rails in the order of configuration, live ones first. */
  list(): Promise<readonly StoredRail[]>;
  guards(): Promise<readonly RailGuard[]>;
  /** The outcomes of attempts since a time. */
  figures(of: RailKey, fromMs: number, nowMs: number): Promise<RailFigures>;
  /** Naira of attempts that were made from a moment on, whatever became of them. */
  usedMinor(of: RailKey, fromMs: number): Promise<bigint>;
  register(rails: readonly ConfiguredRail[], atMs: number): Promise<void>;
  /** Takes a rail that is due; undefined: it is not due, or another process has it. */
  lease(of: RailKey, atMs: number, leaseMs: number): Promise<LeasedRail | undefined>;
  /** Stores a probe with the pause and the audit entry. False: another process has the rail, and nothing is written. */
  save(probed: ProbeResult): Promise<boolean>;
}
