// Tests tokens that a tester deposits for a sell. The amount is the amount of the sell, or the tester's amount if the network
// supports it exactly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sell, transaction } from '../../../test/http/store-fixtures.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { SandboxDeposit } from '../../ports/sandbox.ts';
import { depositTokens } from './deposit-tokens.ts';
import type { SandboxDeps } from './drive-sandbox.ts';

const DECIMALS: Readonly<Record<string, number>> = { Stellar: 7, Polygon: 6, Whole: 0, Real: 6 };

function world(of: Transaction) {
  const sent: SandboxDeposit[] = [];
  const find = (_mode: string, name: string) =>
    name in DECIMALS
      ? ({
          ...{ name, asset: { code: 'NGNC', decimals: DECIMALS[name] } },
          depositTarget: (id: string) => ({ address: `${name} ${id}`, memo: null }),
        } as unknown as Network)
      : undefined;
  const deps = {
    sandbox: {
      sendsOn: (name: string) => name !== 'Real',
      deposit: async (_name: string, deposit: SandboxDeposit) => {
        sent.push(deposit);
        return '0xhash';
      },
    },
    store: { findTransaction: async (_scope: unknown, id: string) => (id === of.id ? of : undefined) },
    networks: { names: Object.keys(DECIMALS), spell: (name: string) => name, find },
    clock: { now: () => 0 },
    entropy: { bytes: (length: number) => new Uint8Array(length) },
  } as unknown as SandboxDeps;
  const ask = async (network?: string, amountText: string | null = null, mode: 'test' | 'live' = 'test') => {
    const answer = await depositTokens(deps, {
      caller: { key: { business: { id: of.businessId }, mode } },
      body: { transaction_id: of.id, ...(network !== undefined && { network }) },
      ...{ amountText, idempotencyKey: null },
    });
    return answer.ok ? answer.value : answer.error.code;
  };
  return { sent, ask };
}

test('the amount of the sell, or the tester’s amount, arrives at its deposit address', async () => {
  const of = sell({ amountMinor: 1_500_050n });
  const { sent, ask } = world(of);
  const answer = await ask();
  assert.deepEqual(answer, {
    ...{ transactionId: of.id, network: 'Stellar', address: `Stellar ${of.id}`, memo: null },
    ...{ amountMinor: 1_500_050n, txHash: '0xhash', replayed: false },
  });
  await ask('Polygon', '7.25');
  assert.deepEqual(
    sent.map(({ network, amountMinor }) => [network, amountMinor]),
    [
      ['Stellar', 150_005_000_000n],
      ['Polygon', 7_250_000n],
    ],
  );
});

test('an amount with more decimals than the network supports is refused, not rounded', async () => {
  const { sent, ask } = world(sell());
  assert.equal(await ask('Whole', '7.25'), 'amount_not_representable');
  assert.equal(sent.length, 0);
  await ask('Whole', '7.00');
  assert.equal(sent[0]?.amountMinor, 7n);
});

test('nothing arrives for a buy, in live mode, on an unknown network, or on a network with real tokens', async () => {
  const { sent, ask } = world(sell());
  assert.equal(await ask('Nowhere'), 'network_unknown');
  assert.equal(await ask('Real'), 'network_not_simulated');
  assert.equal(await ask('Polygon', null, 'live'), 'test_mode_only');
  assert.equal(await world(transaction()).ask('Polygon'), 'state_conflict');
  assert.equal(sent.length, 0);
});
