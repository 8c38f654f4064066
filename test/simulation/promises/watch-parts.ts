// What the watches of a seed check, and how they report a broken promise.
import type { Tables } from '../model/tables.ts';
import type { Happened } from '../world/outside.ts';

export interface WatchParts {
  readonly tables: () => Tables;
  readonly happened: () => Happened;
  readonly now: () => number;
  readonly kobo: (network: string, tokens: bigint) => bigint;
  /** Whether the store was recently restored from a backup: the earlier store may have requested a payment that is made now. */
  readonly isRestored: () => boolean;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}
