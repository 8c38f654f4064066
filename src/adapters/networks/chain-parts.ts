// The parts that every adapter of a real network gets.
import type { Clock } from '../../ports/clock.ts';
import type { Signer } from '../../ports/signer.ts';

export interface ChainParts {
  readonly clock: Clock;
  readonly signer: Signer;
  /** The treasury, for commands that only read and have no signer. */
  readonly wallet?: string;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}
