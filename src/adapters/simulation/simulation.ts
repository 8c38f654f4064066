// What all parts of the simulated world share: its storage, its clock, its faults and its speed. After a lost connection, the
// caller learns only that the outcome is unknown.
import { hash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/**
 * Makes deterministic random choices. Every choice is a hash of the seed, the purpose of the choice and a counter. So a run
 * with the same seed has the same faults in the same places.
 */
export interface Chance {
  /** Returns one of these kinds of faults, or undefined, which is the usual result. */
  trouble<Kind extends string>(operation: string, subject: string, kinds: readonly Kind[]): Kind | undefined;
  /** Returns a whole number from `lowest` to `highest`, always the same for the same subject. */
  between(subject: string, lowest: number, highest: number): number;
}

export interface ChanceOptions {
  readonly seed: string;
  /** The percentage of calls with a fault. With 0, a call has a fault only if its scenario requires one. */
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
  /**
   * The approximate time that a network needs to include a payment. The simulated bank needs about as long to make a payment.
   */
  readonly paceMs: number;
  /**
   * The maximum number of payments that share one network transaction. If this is missing, each payment has its own network
   * transaction.
   */
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

/** The connection was lost and the outcome is unknown. The other side may have received and executed the request. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export function failIfDisconnected({ chance }: Simulation, operation: string, subject: string): void {
  if (chance.trouble(operation, subject, ['no_connection']) !== undefined) {
    throw new ConnectionLost('the connection failed');
  }
}

export interface UnknownOutcome {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** Returns the result of the work, or an unknown outcome if the connection was lost. Other errors are thrown. */
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

export function readLogPosition(text: string | null): number {
  const position = Number(text ?? '0');
  if (!Number.isSafeInteger(position) || position < 0) throw new Error(`not a position: ${text}`);
  return position;
}
