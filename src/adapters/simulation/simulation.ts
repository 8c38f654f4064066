// What all parts of the simulated world share: its storage, its clock, its faults and its speed. The rule for lost connections:
// the caller learns only that the outcome is unknown.
import { hash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/**
 * Deterministic chance: every draw is a hash of the seed, the purpose of the draw and a counter. So a run with the same seed has
 * the same faults in the same places.
 */
export interface Chance {
  /** One of these kinds of faults, or undefined, which is the usual result. */
  trouble<Kind extends string>(operation: string, subject: string, kinds: readonly Kind[]): Kind | undefined;
  /** A whole number from `lowest` to `highest`, always the same for the same subject. */
  between(subject: string, lowest: number, highest: number): number;
}

export interface ChanceOptions {
  readonly seed: string;
  /** The percentage of calls with a fault. With 0, only calls whose scenario requires a fault have one. */
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
  /** The approximate time that a network needs to include a payment. The bank needs about as long to make one. */
  readonly paceMs: number;
  /** The maximum number of payments that share one transaction of a network. If missing, each payment has its own transaction. */
  readonly batch?: number;
}

export interface Simulation {
  readonly world: SimulatedWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly paceMs: number;
  readonly batch?: number;
  /** True if the payments of a treasury are ordered, as on networks with sequence numbers. */
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

/** The outcome is unknown: the other side may have received and executed the request. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Any call may fail to connect. */
export function failIfDisconnected({ chance }: Simulation, operation: string, subject: string): void {
  if (chance.trouble(operation, subject, ['no_connection']) !== undefined) {
    throw new ConnectionLost('the connection failed');
  }
}

export interface UnknownOutcome {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** Returns the answer, or an unknown outcome if the connection was lost. Our own errors are thrown. */
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

/** The position at which the next read of a log starts. */
export function readLogPosition(text: string | null): number {
  const position = Number(text ?? '0');
  if (!Number.isSafeInteger(position) || position < 0) throw new Error(`not a position: ${text}`);
  return position;
}
