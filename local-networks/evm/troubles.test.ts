// Tests that the random troubles of a run have the described effect on payments. A client that reads in the meantime sees the
// chain before or after a reorganisation, never during one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { until } from '../../test/support/patience.ts';
import type { Draw } from '../trouble.ts';
import { type LocalEvmChain, startEvmChain } from './start.ts';
import { evmTroubles } from './troubles.ts';

const CHAIN_ID = 137;
const FINALITY_BLOCKS = 3;
const PACE_MS = 1_000;
const GWEI = 1_000_000_000n;
let net: LocalEvmChain;

before(async () => {
  net = await startEvmChain({ chainId: CHAIN_ID, blockEveryMs: 0, finalityBlocks: FINALITY_BLOCKS });
});
after(() => net.close());

const begin = (name: string, draw: Draw = (lowest) => lowest) => {
  const troubles = evmTroubles(net, { firstBlock: 0, finalityBlocks: FINALITY_BLOCKS, paceMs: PACE_MS });
  return troubles.find((each) => each.name === name)!.begin(draw);
};
const call = async (on: 0 | 1, method: string, params: readonly unknown[]) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return ((await (await fetch(net.urls[on], { method: 'POST', body })).json()) as { result: unknown }).result;
};
const receipt = (hash: Hex) => call(0, 'eth_getTransactionReceipt', [hash]);

/** Sends one coin to the sender itself. The transaction stays pending. */
async function send(maxFeePerGas = 5n * GWEI): Promise<Hex> {
  const { key, address: to } = net.chain.accounts[0]!;
  const nonce = Number(await net.chain.request<Hex>('eth_getTransactionCount', [to, 'latest']));
  const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas / 5n };
  const terms = { chainId: CHAIN_ID, type: 'eip1559', nonce, to, value: 1n, gas: 21_000n, ...fees } as const;
  const raw = await privateKeyToAccount(key).signTransaction(terms);
  await call(0, 'eth_sendRawTransaction', [raw]);
  return keccak256(raw);
}

test('threat 45: blocks are replaced once they contain a payment', async () => {
  const trouble = begin('blocks replaced', (_, highest) => Math.min(1, highest));
  await net.chain.mine(2);
  assert.equal(trouble.met(), 0);
  const hash = await send();
  await net.chain.mine();
  await until('the blocks were replaced', () => trouble.over(), { everyMs: 5 });
  await trouble.end();
  assert.equal(trouble.met(), 1);
  assert.equal(await receipt(hash), null, 'dropped with its block');
  await send();
  await net.chain.mine();
});

test('threat 44: the base fee rises above the last offer, a higher offer is included, and the fee falls again', async () => {
  const usual = net.chain.baseFee();
  const trouble = begin('fee too low at once');
  const cheap = await send();
  await net.chain.mine(2);
  assert.deepEqual([await receipt(cheap), trouble.met()], [null, 1]);
  const dear = await send(50n * GWEI);
  await net.chain.mine();
  assert.notEqual(await receipt(dear), null);
  await trouble.end();
  assert.equal(net.chain.baseFee(), usual);
});

test('threat 45: final blocks stay visible to every client while other blocks are replaced', async () => {
  const hash = await send();
  await net.chain.mine(FINALITY_BLOCKS + 1);
  assert.notEqual(await receipt(hash), null);
  let replacing = true;
  const replace = async () => {
    try {
      for (let each = 0; each < 10; each++) await net.chain.reorganise(FINALITY_BLOCKS);
    } finally {
      replacing = false;
    }
  };
  const ask = async () => {
    for (; replacing; ) assert.notEqual(await receipt(hash), null);
  };
  await Promise.all([replace(), ask(), ask(), ask()]);
});

test('only one provider has trouble at a time, and the same one until the trouble ends', async () => {
  const second: Draw = (_, highest) => highest;
  const [down, behind] = [begin('provider down', second), begin('provider behind', second)];
  const heads = await Promise.all(
    ([0, 1] as const).map((on) =>
      call(on, 'eth_blockNumber', []).then(
        () => 'answers',
        () => 'is down',
      ),
    ),
  );
  assert.deepEqual(heads, ['answers', 'is down']);
  await down.end();
  await behind.end();
  assert.equal(await call(1, 'eth_blockNumber', []), await call(0, 'eth_blockNumber', []));
});

test('threat 42: one method of both providers lags, and the others do not', async () => {
  await net.chain.mine(4);
  const hash = await send();
  await net.chain.mine();
  const trouble = begin('servers behind each other');
  for (const on of [0, 1] as const) {
    assert.equal(await call(on, 'eth_getTransactionReceipt', [hash]), null);
    assert.equal(Number(await call(on, 'eth_blockNumber', [])), net.chain.head());
  }
  assert.equal(trouble.met(), 2);
  await trouble.end();
  assert.notEqual(await receipt(hash), null);
});

test('threat 42: a cache repeats a not-found response, even after its server has the data', async () => {
  const trouble = begin('cache repeats that nothing is there');
  const hash = await send();
  await net.chain.mine();
  assert.equal(await receipt(hash), null, 'its server is two blocks behind');
  await net.chain.mine(2);
  assert.equal(await receipt(hash), null);
  assert.notEqual(
    await call(1, 'eth_getTransactionReceipt', [hash]),
    null,
    'which no client asked for before',
  );
  assert.ok(trouble.met() > 0);
  await trouble.end();
  assert.notEqual(await receipt(hash), null);
});
