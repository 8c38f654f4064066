// What orders in the same bytes cost together is divided among them without a rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shareOf } from './entries.ts';

test('the parts of all orders are what the bytes cost, and differ by less than one unit for each order', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 1, max: 100 }), (totalMinor, count) => {
      const shares = Array.from({ length: count }, (_, index) => shareOf(totalMinor, index, count));
      assert.equal(
        shares.reduce((sum, each) => sum + each, 0n),
        totalMinor,
      );
      const [first, ...others] = shares as [bigint, ...bigint[]];
      for (const each of others) assert.ok(each >= 0n && first >= each && first - each < BigInt(count));
    }),
  );
  assert.deepEqual([shareOf(10n, 0, 3), shareOf(10n, 1, 3), shareOf(10n, 2, 3)], [4n, 3n, 3n]);
});
