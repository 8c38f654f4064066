// The same seed meets the same trouble, about as often as asked; at zero percent there is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeChance } from './simulation.ts';

const KINDS = ['a', 'b', 'c'] as const;
const draws = (seed: string, faultPercent: number) => {
  const chance = makeChance({ seed, faultPercent });
  return Array.from({ length: 2_000 }, (_, index) => chance.trouble('ask', `hash ${index % 10}`, KINDS));
};

test('trouble is decided by the seed and by nothing else', () => {
  assert.deepEqual(draws('one', 20), draws('one', 20));
  assert.notDeepEqual(draws('one', 20), draws('two', 20));
});

test('trouble is as frequent as asked, of every kind', () => {
  assert.ok(draws('one', 0).every((kind) => kind === undefined));
  assert.ok(draws('one', 100).every((kind) => kind !== undefined));
  const some = draws('one', 20);
  const troubled = some.filter((kind) => kind !== undefined);
  assert.ok(troubled.length > 300 && troubled.length < 500, `${troubled.length}`);
  assert.deepEqual(new Set(troubled), new Set(KINDS));
});

test('a number between two stays between them, and is the same for the same subject', () => {
  const { between } = makeChance({ seed: 'one', faultPercent: 0 });
  const numbers = Array.from({ length: 300 }, (_, index) => between(`${index}`, 5, 9));
  assert.deepEqual(new Set(numbers), new Set([5, 6, 7, 8, 9]));
  assert.equal(between('x', 0, 1_000_000), between('x', 0, 1_000_000));
  assert.equal(between('x', 3, 3), 3);
});
