// What is remembered about rails in a seed.
import type { RailFigures } from '../../../../src/domain/rails/health.ts';
import type { RailCap, RailPause, Route } from '../../../../src/domain/rails/settings.ts';
import type { StoredRail } from '../../../../src/ports/rails/rail-store.ts';

export interface RailMemory {
  routes: readonly Route[];
  caps: readonly RailCap[];
  /** Every set of caps there was, and since when. */
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
  /** What was answered about it last. */
  readonly figures: RailFigures | null;
  /** Probes in a row that succeeded, as they were saved. */
  readonly answered: number;
}
