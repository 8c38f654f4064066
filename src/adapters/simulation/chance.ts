// Chance without dice: every draw is a hash of the seed, what it is for and a counter, so a run with the same seed meets
// the same trouble in the same places.
import { hash } from 'node:crypto';

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
