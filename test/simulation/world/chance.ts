// Chance in the simulated outside world, as makeChance draws it, with a hash that costs less: a simulation draws a thousand times
// in a seed.
import type { Chance } from '../../../src/adapters/simulation/simulation.ts';
import { mix } from '../../support/dice.ts';

export interface QuickChance extends Chance {
  /** From here on there is no trouble. */
  calm(): void;
}

/** `percentNow`: of a hundred calls that are made now, how many meet trouble. */
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
