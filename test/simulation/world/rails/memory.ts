// What the simulation remembers about rails in a seed.
import type { RailFigures } from '../../../../src/domain/rails/health.ts';
import type { RailCap, RailPause, Route } from '../../../../src/domain/rails/settings.ts';
import type { StoredRail } from '../../../../src/ports/rails/rail-store.ts';

export interface RailMemory {
  routes: readonly Route[];
  caps: readonly RailCap[];
  /** Every set of caps, with the time from which it applied. */
  readonly capsSince: { readonly atMs: number; readonly caps: readonly RailCap[] }[];
  pauses: readonly RailPause[];
  /** Rises with every change. */
  generation: number;
  readonly rails: Map<string, KeptRail>;
}

export interface KeptRail {
  readonly stored: StoredRail;
  readonly fence: bigint;
  readonly dueAtMs: number;
  /** The last health figures of the rail. */
  readonly figures: RailFigures | null;
  /** The number of successful probes in a row, as it was saved. */
  readonly answered: number;
}
