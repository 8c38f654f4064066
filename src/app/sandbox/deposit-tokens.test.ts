// Tests tokens that a tester deposits for a sell, on a sandbox that only records its calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sell, transaction } from '../../../test/http/store-fixtures.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Network } from '../../ports/networks/network.ts';
import { depositTokens } from './deposit-tokens.ts';
import type { SandboxDeps } from './drive-sandbox.ts';

const NETWORK = {
  name: 'Polygon',
  asset: { decimals: 6 },
  depositTarget: () => ({ address: '0xours', memo: null }),
} as unknown as Network;

function stage(...stored: readonly Transaction[]) {
  const arrived: string[] = [];
  const keys = new Map<string, { requestHash: string; transactionId: string }>();
  let drawn = 0;
  const deps = {
    store: {
      findTransaction: async (_scope: object, id: string) => stored.find((each) => each.id === id),
      bindIdempotencyKey: async (
        _scope: object,
        { key, requestHash }: { key: string; requestHash: string },
        name: string,
      ) => {
        if (!keys.has(key)) keys.set(key, { requestHash, transactionId: name });
      },
      findIdempotencyKey: async (_scope: object, key: string) => keys.get(key),
    },
    networks: {
      names: ['Polygon', 'Stellar'],
      spell: (text: string) => (text.toLowerCase() === 'polygon' ? 'Polygon' : undefined),
      find: (_mode: Mode, name: string) => (name === NETWORK.name ? NETWORK : undefined),
    },
    sandbox: {
      sendsOn: () => true,
      deposit: async (id: string, { network, address, amountMinor }: Record<string, unknown>) => {
        arrived.push(`${id} ${amountMinor} to ${network} ${address}`);
        return `hash ${arrived.length}`;
      },
    },
    clock: { now: () => 0 },
    entropy: { bytes: (count: number) => new Uint8Array(count).fill(++drawn) },
  } as unknown as SandboxDeps;
  const send = (id: string, amountText: string | null, idempotencyKey: string | null = null, mode = 'test') =>
    depositTokens(deps, {
      caller: { key: { business: { id: 'biz_1' }, mode: mode as Mode } },
      ...{ body: { transaction_id: id, network: 'polygon' }, amountText, idempotencyKey },
    });
  return { arrived, send };
}

const SELL = sell();

test('tokens for the amount of the sell arrive at its deposit address, and the response describes them', async () => {
  const { send, arrived } = stage(SELL);
  const sent = await send(SELL.id, null);
  assert.deepEqual(sent.ok && sent.value, {
    ...{ transactionId: SELL.id, network: 'Polygon', address: '0xours', memo: null },
    ...{ amountMinor: SELL.amountMinor, txHash: 'hash 1', replayed: false },
  });
  assert.equal(arrived.length, 1);
  assert.match(arrived[0]!, new RegExp(`^${SELL.id}/dep_\\w+ ${SELL.amountMinor}0000 to Polygon 0xours$`));
});

test('the same idempotency key repeats the same transfer; another request with that key is refused', async () => {
  const { send, arrived } = stage(SELL);
  const first = await send(SELL.id, '150.00', 'once');
  const second = await send(SELL.id, '150.00', 'once');
  assert.deepEqual([first.ok && first.value.replayed, second.ok && second.value.replayed], [false, true]);
  assert.equal(arrived.length, 2);
  assert.equal(arrived[1], arrived[0], 'by the same name');
  const other = await send(SELL.id, '151.00', 'once');
  assert.equal(!other.ok && other.error.code, 'idempotency_key_reused');
  await send(SELL.id, '150.00', 'twice');
  assert.notEqual(arrived[2], arrived[0]);
  assert.equal(arrived.length, 3);
});

test('tokens arrive only for sells of test mode', async () => {
  const buy = transaction();
  const { send, arrived } = stage(SELL, buy);
  const codes: unknown[] = [];
  for (const refused of [
    await send(buy.id, null),
    await send(sell().id, null),
    await send(SELL.id, null, null, 'live'),
  ])
    codes.push(!refused.ok && refused.error.code);
  assert.deepEqual(codes, ['state_conflict', 'transaction_not_found', 'test_mode_only']);
  assert.deepEqual(arrived, []);
});
