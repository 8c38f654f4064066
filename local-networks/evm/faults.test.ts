// Tests that each fault of a provider has the described effect: what reaches the chain, what the client gets, and how long the
// fault lasts.
import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { createPublicClient, getAddress, type Hex, http, keccak256, toHex } from 'viem';
import { ERC20, openFaultStage, SENDS } from '../../test/support/networks/evm-fault-stage.ts';
import { longEnough } from '../../test/support/patience.ts';

const { net, token, sender, client, read, payment, send, receipt, landed, untilLanded } =
  await openFaultStage();
afterEach(() => net.faults.clear());
after(() => net.close());

test('threat 41: if the connection is cut after acceptance, the client gets an error, and the transaction lands', async () => {
  const raw = await payment();
  const fault = net.faults.add({ kind: 'cut-after' }, { ...SENDS, times: 1 });
  await assert.rejects(send(raw), /HTTP request failed/);
  assert.equal(fault.used(), 1);
  assert.equal(await landed(raw), true);
});

test('threat 40: if the connection is cut before acceptance, the client gets an error, and the transaction does not land', async () => {
  const raw = await payment();
  net.faults.add({ kind: 'cut-before' }, { ...SENDS, times: 1 });
  await assert.rejects(send(raw), /HTTP request failed/);
  assert.equal(await landed(raw), false);
  await send(raw);
  assert.equal(await landed(raw), true);
});

test('threat 42: the provider returns a different error each time, although the transaction landed', async () => {
  net.faults.add({ kind: 'error-though-landed' }, { times: 8 });
  const texts = new Set<string>();
  const raws: Hex[] = [];
  for (let each = 0; each < 8; each++) {
    const raw = await payment();
    raws.push(raw);
    await assert.rejects(send(raw), (error: { details?: string }) => texts.add(error.details ?? '').size > 0);
  }
  assert.equal(texts.size, 8, [...texts].join());
  for (const raw of raws) assert.equal(await landed(raw), true);
  net.faults.add({ kind: 'error-though-landed', text: 'nonce too high' }, { times: 1 });
  await assert.rejects(send(await payment()), /nonce too high/);
  // The fault never affected other methods.
  await client().getBlockNumber();
});

test('the provider returns an error and forwards nothing; then it is unreachable', async () => {
  const raw = await payment();
  net.faults.add({ kind: 'refuse', text: 'insufficient funds for gas' }, { ...SENDS, times: 1 });
  await assert.rejects(send(raw), /insufficient funds/);
  assert.equal(await landed(raw), false);
  for (const status of [429, 500, 503]) {
    net.faults.add({ kind: 'http', status }, { times: 1 });
    await assert.rejects(send(raw), { status });
  }
  net.faults.add({ kind: 'http', status: 429, body: 'json' }, { times: 1 });
  await assert.rejects(send(raw));
  assert.equal(await landed(raw), false);
  await send(raw);
  assert.equal(await landed(raw), true);
});

test('threat 44: a transaction is accepted and then dropped; it lands when it is sent again', async () => {
  const raw = await payment();
  net.faults.add({ kind: 'drop' }, { times: 1 });
  assert.equal(await send(raw), keccak256(raw));
  assert.equal(await landed(raw), false);
  await assert.rejects(client().getTransaction({ hash: keccak256(raw) }), /could not be found/);
  await send(raw);
  assert.equal(await landed(raw), true);
});

test('threat 44: a transaction is removed from the pool', async () => {
  const raw = await payment();
  await send(raw);
  await net.chain.evict(keccak256(raw));
  assert.equal(await landed(raw), false);
  await send(raw);
  assert.equal(await landed(raw), true);
});

test('a late request is forwarded after the client has given up', async () => {
  await longEnough(900, async (delayMs) => {
    const raw = await payment();
    net.faults.add({ kind: 'delay', delayMs }, { ...SENDS, times: 1 });
    const transport = http(net.urls[0], { timeout: delayMs / 10, retryCount: 0 });
    const sending = createPublicClient({ transport }).sendRawTransaction({ serializedTransaction: raw });
    const answered = await sending.catch((error: Error) => error);
    if (typeof answered !== 'string') assert.match(answered.message, /took too long/);
    const isTooSlow = typeof answered === 'string' || (await landed(raw));
    await untilLanded(raw);
    return isTooSlow ? undefined : true;
  });
});

test('a request is forwarded at once, and its response is late', async () => {
  await longEnough(600, async (delayMs) => {
    const raw = await payment();
    net.faults.add({ kind: 'delay', delayMs, of: 'answer' }, { ...SENDS, times: 1 });
    let answered = false;
    const sending = send(raw).then(() => {
      answered = true;
    });
    await untilLanded(raw);
    const isTooSlow = answered;
    await sending;
    return isTooSlow ? undefined : true;
  });
});

test('threat 42: a lagging provider does not know the last blocks, and returns empty results, not errors', async () => {
  const raw = await payment();
  await send(raw);
  await net.chain.mine();
  const height = BigInt(net.chain.head());
  const fault = net.faults.add({ kind: 'lag', blocks: 1 }, { on: 1 });
  const about = async (on: 0 | 1) => ({
    height: await client(on).getBlockNumber(),
    finalized: (await client(on).getBlock({ blockTag: 'finalized' })).number,
    receipt: (await receipt(raw, on))?.blockNumber,
    block: (await client(on).getTransaction({ hash: keccak256(raw) })).blockNumber,
    logs: (await client(on).getLogs({ address: token, fromBlock: height, toBlock: height })).length,
    nonce: await client(on).getTransactionCount({ address: sender().address }),
    pending: await client(on).getTransactionCount({ address: sender().address, blockTag: 'pending' }),
    balance: await read('balanceOf', on),
  });
  const ahead = await about(0);
  const next = ahead.nonce;
  const behind = await about(1);
  assert.deepEqual([ahead.receipt, ahead.block, ahead.logs], [height, height, 1]);
  assert.deepEqual(behind, {
    height: height - 1n,
    finalized: ahead.finalized - 1n,
    receipt: undefined,
    block: null,
    logs: 0,
    nonce: next - 1,
    pending: next - 1,
    balance: ahead.balance + 1n,
  });
  await assert.rejects(client(1).getBlock({ blockNumber: height }), /could not be found/);
  await assert.rejects(
    client(1).getBalance({ address: sender().address, blockNumber: height }),
    /header not found/,
  );
  assert.equal(await send(raw, 1), keccak256(raw), 'it is new to it');
  await assert.rejects(send(raw, 0), /[Nn]once/);
  fault.clear();
  assert.deepEqual(await about(1), ahead);
});

test('threat 46: a provider returns a receipt for a transaction that does not exist, with matching events', async () => {
  const raw = await payment();
  net.faults.add({ kind: 'drop' }, { times: 1 });
  await send(raw);
  net.faults.add({ kind: 'lie', lie: { about: 'receipt' } }, { on: 0 });
  const [lie, truth] = [await receipt(raw, 0), await receipt(raw, 1)];
  assert.equal(truth, undefined);
  assert.deepEqual(
    [lie?.status, lie && getAddress(lie.from), lie?.logs.length],
    ['success', sender().address, 1],
  );
  assert.equal(lie?.blockNumber, BigInt(net.chain.finalized()));
  assert.equal((await client(1).getBlock({ blockNumber: lie!.blockNumber })).hash, lie?.blockHash);
  assert.equal(lie?.logs[0]?.data, toHex(1n, { size: 32 }));
  const unknown = await client(0).getTransactionReceipt({ hash: keccak256('0x99') });
  assert.deepEqual([unknown.status, unknown.logs.length], ['success', 0]);
});

test('threat 46: a provider returns false balances, nonces and deposits, and hides receipts and logs', async () => {
  const { chain, faults } = net;
  const raw = await payment();
  await send(raw);
  await chain.mine();
  const logs = (on: 0 | 1) =>
    client(on).getLogs({
      address: token,
      event: ERC20[2],
      fromBlock: BigInt(chain.head()),
      toBlock: 'latest',
    });
  const [tokens, coins] = [await read('balanceOf'), await client().getBalance({ address: sender().address })];
  faults.add({ kind: 'lie', lie: { about: 'balance', times: 3n } }, { on: 0 });
  assert.deepEqual([await read('balanceOf'), await read('balanceOf', 1)], [tokens * 3n, tokens]);
  assert.equal(await client().getBalance({ address: sender().address }), coins * 3n);
  assert.equal(await read('decimals'), 6);

  const nonce = (on: 0 | 1) => client(on).getTransactionCount({ address: sender().address });
  faults.add({ kind: 'lie', lie: { about: 'nonce', more: 1 } }, { on: 0 });
  assert.equal((await nonce(0)) - (await nonce(1)), 1);
  faults.add({ kind: 'lie', lie: { about: 'no-receipt' } }, { on: 0 });
  assert.deepEqual([await receipt(raw, 0), (await receipt(raw, 1))?.status], [undefined, 'success']);

  const lie = { about: 'deposit', token, to: chain.accounts[3]!.address, amount: 55n } as const;
  const deposit = faults.add({ kind: 'lie', lie }, { on: 0 });
  const invented = (await logs(0))[1]!;
  assert.deepEqual([invented.args.to, invented.args.value], [lie.to, 55n]);
  assert.equal((await logs(1)).length, 1);
  deposit.clear();
  faults.add({ kind: 'lie', lie: { about: 'no-logs' } }, { on: 0 });
  assert.deepEqual([(await logs(0)).length, (await logs(1)).length], [0, 1]);
});

test('a fault can apply to one provider or both, to some requests or until it is cleared', async () => {
  const ask = (on: 0 | 1) =>
    client(on)
      .getBlockNumber()
      .then(
        () => true,
        () => false,
      );
  const one = net.faults.add({ kind: 'http', status: 500 }, { on: 1 });
  assert.deepEqual([await ask(0), await ask(1), await ask(1)], [true, false, false]);
  one.clear();
  assert.equal(await ask(1), true);
  net.faults.add({ kind: 'cut-before' }, { times: 2 });
  assert.deepEqual([await ask(0), await ask(1), await ask(0)], [false, false, true]);
  net.faults.add({ kind: 'cut-before' });
  assert.deepEqual([await ask(0), await ask(1)], [false, false]);
  net.faults.clear();
  assert.deepEqual([await ask(0), await ask(1)], [true, true]);
});

test('a fault of one call in a batch affects only that call, and a connection fault affects all of them', async () => {
  const asks = () =>
    Promise.allSettled([client().getBlockNumber(), client().getGasPrice(), client().getChainId()]);
  net.faults.add({ kind: 'refuse', text: 'busy' }, { methods: ['eth_gasPrice'], times: 1 });
  assert.deepEqual(
    (await asks()).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  net.faults.add({ kind: 'cut-after' }, { methods: ['eth_gasPrice'], times: 1 });
  assert.deepEqual(
    (await asks()).map(({ status }) => status),
    Array(3).fill('rejected'),
  );
  assert.deepEqual(
    (await asks()).map(({ status }) => status),
    Array(3).fill('fulfilled'),
  );
  const answer = await fetch(net.urls[0], { method: 'POST', body: '{"nonsense"' });
  assert.match(await answer.text(), /-32700/);
});

test('threat 42: the servers of one provider lag on some methods, and a response without a block number does not show this', async () => {
  const { chain, faults } = net;
  const height = chain.head();
  const raw = await payment();
  await send(raw);
  await chain.mine();
  const hash = keccak256(raw);
  const logs = async () => (await client().getLogs({ address: token, fromBlock: BigInt(height) })).length;
  const before = await logs();
  const behind = { kind: 'paths-behind', servers: 'sticky', height } as const;
  const status = faults.add({ ...behind, paths: ['status'] }, { on: 0 });
  assert.deepEqual([await receipt(raw, 0), (await receipt(raw, 1))?.status], [undefined, 'success']);
  assert.equal(await client().request({ method: 'eth_getTransactionByHash', params: [hash] }), null);
  assert.deepEqual([await client().getBlockNumber(), await logs()], [BigInt(chain.head()), before]);
  status.clear();
  faults.add({ ...behind, paths: ['history'] }, { on: 0 });
  assert.equal(await logs(), before - 1, 'nothing, and no error');
  const { hash: blockHash } = await client().getBlock();
  await assert.rejects(client().getLogs({ blockHash }), 'about a block that it has not seen it says so');
  faults.clear();
  faults.add({ ...behind, paths: ['account'] }, { on: 0 });
  const at = { address: sender().address, blockNumber: BigInt(chain.head()) };
  await assert.rejects(client().getTransactionCount(at), 'neither of the state at such a block');
});

test('threat 42: a load balancer alternates between two servers or picks one at random', async () => {
  const { chain, faults } = net;
  const height = chain.head();
  await chain.mine();
  const heads = async (servers: 'switching' | 'random', count: number) => {
    const planned = faults.add({ kind: 'paths-behind', paths: ['height'], servers, height }, { on: 0 });
    const seen: number[] = [];
    for (let each = 0; each < count; each++) seen.push(Number(await client().getBlockNumber()) - height);
    planned.clear();
    return seen;
  };
  assert.deepEqual(await heads('switching', 4), [1, 0, 1, 0]);
  assert.deepEqual(new Set(await heads('random', 20)), new Set([0, 1]));
});
