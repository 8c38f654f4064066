// Tests that a process that stops in an orderly way releases its feeds. The next process, or an operator's command, then does
// not have to wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../test/support/settlement.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { Network } from '../ports/networks/network.ts';
import { startSettlement } from './settlement.ts';
import { makeSettlementFeeds } from './settlement-stages.ts';

const rig = await openRig();

test('a process that stops normally releases every feed at once, even after a failed read', async () => {
  const failing = (network: Network): Network =>
    network.name === 'Solana' ? { ...network, observe: () => Promise.reject(new Error('away')) } : network;
  const networks = {
    ...rig.deps.networks,
    enabled: (mode: Mode) => rig.deps.networks.enabled(mode).map(failing),
  };
  const another = { ...rig.deps, networks, holder: 'a process that stops' };
  const settlement = startSettlement({
    deps: another,
    maxBatch: 10,
    onError: assert.ifError,
    onFeedError: (feed) => assert.match(feed, /Solana/),
    onBatch: () => undefined,
  });
  rig.pass(60_000);
  const held = () => rig.rows<{ name: string }>(`select name from feeds where holder = $1`, another.holder);
  const wanted = makeSettlementFeeds(another).map(({ name }) => name);
  while ((await held()).length < wanted.length) settlement.wakeAll();
  await settlement.stop();
  const free = `select name from feeds where held_until <= to_timestamp($1::float8 / 1000) order by 1`;
  const freeNames = async () => (await rig.rows<{ name: string }>(free, rig.now())).map(({ name }) => name);
  assert.deepEqual(await freeNames(), wanted.toSorted());
});
