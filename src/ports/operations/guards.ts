// Guards: background work that detects missing money. A guard that does not complete raises the same alarm as one that found a
// problem, because its check is no longer running.
import type { Mode } from '../../domain/values/mode.ts';

/** The money that waits while a guard is blind. */
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
  /** Missing: it checks both modes. */
  readonly mode?: Mode;
  /** Missing: it checks all assets of its modes. */
  readonly asset?: string;
}

export interface Guard {
  /** Reports that one complete turn succeeded. */
  completed(): void;
  /** Reports that a long turn has made progress. */
  progressed(): void;
  failed(error: Error): void;
}

/** A guard that has not completed for three turns and two minutes. */
export interface BlindGuard extends GuardFacts {
  readonly sinceMs: number;
  /** Its last error; null: it did not answer at all. */
  readonly problem: string | null;
}

export interface Guards {
  /** The guard with this name, mode and asset; created at the first call, and considered healthy then. */
  guard(facts: GuardFacts): Guard;
  all(): readonly GuardFacts[];
  blind(): readonly BlindGuard[];
  /** Whether outgoing money of this asset waits, because one of its guards is blind. */
  isUnwatched(mode: Mode, asset: string): boolean;
}
