// Guards: background work that detects missing money. A guard that does not complete raises the same alarm as a guard that
// found a problem, because nothing checks the money.
import type { Mode } from '../../domain/values/mode.ts';

/** Which outgoing money waits while a guard is blind. */
export type GuardEffect =
  /** All outgoing money waits, in naira and in tokens. */
  | 'all'
  /** The tokens of the guard's asset wait. If the guard has no asset, the tokens of every network wait. */
  | 'tokens'
  /** No money waits; the service only warns people. */
  | 'nothing';

export interface GuardFacts {
  /** The name for people, for example "The check of the ledger". */
  readonly name: string;
  readonly everyMs: number;
  readonly stops: GuardEffect;
  /** Missing if the guard checks both modes. */
  readonly mode?: Mode;
  /** Missing if the guard checks all assets of its modes. */
  readonly asset?: string;
}

export interface Guard {
  completed(): void;
  progressed(): void;
  failed(error: Error): void;
}

/** A guard that has not completed for at least three runs and at least two minutes. */
export interface BlindGuard extends GuardFacts {
  readonly sinceMs: number;
  /** The last error of the guard. Null if the guard did not finish and reported no error. */
  readonly problem: string | null;
}

export interface Guards {
  /** Returns the guard with this name, mode and asset. The first call creates the guard, which then counts as healthy. */
  guard(facts: GuardFacts): Guard;
  all(): readonly GuardFacts[];
  blind(): readonly BlindGuard[];
  /** Whether outgoing money of this asset waits because one of its guards is blind. */
  isUnwatched(mode: Mode, asset: string): boolean;
}
