// Makes the random choices of the histories. The same seed gives the same choices.
import { makeStream } from '../../../support/dice.ts';

export interface Random {
  /** Returns a number from 0 up to, but not including, `end`. */
  below(end: number): number;
  chance(share: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
  weighted<Item>(list: readonly (readonly [number, Item])[]): Item;
  shuffled<Item>(list: readonly Item[]): Item[];
  text(length: number): string;
}

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

export function makeRandom(seed: number): Random {
  const stream = makeStream(`history ${seed}`);
  const next = () => stream() / 2 ** 32;
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)]!,
    weighted: (list) => {
      let left = next() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of list) {
        left -= weight;
        if (left < 0) return item;
      }
      return list.at(-1)![1];
    },
    shuffled: (list) => {
      const mixed = [...list];
      for (let index = mixed.length - 1; index > 0; index--) {
        const other = below(index + 1);
        [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
      }
      return mixed;
    },
    text: (length) => Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join(''),
  };
}
