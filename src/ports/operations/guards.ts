// Guards: background work that would notice money that is missing. One that does not complete is as loud as one that found something,
// because the check does not run any more.
import type { Mode } from '../../domain/values/mode.ts';

/** The money that waits while a guard is blind. */
export type GuardEffect =
  /** Everything that leaves, in naira and in tokens. */
  | 'all'
  /** Tokens of every network, or of the guard's own asset. */
  | 'tokens'
  /** No money waits; people are only warned. */
  | 'nothing';

export interface GuardFacts {
  /** The name for people, for example "The check of the ledger". */
  readonly name: string;
  readonly everyMs: number;
  readonly stops: GuardEffect;
  /** Missing: it looks at both modes. */
  readonly mode?: Mode;
  /** Missing: it looks at all assets of its modes. */
  readonly asset?: string;
}

export interface Guard {
  /** Reports that one whole turn succeeded. */
  completed(): void;
  /** A long turn came further: it is at work. */
  progressed(): void;
  failed(error: Error): void;
}

/** A guard that has not completed for three turns and two minutes. */
export interface BlindGuard extends GuardFacts {
  readonly sinceMs: number;
  /** What it failed with last; null: it did not answer at all. */
  readonly problem: string | null;
}

export interface Guards {
  /** The guard of this name, mode and asset; made when it is asked for first, and taken to be well then. */
  guard(facts: GuardFacts): Guard;
  all(): readonly GuardFacts[];
  blind(): readonly BlindGuard[];
  /** Whether what leaves of this asset waits, because a guard of it is blind. */
  isUnwatched(mode: Mode, asset: string): boolean;
}
