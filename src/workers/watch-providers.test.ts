// Tests the watch over providers. An operator gets one warning when a provider stops responding, an error when too few respond,
// and a notice when the problem is over. A provider that fails and recovers repeatedly is reported once. Metrics show the
// current state of each provider.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMetrics } from '../http/metrics.ts';
import type { Network, Networks } from '../ports/networks/network.ts';
import type { ProviderState } from '../ports/networks/network-watch.ts';
import { startProviderWatch } from './watch-providers.ts';

function stage(names: readonly string[]) {
  const down = new Set<string>();
  const said: string[] = [];
  const metrics = makeMetrics({});
  let begin = () => {};
  let ended = () => {};
  let turn = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const providers = async (): Promise<readonly ProviderState[]> => {
    ended();
    await turn;
    return names.map((name, index) => ({
      name,
      problem: down.has(name) ? 'it took too long' : null,
      failures: 10 + index,
      silentMs: down.has(name) ? 90_500 : 0,
    }));
  };
  const of = (name: string, read: Network['providers']) => ({ name, providers: read }) as unknown as Network;
  const enabled = { live: [of('Polygon', providers)], test: [of('Simulated', async () => [])] };
  const loop = startProviderWatch(
    {
      networks: { enabled: (mode) => enabled[mode] } as Partial<Networks> as Networks,
      instruments: metrics,
      say: (loudness, message, detail) =>
        said.push(`${loudness}: ${message}${'provider' in detail ? ` (${detail.provider})` : ''}`),
      onError: (error) => assert.fail(error),
    },
    1,
  );
  return {
    down,
    looks: async (count: number) => {
      for (let look = 0; look < count; look++) {
        const next = new Promise<void>((resolve) => {
          ended = resolve;
        });
        const go = begin;
        turn = new Promise((resolve) => {
          begin = resolve;
        });
        go();
        await next;
      }
      return said.splice(0);
    },
    series: async () =>
      (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('sliproad_network')),
    stop: () => {
      begin();
      return loop.stop();
    },
  };
}

const GONE = (name: string) => `warn: a provider does not answer and is skipped (${name})`;
const BACK = (name: string) => `info: a provider answers again (${name})`;
const NONE = 'error: no provider of a network answers: everything on it is paused';
const FEW = 'error: only one provider of a network answers: operations that need two are paused';

test('one unreachable provider of three is reported once, and once more when it has been reachable again for a while', async () => {
  const { down, looks, stop } = stage(['a', 'b', 'c']);
  assert.deepEqual(await looks(3), []);
  down.add('b');
  assert.deepEqual(await looks(5), [GONE('b')]);
  down.clear();
  assert.deepEqual(await looks(3), []);
  assert.deepEqual(await looks(3), [BACK('b')]);
  down.add('b');
  assert.deepEqual(await looks(3), [GONE('b')], 'another time is another trouble');
  await stop();
});

test('a provider that fails and recovers repeatedly is reported once', async () => {
  const { down, looks, stop } = stage(['a', 'b', 'c']);
  const all: string[] = [];
  for (let round = 0; round < 6; round++) {
    down.add('b');
    all.push(...(await looks(1)));
    down.clear();
    all.push(...(await looks(2)));
  }
  assert.deepEqual(all, [GONE('b')]);
  await stop();
});

test('threat 42: fewer than two reachable providers cause a more severe report, and no reachable provider the most severe', async () => {
  const { down, looks, stop } = stage(['a', 'b', 'c']);
  await looks(1);
  down.add('a');
  down.add('b');
  assert.deepEqual(await looks(3), [FEW, GONE('a'), GONE('b')]);
  down.add('c');
  assert.deepEqual(await looks(3), [NONE, GONE('c')]);
  down.delete('c');
  assert.deepEqual(await looks(6), ['info: a provider of the network answers again', BACK('c')]);
  down.clear();
  assert.deepEqual(await looks(6), ['info: two providers of the network answer again', BACK('a'), BACK('b')]);
  await stop();
});

test('a network with one provider does not need two, and a failure of all providers at once has its own report', async () => {
  const alone = stage(['a']);
  assert.deepEqual(await alone.looks(2), []);
  const missing = 'sliproad_network_providers_missing{mode="live",network="Polygon"}';
  assert.ok((await alone.series()).includes(`${missing} 0`));
  alone.down.add('a');
  assert.deepEqual(await alone.looks(2), [NONE, GONE('a')]);
  assert.ok((await alone.series()).includes(`${missing} 1`));
  await alone.stop();
  const both = stage(['a', 'b']);
  both.down.add('a').add('b');
  assert.deepEqual(await both.looks(3), [NONE, GONE('a'), GONE('b')]);
  both.down.clear();
  assert.equal((await both.looks(6)).length, 4);
  await both.stop();
});

test('metrics show each provider, and how many providers a network lacks; a simulated network has no such metrics', async () => {
  const { down, looks, series, stop } = stage(['a.example', 'b.example']);
  down.add('b.example');
  await looks(2);
  const b = '{mode="live",network="Polygon",provider="b.example"}';
  const expected = [
    'sliproad_network_provider_up{mode="live",network="Polygon",provider="a.example"} 1',
    `sliproad_network_provider_up${b} 0`,
    `sliproad_network_provider_silent_seconds${b} 90.5`,
    `sliproad_network_provider_failures_total${b} 11`,
    'sliproad_network_providers_missing{mode="live",network="Polygon"} 1',
  ];
  const shown = await series();
  for (const line of expected) assert.ok(shown.includes(line), `${line} in\n${shown.join('\n')}`);
  assert.equal(shown.length, 7);
  down.clear();
  await looks(2);
  assert.ok((await series()).includes('sliproad_network_providers_missing{mode="live",network="Polygon"} 0'));
  assert.ok((await series()).includes(`sliproad_network_provider_failures_total${b} 11`), 'not added up');
  await stop();
});
