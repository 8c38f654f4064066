// Tests that the service reads a rail's statement at the interval of that rail. It reads on at once while the statement has
// lines. It pauses first if there was no line or if the statement could not be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../test/support/settlement.ts';
import { SIMULATED_TERMS } from '../domain/rails/terms.ts';
import type { Rail } from '../ports/rails/rail.ts';
import type { NoticeLine } from '../ports/rails/rail-statement.ts';
import { makeSettlementFeeds } from './settlement-stages.ts';

const rig = await openRig();

test('a statement is read again at once after new lines, and otherwise after the interval of the rail', async () => {
  const pages: (readonly NoticeLine[] | Error)[] = [];
  let reads = 0;
  const rail: Rail = {
    name: 'slow',
    account: null,
    pace: { readEveryMs: 10_000, askAfterMs: 300 },
    terms: SIMULATED_TERMS,
    payouts: null,
    statement: {
      read: async () => {
        reads++;
        const page = pages.shift() ?? [];
        if (page instanceof Error) throw page;
        return { lines: page, position: `${reads}` };
      },
    },
  };
  const { deps } = rig.another({ rails: () => [rail] });
  const feed = makeSettlementFeeds(deps).find(({ name }) => name === 'bank test slow')!;
  const readingsOf = async (times: number) => {
    const before = reads;
    for (let time = 0; time < times; time++) await feed.read().catch(() => undefined);
    return reads - before;
  };
  const line: NoticeLine = {
    ...{ kind: 'credit_reversed', sourceId: 'line', about: 'nothing', amountMinor: 1n },
    raw: {},
  };
  pages.push([line], [line]);
  assert.equal(await readingsOf(5), 3, 'two pages with lines, and one without');
  rig.pass(9_999);
  assert.equal(await readingsOf(3), 0);
  rig.pass(1);
  assert.equal(await readingsOf(3), 1);
  rig.pass(10_000);
  pages.push(new Error('away'), [line]);
  assert.equal(await readingsOf(3), 1, 'a rail that cannot be read rests, too');
  rig.pass(10_000);
  assert.equal(await readingsOf(3), 2);
});
