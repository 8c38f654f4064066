// Tests the comparison of wallet balances with the books. Only payments in progress explain a difference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instruments } from '../../ports/instruments.ts';
import type { Network, Networks } from '../../ports/networks/network.ts';
import type { Treasury } from '../../ports/networks/network-watch.ts';
import { startTreasuryWatch } from '../../workers/watch-treasuries.ts';
import { makeGuards } from './guards.ts';
import { readTreasuries, type TreasuryState } from './read-treasuries.ts';

const CHAIN: Treasury = {
  wallet: '0xwallet',
  tokenMinor: 1_000n,
  native: { asset: 'POL', decimals: 18, amountMinor: 50n, lockedMinor: 0n },
  marks: { tokenMinor: 100n, nativeMinor: 10n },
};

function world(
  chain: Partial<Treasury> | Error | null,
  books: Record<string, bigint>,
  unswept = 0n,
  idle = 0n,
) {
  const network = {
    name: 'Polygon',
    asset: { code: 'NGNC', decimals: 6 },
    treasury: async () => {
      if (chain instanceof Error) throw chain;
      return chain === null ? null : { ...CHAIN, ...chain };
    },
  } as unknown as Network;
  const networks = { enabled: (mode: string) => (mode === 'live' ? [network] : []) } as unknown as Networks;
  return {
    networks,
    store: {
      balances: async (keys: readonly string[]) =>
        new Map(keys.map((key) => [key, books[key.split('/')[2]!] ?? 0n])),
      commit: async () => [],
    },
    setUps: { open: async () => [] },
    clock: { now: () => 0 },
    ledgerAudit: {
      unswept: async () => new Map([['live Polygon', unswept]]),
      idle: async () => new Map([['live Polygon', idle]]),
    },
  };
}

const one = async (...given: Parameters<typeof world>) =>
  (await readTreasuries(world(...given)))[0] as TreasuryState;

test('the balance of a wallet is the sum of free, reserved, in-progress and unswept amounts', async () => {
  const cases: [Record<string, bigint>, bigint, bigint][] = [
    [{ treasury: 1_000n }, 0n, 0n],
    [{ treasury: 900n, reserved: 100n }, 0n, 0n],
    // These tokens were sent, and may or may not have left the wallet.
    [{ treasury: 900n, sent: 100n }, 0n, 0n],
    [{ treasury: 1_000n, sent: 300n }, 0n, 0n],
    // These tokens are still at a deposit address.
    [{ treasury: 1_400n }, 400n, 0n],
    [{ treasury: 1_400n }, 399n, -1n],
    [{ treasury: 900n }, 0n, 100n],
  ];
  for (const [books, unswept, expected] of cases)
    assert.equal((await one({}, books, unswept)).unexplainedMinor, expected, JSON.stringify(`${unswept}`));
});

test('reserved tokens that are not in progress must be in the wallet', async () => {
  // No bytes are signed for the reserved 100 units, so these units cannot have left the wallet.
  assert.equal((await one({}, { treasury: 950n, reserved: 100n }, 0n, 100n)).unexplainedMinor, -50n);
  assert.equal((await one({}, { treasury: 950n, reserved: 100n }, 0n, 50n)).unexplainedMinor, 0n);
  assert.equal((await one({}, { treasury: 950n, reserved: 100n }, 0n, 51n)).unexplainedMinor, -1n);
  assert.equal(
    (await one({}, { treasury: 900n }, 0n, 500n)).unexplainedMinor,
    100n,
    'it was read a moment later',
  );
});

test('a wallet is low below its thresholds, not at them', async () => {
  assert.deepEqual((await one({ tokenMinor: 100n }, { treasury: 100n })).low, []);
  assert.deepEqual((await one({ tokenMinor: 99n }, { treasury: 99n })).low, ['token']);
  const native = { ...CHAIN.native, amountMinor: 9n };
  assert.deepEqual((await one({ native }, { treasury: 1_000n })).low, ['native']);
});

test('the books contain the native coin that was spent and gained; people added the rest', async () => {
  const native = { ...CHAIN.native, amountMinor: 50n, lockedMinor: 7n };
  const { coin } = await one({ native }, { treasury: 1_000n, network_costs: 30n, coin_in: 12n });
  assert.deepEqual(coin, { spentMinor: 30n, gainedMinor: 12n, putInMinor: 75n });
});

test('a network without a treasury is not shown, and an unreadable network does not hide the others', async () => {
  assert.deepEqual(await readTreasuries(world(null, {})), []);
  assert.deepEqual(await readTreasuries(world(new Error('away'), {})), [
    { mode: 'live', network: 'Polygon', problem: 'away' },
  ]);
});

test('threat 47: an operator gets one alert when a wallet runs low, and another one when it runs low again', async () => {
  const reported: string[] = [];
  const gauges = new Map<string, number>();
  const instruments: Instruments = {
    gauge: (name) => (series) => {
      gauges.set(name, series[0]?.value ?? Number.NaN);
    },
    totals: () => () => undefined,
    counter: () => () => undefined,
  };
  const chain = { tokenMinor: 1_000n };
  const deps = world(chain, { treasury: 1_000n });
  let rounds = 0;
  let more = () => {};
  const loop = startTreasuryWatch(
    {
      ...deps,
      ledgerAudit: {
        unswept: async () => {
          rounds++;
          more();
          return new Map();
        },
        idle: async () => new Map(),
      },
      guard: { stop: async () => [] },
      guards: makeGuards({ clock: { now: () => 0 } }),
      instruments,
      onTrouble: (message) => reported.push(message),
      onError: (error) => assert.fail(error),
    },
    1,
  );
  const rounded = async (count: number) => {
    for (const until = rounds + count; rounds < until; )
      await new Promise<void>((resolve) => {
        more = resolve;
      });
  };
  await rounded(3);
  assert.equal(reported.length, 0);
  chain.tokenMinor = 5n;
  await rounded(4);
  chain.tokenMinor = 1_000n;
  await rounded(4);
  chain.tokenMinor = 5n;
  await rounded(4);
  await loop.stop();
  const low = reported.filter(
    (message) => message === 'a treasury is below its low-water mark: sends are paused',
  );
  assert.equal(low.length, 2);
  assert.ok(reported.includes('a treasury balance differs from the ledger'));
  assert.equal(gauges.get('sliproad_treasury_low'), 1);
  assert.equal(gauges.get('sliproad_treasury_tokens'), 5);
});
