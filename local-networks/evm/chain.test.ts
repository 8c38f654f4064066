// Tests that the local chain behaves like a real one: blocks at intervals, a pool with rules, delayed finality, and
// reorganisations.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPublicClient, type Hex, http, keccak256, parseAbiItem } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { until } from '../../test/support/patience.ts';
import { type LocalEvmChain, startEvmChain } from './start.ts';

const GWEI = 1_000_000_000n;
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
let net: LocalEvmChain;
let client: ReturnType<typeof clientOf>;
const clientOf = (url: string) =>
  createPublicClient({ transport: http(url, { batch: true, retryCount: 0 }), cacheTime: 0 });

before(async () => {
  net = await startEvmChain({ chainId: 80002, blockEveryMs: 0, finalityBlocks: 3, logBlocks: 50 });
  client = clientOf(net.urls[0]);
});
after(() => net.close());

const account = (place: number) => net.chain.accounts[place]!;
const nonceOf = (place: number) => client.getTransactionCount({ address: account(place).address });

function sign(place: number, nonce: number, { fee = 5n * GWEI, tip = GWEI, value = 1n } = {}): Promise<Hex> {
  return privateKeyToAccount(account(place).key).signTransaction({
    chainId: 80002,
    type: 'eip1559',
    nonce,
    to: account(9).address,
    value,
    gas: 21_000n,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: tip,
  });
}
const send = (raw: Hex) => client.sendRawTransaction({ serializedTransaction: raw });
const mined = async (raw: Hex) => {
  try {
    return (await client.getTransactionReceipt({ hash: keccak256(raw) })).blockNumber;
  } catch (error) {
    assert.equal((error as Error).name, 'TransactionReceiptNotFoundError');
    return undefined;
  }
};

test('a transaction waits in the pool for the next block', async () => {
  const raw = await sign(0, 0);
  assert.equal(await send(raw), keccak256(raw));
  assert.equal(await mined(raw), undefined);
  const waiting = await client.getTransaction({ hash: keccak256(raw) });
  assert.equal(waiting.blockNumber, null);
  assert.equal(await client.getTransactionCount({ address: account(0).address, blockTag: 'pending' }), 1);
  await net.chain.mine();
  assert.equal(await mined(raw), BigInt(net.chain.head()));
});

test('the safe and finalized blocks are behind the latest block in every kind of request', async () => {
  const { chain } = net;
  const token = await chain.deployToken();
  const [, holder] = chain.accounts;
  await chain.mint(token, holder!.address, 7n);
  const nonce = await nonceOf(2);
  await send(await sign(2, nonce));
  await chain.mine();
  const at = (blockTag: 'latest' | 'safe' | 'finalized') =>
    Promise.all([
      client.getBlock({ blockTag }).then(({ number }) => Number(number)),
      client.getTransactionCount({ address: account(2).address, blockTag }),
      client.getBalance({ address: account(2).address, blockTag }),
      client
        .getLogs({ address: token, event: transfer, fromBlock: 0n, toBlock: blockTag })
        .then((logs) => logs.length),
      client.call({ to: token, data: `0x70a08231${holder!.address.slice(2).padStart(64, '0')}`, blockTag }),
    ]);
  const [latest, safe, finalized] = [await at('latest'), await at('safe'), await at('finalized')];
  assert.deepEqual(safe, finalized);
  assert.equal(latest[0] - finalized[0], 3);
  assert.deepEqual([latest[1] - finalized[1], latest[3], finalized[3]], [1, 1, 0]);
  assert.ok(latest[2] < finalized[2]);
  assert.equal(BigInt(latest[4].data!), 7n);
  assert.equal(finalized[4].data, undefined);
  await chain.mine(3);
  const later = await at('finalized');
  assert.deepEqual([later[1], later[2], later[3]], [latest[1], latest[2], 1]);
});

test('threat 44: a transaction after a nonce gap waits until the gap is filled', async () => {
  const [first, second, third] = [await sign(3, 0), await sign(3, 1), await sign(3, 2)];
  await send(second);
  await send(third);
  await net.chain.mine(2);
  assert.equal(await nonceOf(3), 0);
  await send(first);
  await net.chain.mine();
  assert.deepEqual(
    [await mined(first), await mined(second), await mined(third)],
    Array(3).fill(BigInt(net.chain.head())),
  );
});

test('threat 44: a transaction is replaced only if both fees are at least a tenth higher', async () => {
  const raw = await sign(4, 0, { fee: 10n * GWEI, tip: 2n * GWEI });
  await send(raw);
  for (const fees of [
    { fee: 10n * GWEI, tip: 2n * GWEI, value: 2n },
    { fee: 11n * GWEI, tip: 2n * GWEI },
    { fee: 10n * GWEI, tip: 3n * GWEI },
    { fee: 11n * GWEI - 1n, tip: 3n * GWEI },
  ]) {
    await assert.rejects(
      async () => send(await sign(4, 0, fees)),
      /already known|[Rr]eplacement|underpriced/,
    );
  }
  const higher = await sign(4, 0, { fee: 11n * GWEI, tip: (22n * GWEI) / 10n });
  await send(higher);
  await net.chain.mine();
  assert.deepEqual([await mined(raw), await mined(higher)], [undefined, BigInt(net.chain.head())]);
  await assert.rejects(send(raw), /[Nn]once/);
});

test('threat 44: a transaction below the base fee waits until the fee falls, or is replaced', async () => {
  const low = await sign(5, 0, { fee: 5n * GWEI });
  await net.chain.setBaseFee(20n * GWEI);
  assert.ok((await client.estimateFeesPerGas()).maxFeePerGas > 0n);
  await send(low);
  await net.chain.mine(2);
  assert.equal(await mined(low), undefined);
  assert.equal((await client.getBlock()).baseFeePerGas, 20n * GWEI);
  await net.chain.setBaseFee(GWEI);
  await net.chain.mine();
  assert.equal(await mined(low), BigInt(net.chain.head()));
});

test('threat 45: replaced blocks disappear, and their transactions wait again', async () => {
  const raw = await sign(6, 0);
  await send(raw);
  await net.chain.mine();
  const height = net.chain.head();
  const old = await client.getBlock();
  await net.chain.mine();
  await net.chain.reorganise(2);
  assert.equal(net.chain.head(), height + 2);
  assert.equal(await mined(raw), undefined);
  assert.equal((await client.getTransaction({ hash: keccak256(raw) })).blockNumber, null);
  assert.notEqual((await client.getBlock({ blockNumber: BigInt(height) })).hash, old.hash);
  await assert.rejects(client.getBlock({ blockHash: old.hash }), /could not be found/);
  await net.chain.mine();
  assert.equal(await mined(raw), BigInt(height + 3));
});

test('threat 45: a reorganisation can drop the transactions of the replaced blocks, or include them again', async () => {
  const [first, second] = [await sign(6, 1), await sign(6, 2)];
  await send(first);
  await net.chain.mine();
  await send(second);
  await net.chain.reorganise(1, { transactions: 'dropped' });
  await net.chain.mine(2);
  assert.deepEqual([await mined(first), await mined(second)], [undefined, undefined]);
  await assert.rejects(client.getTransaction({ hash: keccak256(first) }), /could not be found/);
  await send(first);
  await net.chain.mine();
  const place = await mined(first);
  assert.equal(await mined(second), place);
  const old = await client.getBlock();
  await net.chain.reorganise(1, { transactions: 'mined-again' });
  assert.equal(await mined(first), place);
  assert.notEqual((await client.getBlock({ blockNumber: place! })).hash, old.hash);
});

test('blocks below the replaced ones do not change, at any depth', async () => {
  const raws: Hex[] = [];
  for (let each = 0; each < 40; each++) {
    const raw = await sign(7, each, { tip: BigInt(1 + (each % 3)) * GWEI });
    raws.push(raw);
    await send(raw);
    if (each % 3 === 0) await net.chain.mine();
  }
  await net.chain.mine();
  const height = BigInt(net.chain.head());
  const hashes = () =>
    Promise.all(
      Array.from({ length: 40 }, (_, back) =>
        client.getBlock({ blockNumber: height - BigInt(back) }).then(({ hash }) => hash),
      ),
    );
  const was = await hashes();
  await net.chain.reorganise(3);
  const is = await hashes();
  assert.deepEqual(
    is.map((hash, back) => hash === was[back]),
    was.map((_, back) => back >= 3),
  );
  await net.chain.mine();
  for (const raw of raws) assert.notEqual(await mined(raw), undefined);
  assert.equal(await nonceOf(7), 40);
});

test('final blocks are not replaced, unless the test forces it', async () => {
  await assert.rejects(net.chain.reorganise(4), /final/);
  const { hash, number } = await client.getBlock({ blockTag: 'finalized' });
  await net.chain.reorganise(3);
  assert.equal((await client.getBlock({ blockNumber: number })).hash, hash);
  await net.chain.reorganise(8, { breakFinality: true });
  assert.notEqual((await client.getBlock({ blockNumber: number })).hash, hash);
});

test('logs are returned for a limited number of blocks, and by block', async () => {
  await net.chain.mine(51);
  const latest = BigInt(net.chain.head());
  await client.getLogs({ fromBlock: latest - 49n, toBlock: latest });
  await assert.rejects(client.getLogs({ fromBlock: latest - 50n, toBlock: latest }), /max block range 50/);
  assert.deepEqual(await client.getLogs({ fromBlock: latest + 1n, toBlock: latest + 2n }), []);
  await assert.rejects(client.getLogs({ blockHash: keccak256('0x01') }), /unknown block/);
});

test('gas and fees are estimated for the next block, and a revert includes its reason', async () => {
  const { chain } = net;
  const token = await chain.deployToken();
  const call = { account: account(1).address, to: token } as const;
  const mint = `0x40c10f19${'00'.repeat(31)}01${'00'.repeat(31)}01` as const;
  await assert.rejects(client.estimateGas({ ...call, data: mint }), /caller is not the owner/);
  await assert.rejects(client.call({ ...call, data: mint }), /caller is not the owner/);
  const plain = await client.estimateGas({ ...call, to: account(2).address, value: 1n });
  assert.ok(plain >= 21_000n && plain < 21_100n, `${plain}`);
  await chain.setBaseFee(7n * GWEI);
  await chain.mine();
  const { baseFeePerGas } = await client.getFeeHistory({ blockCount: 1, rewardPercentiles: [50] });
  assert.deepEqual(baseFeePerGas[0], 7n * GWEI);
  assert.ok((await client.getGasPrice()) >= 7n * GWEI);
  await chain.setBaseFee(GWEI);
});

test('only methods of real providers are available', async () => {
  for (const method of [
    'evm_mine',
    'hardhat_setBalance',
    'eth_accounts',
    'eth_sendTransaction',
    'evm_snapshot',
  ]) {
    await assert.rejects(client.request({ method } as never), /does not exist|not available|not supported/);
  }
});

test('a transaction for another chain, or from an account with too little money, is refused', async () => {
  const { key } = account(8);
  const wrong = await privateKeyToAccount(key).signTransaction({
    chainId: 1,
    gas: 21_000n,
    gasPrice: GWEI,
    nonce: 0,
  });
  await assert.rejects(send(wrong), /chain/i);
  await assert.rejects(async () => send(await sign(8, 0, { value: 10n ** 30n })), /funds|exceeds/i);
});

test('a port in use is reported, and nothing is left running', async () => {
  const taken = Number(new URL(net.urls[1]).port);
  await assert.rejects(startEvmChain({ chainId: 1, ports: [0, taken] }), /EADDRINUSE/);
});

test('blocks are produced automatically until this is stopped, and the second chain is independent of the first', async () => {
  const other = await startEvmChain({ chainId: 43113, blockEveryMs: 5 });
  try {
    const its = clientOf(other.urls[1]);
    assert.equal(await its.getChainId(), 43113);
    await until('there are five blocks', async () => (await its.getBlockNumber()) >= 5n, { everyMs: 5 });
    other.chain.stopMining();
    await other.chain.mine();
    const head = other.chain.head();
    await new Promise((resolve) => setTimeout(resolve, 40));
    assert.equal(other.chain.head(), head);
  } finally {
    await other.close();
  }
});
