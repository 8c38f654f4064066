// What the watches of a seed look at, and how they report a broken promise.
import type { Tables } from '../model/tables.ts';
import type { Happened } from '../world/outside.ts';

export interface WatchParts {
  readonly tables: () => Tables;
  readonly happened: () => Happened;
  readonly now: () => number;
  readonly kobo: (network: string, tokens: bigint) => bigint;
  /** The store came from a backup a moment ago: what is paid now may have been asked for by the one before it. */
  readonly isRestored: () => boolean;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}
