// Tests how the operator sees the treasuries, with a chain that responds, a chain that does not respond, and a simulated chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMovement } from '../../domain/records/movement.ts';
import type { Network, Networks } from '../../ports/networks/network.ts';
import type { Treasury } from '../../ports/networks/network-watch.ts';
import { type ShowTreasuriesDeps, showTreasuries } from './show-treasuries.ts';

const CHAIN: Treasury = {
  wallet: '0xwallet',
  tokenMinor: 900n,
  native: { asset: 'POL', decimals: 18, amountMinor: 5n, lockedMinor: 0n },
  marks: { tokenMinor: 1_000n, nativeMinor: 10n },
};
const BOOKS: Readonly<Record<string, bigint>> = { treasury: 700n, reserved: 200n, sent: 50n };
const PROVIDER = { name: 'rpc.example', problem: 'HTTP 503', failures: 3, silentMs: 9_000 };
const SEND = newMovement({
  ...{ id: 'mov_1', kind: 'send', mode: 'live', network: 'Polygon', asset: 'NGNC@Polygon' },
  ...{ amountMinor: 15n, nairaMinor: 1_500n, destination: { address: '0xbuyer' }, transactionId: 'txn_1' },
  ...{ atMs: 0, attempts: 1 },
});

function world(chain: Treasury | Error | null, txHash: string | null = null): ShowTreasuriesDeps {
  const network = {
    name: 'Polygon',
    asset: { code: 'NGNC', decimals: 6 },
    treasury: async () => {
      if (chain instanceof Error) throw chain;
      return chain;
    },
    providers: async () => [PROVIDER],
    explorerUrl: (hash: string) => `https://explorer.example/tx/${hash}`,
  } as unknown as Network;
  const networks = {
    enabled: () => [network],
    disabled: () => [{ mode: 'live', name: 'Solana', problem: 'no provider answers', described: null }],
    find: () => network,
  } as unknown as Networks;
  return {
    networks,
    clock: { now: () => Date.UTC(2026, 10, 14, 23, 30) },
    store: {
      balances: async (keys) => new Map(keys.map((key) => [key, BOOKS[key.split('/')[2]!] ?? 0n])),
      lastAttempts: async () => new Map([['mov_1', { network: 'Polygon', reference: '0xfirst' }]]) as never,
      transactionsById: async (ids) => new Map(ids.map((id) => [id, { txHash }])) as never,
    },
    ledgerAudit: {
      unswept: async () => new Map(),
      idle: async () => new Map(),
      listHalts: async () => [
        { mode: 'live', asset: 'NGNC@Polygon', reason: 'drift', atMs: 7 },
        { mode: 'test', asset: 'NGNC@Polygon', reason: 'of the other mode', atMs: 8 },
      ],
    },
    treasuryDesk: {
      lastMovements: async () => [SEND],
      lastWithdrawals: async () => [],
      // In Lagos, the next day has already begun.
      caps: async (_mode, _network, day) => ({
        ...{ perPaymentMinor: null, perDayMinor: 9n, todayMinor: day === '2026-11-15' ? 4n : -1n },
      }),
    },
  };
}

test('shows the balances of the chain and of the books, low balances, and the reasons why sends are stopped', async () => {
  const { treasuries, disabled } = await showTreasuries(world(CHAIN), 'live');
  const [polygon] = treasuries;
  assert.deepEqual(polygon!.books, { freeMinor: 700n, reservedMinor: 200n, inFlightMinor: 50n });
  assert.deepEqual([polygon!.chain!.chain.wallet, polygon!.chain!.low], ['0xwallet', ['token', 'native']]);
  assert.deepEqual([polygon!.halt?.reason, polygon!.caps?.todayMinor], ['drift', 4n]);
  assert.deepEqual(polygon!.providers, [PROVIDER]);
  assert.deepEqual(
    disabled.map(({ name }) => name),
    ['Solana'],
  );
});

test('if the chain does not respond, or there is no chain, only the books are shown', async () => {
  const silent = (await showTreasuries(world(new Error('no provider answers')), 'live')).treasuries[0]!;
  assert.deepEqual([silent.chain, silent.problem], [null, 'no provider answers']);
  assert.equal(silent.books.freeMinor, 700n);
  const simulated = (await showTreasuries(world(null), 'live')).treasuries[0]!;
  assert.deepEqual([simulated.chain, simulated.problem, simulated.books.reservedMinor], [null, null, 200n]);
});

test('a send shows the hash that landed, and before that the hash of its first transaction', async () => {
  const hashOf = async (txHash: string | null) =>
    (await showTreasuries(world(CHAIN, txHash), 'live')).treasuries[0]!.sends[0]!;
  const [first, landed] = [await hashOf(null), await hashOf('0xdearer')];
  assert.deepEqual([first.hash, landed.hash], ['0xfirst', '0xdearer']);
  assert.equal(landed.explorerUrl, 'https://explorer.example/tx/0xdearer');
});

test('a refund shows the hash of its own token transfer, not that of its transaction, and a withdrawal has no transaction', async () => {
  const deps = world(CHAIN, '0xdeposit');
  const refund = newMovement({ ...SEND, id: 'mov_1', kind: 'refund', atMs: 0 });
  const withdrawal = newMovement({ ...SEND, id: 'mov_2', kind: 'withdrawal', transactionId: null, atMs: 0 });
  const desk = {
    ...deps.treasuryDesk,
    lastMovements: async () => [refund],
    lastWithdrawals: async () => [withdrawal],
  };
  const { treasuries, withdrawals } = await showTreasuries({ ...deps, treasuryDesk: desk }, 'live');
  assert.equal(treasuries[0]!.sends[0]!.hash, '0xfirst');
  assert.deepEqual([withdrawals[0]!.hash, withdrawals[0]!.explorerUrl], [null, null]);
});
