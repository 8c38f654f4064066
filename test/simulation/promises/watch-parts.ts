// What the watches of a seed check, and how they report a broken promise.
import type { Tables } from '../model/tables.ts';
import type { Happened } from '../world/outside.ts';

export interface WatchParts {
  readonly tables: () => Tables;
  readonly happened: () => Happened;
  readonly now: () => number;
  readonly kobo: (network: string, tokens: bigint) => bigint;
  /**
   * True if the store was recently restored from a backup. A payment that is made now may then come from a request before the
   * restore.
   */
  readonly isRestored: () => boolean;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}
