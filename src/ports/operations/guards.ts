// Guards: background work that detects missing money. A guard that does not complete raises the same alarm as a guard that found
// a problem, because nothing is being checked.
import type { Mode } from '../../domain/values/mode.ts';

/** The outgoing money that waits while a guard is blind. */
export type GuardEffect =
  /** All outgoing money, in naira and in tokens. */
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
  /** Missing if it checks both modes. */
  readonly mode?: Mode;
  /** Missing if it checks all assets of its modes. */
  readonly asset?: string;
}

export interface Guard {
  /** Reports that one complete run succeeded. */
  completed(): void;
  /** Reports that a long run has made progress. */
  progressed(): void;
  failed(error: Error): void;
}

/** A guard that has not completed for at least three runs and at least two minutes. */
export interface BlindGuard extends GuardFacts {
  readonly sinceMs: number;
  /** Its last error; null if it reported no error and did not finish. */
  readonly problem: string | null;
}

export interface Guards {
  /** Returns the guard with this name, mode and asset; the first call creates it, and it then counts as healthy. */
  guard(facts: GuardFacts): Guard;
  all(): readonly GuardFacts[];
  blind(): readonly BlindGuard[];
  /** Whether outgoing money of this asset waits because one of its guards is blind. */
  isUnwatched(mode: Mode, asset: string): boolean;
}
