// Provides seeded randomness. The same seed gives the same numbers, in the same order, on every machine.

export interface Dice {
  /** A whole number from 0 up to, but not including, `sides`. */
  below(sides: number): number;
  between(lowest: number, highest: number): number;
  percent(share: number): boolean;
  pick<Item>(from: readonly Item[]): Item;
  /** One of the names, in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  bytes(count: number): Uint8Array;
}

const RANGE = 2 ** 32;

export function makeDice(seed: string): Dice {
  const next = makeStream(seed);
  const below = (sides: number) => Math.floor((next() / RANGE) * sides);
  return {
    below,
    between: (lowest, highest) => lowest + below(highest - lowest + 1),
    percent: (share) => next() / RANGE < share / 100,
    pick: (from) => from[below(from.length)]!,
    weighted: (weights) => {
      const names = Object.keys(weights) as (keyof typeof weights)[];
      let left = below(names.reduce((sum, name) => sum + weights[name], 0));
      return names.find((name) => {
        left -= weights[name];
        return left < 0;
      })!;
    },
    bytes: (count) => {
      const bytes = new Uint8Array(count);
      for (let i = 0; i < count; i++) bytes[i] = next() >>> 24;
      return bytes;
    },
  };
}

/**
 * A small and fast generator that is random enough for tests: four words of state (sfc32), which start from the text of the
 * seed.
 */
export function makeStream(seed: string): () => number {
  let a = mix(seed, 1);
  let b = mix(seed, 2);
  let c = mix(seed, 3);
  let count = 1;
  const next = () => {
    const value = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + value) | 0;
    return value >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/**
 * Computes a number from a text. The same text and salt always give the same number, and similar texts give very different
 * numbers.
 */
export function mix(text: string, salt: number): number {
  let hash = (0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1)) | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
