// What a treasury signs once to make a network ready, from the signature to its end. Each is stored before it is
// broadcast, and ends once: its cost is posted with its end, in the same change.

import type { Mode } from '../values/mode.ts';

export interface SignedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /** The wallet that signs it, and whose sequence numbers it uses. */
  readonly source: string;
  readonly sequence: string | null;
  readonly payload: string;
  readonly bound: string | null;
  /** In the operator's words. */
  readonly what: string;
  readonly signedAtMs: number;
}

export interface EndedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /** `landed`: whether it did what it should or failed. `replaced`: another transaction used its sequence number. */
  readonly outcome: 'landed' | 'dead' | 'replaced';
}
