// Tests that the service reads the state of networks and treasuries once for all readers. It reads the state again after a few
// seconds, and at once after a failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Network, Networks } from '../../ports/networks/network.ts';
import { makeNetworksReader } from './read-networks.ts';

function stage() {
  const world = { nowMs: 0, asked: 0, fails: false };
  const network = {
    name: 'Polygon',
    asset: { code: 'NGNC', decimals: 6 },
    treasury: async () => null,
    providers: async () => {
      world.asked++;
      if (world.fails) throw new Error('no answer');
      return [{ name: 'rpc.example', problem: null, failures: 0, silentMs: 0 }];
    },
  } as unknown as Network;
  const solana = { mode: 'live', name: 'Solana', problem: 'no provider answers', described: null };
  const networks = {
    enabled: (mode: string) => (mode === 'live' ? [network] : []),
    disabled: (mode: string) => (mode === 'live' ? [solana] : []),
  } as unknown as Networks;
  const read = makeNetworksReader({
    networks,
    clock: { now: () => world.nowMs },
    store: { balances: async () => new Map() },
    ledgerAudit: { unswept: async () => new Map(), idle: async () => new Map() },
  });
  return { world, read };
}

test('a reading is cached for exactly ten seconds, for all readers', async () => {
  const { world, read } = stage();
  const [first, second] = await Promise.all([read(), read()]);
  assert.equal(first, second);
  assert.deepEqual([first.providers[0]?.answering, first.disabled.map(({ name }) => name)], [1, ['Solana']]);
  world.nowMs = 9_999;
  assert.equal(await read(), first);
  assert.equal(world.asked, 1);
  world.nowMs = 10_000;
  assert.notEqual(await read(), first);
  assert.equal(world.asked, 2);
});

test('a failure is not cached: the next reader reads again', async () => {
  const { world, read } = stage();
  world.fails = true;
  await assert.rejects(read(), /no answer/);
  world.fails = false;
  assert.equal((await read()).providers.length, 1);
  assert.equal(world.asked, 2);
});
