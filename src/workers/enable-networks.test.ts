// Tests that networks that could not be checked at the start are tried again until they are enabled. It also tests the log
// lines and metrics about this.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/patience.ts';
import { makeNetworks } from '../adapters/networks/registry.ts';
import { makeMetrics } from '../http/metrics.ts';
import type { DisabledNetwork, Network } from '../ports/networks/network.ts';
import { type EnableNetworksDeps, startEnablingNetworks } from './enable-networks.ts';

type Outcome = Awaited<ReturnType<EnableNetworksDeps['enable']>>;

const away = (mode: 'live' | 'test', name: string): DisabledNetwork => ({
  ...{ mode, name, problem: `${name}: no provider answers (one: 429).`, described: null },
});
const NO_ANSWER: Outcome = { problem: 'no answer', wrong: false };
const WRONG: Outcome = { problem: 'another chain', wrong: true };

/**
 * The attempts to enable a network return these outcomes one after the other. If an outcome is an error, the attempt throws it.
 */
function stage(
  disabled: readonly DisabledNetwork[],
  outcomes: Readonly<Record<string, (Outcome | Error)[]>>,
) {
  const networks = makeNetworks<Network>({ live: [], test: [] }, [], disabled);
  const metrics = makeMetrics({});
  const said: string[] = [];
  const loop = startEnablingNetworks({
    networks,
    enable: async ({ mode, name }) => {
      const outcome = outcomes[name]!.shift() ?? null;
      if (outcome instanceof Error) throw outcome;
      if (outcome === null) networks.enable(mode, { name } as Network);
      return outcome;
    },
    instruments: metrics,
    say: (loudness, message, detail) => said.push(`${loudness}: ${message} (${detail.network})`),
    pausesMs: [1, 4],
  });
  const shown = async (network: string) =>
    new RegExp(`sliproad_network_enabled\\{mode="\\w+",network="${network}"\\} (\\d)`).exec(
      await metrics.registry.metrics(),
    )?.[1];
  return { networks, said, loop, shown };
}

test('each network is retried after any failure until it is enabled, and is reported once at the start and once at the end', async () => {
  const { networks, said, loop, shown } = stage([away('live', 'Polygon'), away('test', 'Solana')], {
    Polygon: [NO_ANSWER, new Error('the database is away'), NO_ANSWER, null],
    Solana: Array.from({ length: 1_000_000 }, () => NO_ANSWER),
  });
  assert.deepEqual([await shown('Polygon'), await shown('Solana')], ['0', '0']);
  assert.equal(networks.find('live', 'Polygon'), undefined);
  await until('it is enabled', () => networks.find('live', 'polygon') !== undefined);
  await until('it is reported', () => said.length === 3);
  assert.deepEqual(said, [
    'error: a network could not be checked: it is disabled and will be retried (Polygon)',
    'error: a network could not be checked: it is disabled and will be retried (Solana)',
    'info: a network is now enabled (Polygon)',
  ]);
  assert.deepEqual([await shown('Polygon'), await shown('Solana')], ['1', '0']);
  assert.deepEqual(networks.enabled('live').length, 1);
  assert.deepEqual(networks.disabled('live'), []);
  assert.deepEqual(networks.disabled('test').length, 1);
  await loop.stop();
});

test('wrong settings are reported once, and the network is still retried', async () => {
  const { networks, said, loop } = stage([away('live', 'Polygon')], {
    Polygon: [NO_ANSWER, WRONG, WRONG, NO_ANSWER, WRONG, null],
  });
  await until('it is enabled', () => networks.enabled('live').length === 1);
  await until('it is reported', () => said.length === 3);
  assert.equal(said[1], 'error: a disabled network does not match its settings (Polygon)');
  await loop.stop();
});

test('stopping does not wait for providers that hang', async () => {
  const networks = makeNetworks<Network>({ live: [], test: [] }, [], [away('live', 'Polygon')]);
  const asked = Promise.withResolvers<void>();
  const loop = startEnablingNetworks({
    networks,
    enable: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
    instruments: makeMetrics({}),
    say: () => undefined,
    pausesMs: [1, 1],
  });
  await asked.promise;
  await loop.stop();
});
