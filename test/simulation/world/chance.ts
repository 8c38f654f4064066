// Randomness in the simulated outside world, like makeChance, but with a faster hash: a seed makes a thousand random choices.
import type { Chance } from '../../../src/adapters/simulation/simulation.ts';
import { mix } from '../../support/dice.ts';

export interface QuickChance extends Chance {
  /** From now on no call fails. */
  calm(): void;
}

/** `percentNow`: the percentage of calls that fail at this time. */
export function quickChance(seed: string, percentNow: () => number): QuickChance {
  const salt = mix(seed, 11);
  let calls = 0;
  let calm = false;
  return {
    trouble: (operation, subject, kinds) => {
      if (calm) return undefined;
      const call = ++calls;
      if (mix(`${operation} ${subject}`, salt + call) % 10_000 >= percentNow() * 100) return undefined;
      return kinds[mix(subject, salt - call) % kinds.length];
    },
    between: (subject, lowest, highest) => lowest + (mix(subject, salt) % (highest - lowest + 1)),
    calm: () => {
      calm = true;
    },
  };
}
