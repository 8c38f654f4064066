// Tests simulated faults. The same seed gives the same faults, about as often as configured, and none at zero percent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeChance } from './simulation.ts';

const KINDS = ['a', 'b', 'c'] as const;
const draws = (seed: string, faultPercent: number) => {
  const chance = makeChance({ seed, faultPercent });
  return Array.from({ length: 2_000 }, (_, index) => chance.trouble('ask', `hash ${index % 10}`, KINDS));
};

test('only the seed decides the faults', () => {
  assert.deepEqual(draws('one', 20), draws('one', 20));
  assert.notDeepEqual(draws('one', 20), draws('two', 20));
});

test('faults are as frequent as configured, and every kind occurs', () => {
  assert.ok(draws('one', 0).every((kind) => kind === undefined));
  assert.ok(draws('one', 100).every((kind) => kind !== undefined));
  const some = draws('one', 20);
  const troubled = some.filter((kind) => kind !== undefined);
  assert.ok(troubled.length > 300 && troubled.length < 500, `${troubled.length}`);
  assert.deepEqual(new Set(troubled), new Set(KINDS));
});

test('a drawn number is within its limits, and is the same for the same subject', () => {
  const { between } = makeChance({ seed: 'one', faultPercent: 0 });
  const numbers = Array.from({ length: 300 }, (_, index) => between(`${index}`, 5, 9));
  assert.deepEqual(new Set(numbers), new Set([5, 6, 7, 8, 9]));
  assert.equal(between('x', 0, 1_000_000), between('x', 0, 1_000_000));
  assert.equal(between('x', 3, 3), 3);
});
