// What every part of the simulated world stands on: where it is stored, what time it is, what goes wrong and how fast it
// moves. And the one rule on lost connections: the caller learns that the outcome is unknown, and nothing more.
import { hash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/**
 * Chance without dice: every draw is a hash of the seed, what it is for and a counter, so a run with the
 * same seed meets the same trouble in the same places.
 */
export interface Chance {
  /** One of these kinds of trouble, or, mostly, none. */
  trouble<Kind extends string>(operation: string, subject: string, kinds: readonly Kind[]): Kind | undefined;
  /** A whole number from lowest to highest: always the same for the same subject. */
  between(subject: string, lowest: number, highest: number): number;
}

export interface ChanceOptions {
  readonly seed: string;
  /** How many calls of a hundred meet trouble. 0: only those whose scenario says so. */
  readonly faultPercent: number;
}

const DRAW_HEX_DIGITS = 12;

export function makeChance({ seed, faultPercent }: ChanceOptions): Chance {
  let calls = 0;
  const draw = (...parts: readonly (string | number)[]) =>
    Number.parseInt(hash('sha256', JSON.stringify([seed, ...parts])).slice(0, DRAW_HEX_DIGITS), 16);
  const threshold = Math.round(faultPercent * 100);
  return {
    trouble: (operation, subject, kinds) => {
      if (threshold === 0) return undefined;
      const call = calls++;
      if (draw('trouble', operation, subject, call) % 10_000 >= threshold) return undefined;
      return kinds[draw('kind', operation, subject, call) % kinds.length];
    },
    between: (subject, lowest, highest) => lowest + (draw('between', subject) % (highest - lowest + 1)),
  };
}

export interface SimulationOptions extends ChanceOptions {
  /** How long a network takes to include a payment, and the bank to make one, more or less. */
  readonly paceMs: number;
  /** How many payments of a network may share one transaction, at most. Missing: each goes alone. */
  readonly batch?: number;
}

export interface Simulation {
  readonly world: SimulatedWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly paceMs: number;
  readonly batch?: number;
  /** A treasury's payments have an order, as on networks that number them. */
  readonly ordered?: boolean;
}

export function makeSimulation(parts: {
  readonly world: SimulatedWorld;
  readonly clock: Clock;
  readonly options: SimulationOptions;
}): Simulation {
  const { world, clock, options } = parts;
  const { paceMs, batch = 1 } = options;
  return { world, clock, chance: makeChance(options), paceMs, batch };
}

/** The outcome is unknown: the other side may have received the request, and may have done it. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Every call may fail to get through. */
export function failIfDisconnected({ chance }: Simulation, operation: string, subject: string): void {
  if (chance.trouble(operation, subject, ['no_connection']) !== undefined) {
    throw new ConnectionLost('the connection failed');
  }
}

export interface UnknownOutcome {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** The answer, or that it was lost on the way. A mistake of ours is no lost answer. */
export async function runOrUnknown<T>(work: () => T | Promise<T>): Promise<T | UnknownOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionLost || error instanceof StoreUnavailable) {
      return { kind: 'unknown', reason: error.message };
    }
    throw error;
  }
}

/** The position from which a log is read on. */
export function readLogPosition(text: string | null): number {
  const position = Number(text ?? '0');
  if (!Number.isSafeInteger(position) || position < 0) throw new Error(`not a position: ${text}`);
  return position;
}
