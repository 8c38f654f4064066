// A network opens only on the chain, the token and the contracts its settings name; whether a wallet can be paid is the
// wallet's alone; a broadcast is unknown until a provider has the hash; and no message names a secret.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { type FakeProvider, fakeProvider } from '../../../../test/support/networks/evm-fake-provider.ts';
import {
  DISPERSE,
  FACTORY,
  NO_TURN,
  openOn,
  payOne,
  TOKEN,
  WALLETS,
} from '../../../../test/support/networks/evm-providers.ts';
import { ProviderFailure } from './rpc/answers.ts';
import { connectEvm } from './rpc/client.ts';

const [WALLET] = WALLETS as [Hex];

test('the start is refused where the chain is not what the settings say, with a message for the operator', async () => {
  const cases: [Partial<FakeProvider>, RegExp][] = [
    [{ chainId: 1 }, /^Polygon: a provider is on the chain 1, the settings say 137\.$/],
    [{ decimals: 18 }, /^Polygon: the token at 0x7070\w+ has 18 decimals, the settings say 6\.$/],
    [
      { factoryTreasury: WALLET },
      /^Polygon: the forwarder factory at \w+ sends to \w+, the treasury is \w+\.$/,
    ],
    [{ down: true }, /^Polygon: no provider answers/],
  ];
  for (const [changes, message] of cases) {
    await assert.rejects(
      openOn([fakeProvider(changes), fakeProvider(changes)]),
      ({ message: said }: Error) => {
        assert.match(said, message);
        return !/secret/.test(said);
      },
    );
  }
});

test('a provider without the block tag that everything is final by is refused, and named', async () => {
  const without = (error: Error | null) => ({
    before: (method: string) => {
      if (method === 'block finalized' && error !== null) throw error;
    },
  });
  const unknown = new ProviderFailure('eth_getBlockByNumber: error -32602', true, { code: -32602 });
  const refused =
    /^Polygon: two\.example does not know the block tag "finalized" \(eth_getBlockByNumber: error -32602\): nothing would ever become final/;
  await assert.rejects(openOn([fakeProvider(), fakeProvider(without(unknown))]), { message: refused });
  await assert.rejects(openOn([fakeProvider({ finalized: 10n ** 6n })]), {
    message: /^Polygon: one\.example has no final block/,
  });
  const busy = new ProviderFailure('eth_getBlockByNumber: error -32005', true, { code: -32005 });
  const { troubles } = await openOn([fakeProvider(without(busy)), fakeProvider()]);
  assert.ok(troubles.some(({ message }) => /only one provider answered/.test(message)));
});

test('where no provider answers, the start names each of them and what it says', async () => {
  const silent = () => fakeProvider({ down: true });
  await assert.rejects(openOn([silent(), silent()]), {
    message:
      'Polygon: no provider answers (one.example: chainId: no answer; two.example: chainId: no answer).',
  });
});

test('threat 46: one provider with another chain or token is enough to refuse the start', async () => {
  await assert.rejects(openOn([fakeProvider(), fakeProvider({ chainId: 1 })]), /chain 1/);
  await assert.rejects(openOn([fakeProvider(), fakeProvider({ decimals: 2 })]), /has 2 decimals/);
});

test('one provider of two is enough to start, and a missing allowance is said', async () => {
  const { troubles } = await openOn([fakeProvider({ down: true }), fakeProvider({ allowedMinor: 0n })]);
  const said = troubles.map(({ message }) => message).join('\n');
  assert.match(said, /only one provider answered/);
  assert.match(said, /has not allowed the contract 0xd1d1\w+ to pay for it.*approve it at the token 0x7070/);
  assert.doesNotMatch(JSON.stringify(troubles), /secret/);
});

test('threat 46: a look finds a provider of another chain, or without one, that was away at the start', async () => {
  const away = fakeProvider({ down: true });
  const { network, pass } = await openOn([fakeProvider(), away]);
  const problems = async () => (await network.providers()).flatMap(({ problem }) => problem ?? []);
  assert.deepEqual(await problems(), ['chainId: no answer']);
  Object.assign(away, { down: false, chainId: 1 });
  assert.deepEqual(await problems(), ['the provider serves another chain']);
  away.chainId = 137;
  assert.deepEqual(await problems(), []);
  pass(60_000);
  away.before = (method) => {
    if (method.startsWith('block')) throw new Error('nothing behind it');
  };
  assert.deepEqual(await problems(), ['nothing behind it']);
});

test('threat 35: the token, the treasury and our contracts are no destinations; targets are stable', async () => {
  const { network } = await openOn([fakeProvider()]);
  for (const address of [TOKEN, DISPERSE, FACTORY, network.orderedBy!])
    assert.equal(network.checkAddress(address).ok, false, address);
  const target = network.depositTarget('txn_1');
  assert.deepEqual(network.depositTarget('txn_1'), target);
  assert.notEqual(network.depositTarget('txn_2').address, target.address);
  assert.deepEqual([target.memo, target.memoType], [null, null]);
});

test('threat 36: a wallet is refused only when two providers refuse it and another wallet would be paid', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network } = await openOn(providers);
  const ready = (changes = {}) => network.recipientReady(payOne(WALLET, 500n, changes));
  assert.equal(await ready(), 'ready');
  const barred = (to: Hex) => (to === WALLET ? 'reverts' : true);
  providers[0].goes = barred;
  assert.equal(await ready(), 'unknown');
  providers[1].goes = barred;
  assert.equal(await ready(), 'refused');
  assert.equal(await ready({ from: 'txn_1' }), 'ready', 'a sweep pays no wallet');
  for (const each of providers) each.goes = (to) => to !== WALLET;
  assert.equal(await ready(), 'refused', 'it answers false');
  for (const each of providers) each.goes = () => 'reverts';
  assert.equal(await ready(), 'unknown', 'the token is paused');
  for (const each of providers) Object.assign(each, { goes: () => true, tokenMinor: 3n });
  assert.equal(await ready(), 'ready', 'the treasury is low, the wallet is not to blame');
  for (const each of providers) each.down = true;
  assert.equal(await ready(), 'unknown');
});

test('threat 42: a broadcast is accepted when any provider has it, and otherwise unknown, never rejected', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network, troubles } = await openOn(providers);
  const { envelopes } = await network.prepare([payOne(WALLET, 500n)], NO_TURN);
  const [bytes] = envelopes;
  assert.deepEqual(await network.broadcast(bytes!), { kind: 'accepted' });
  assert.deepEqual([providers[0].sent.length, providers[1].sent.length], [1, 1]);
  const refuses = (method: string) => {
    if (method === 'send') throw new ProviderFailure('eth_sendRawTransaction: error -32000', true);
  };
  for (const each of providers) each.before = refuses;
  assert.equal((await network.broadcast(bytes!)).kind, 'unknown');
  assert.deepEqual(troubles, [], 'an answer against it is no failure of the provider');
  providers[1].transactions.set(bytes!.hash, { from: WALLET, nonce: 7 });
  assert.deepEqual(await network.broadcast(bytes!), { kind: 'accepted' });
  for (const each of providers) each.down = true;
  assert.equal((await network.broadcast(bytes!)).kind, 'unknown');
});

test('bytes that do not fit their hash are not sent', async () => {
  const provider = fakeProvider();
  const { network, troubles } = await openOn([provider]);
  const { envelopes } = await network.prepare([payOne(WALLET, 500n)], NO_TURN);
  const other = await network.prepare([payOne(WALLET, 501n)], NO_TURN);
  const outcome = await network.broadcast({ ...envelopes[0]!, payload: other.envelopes[0]!.payload });
  assert.equal(outcome.kind, 'unknown');
  assert.deepEqual([provider.sent.length, troubles.length], [0, 1]);
});

test('over HTTP: errors tell an answer from none and name no address; no question shares an answer', async (t) => {
  let answer: unknown = null;
  let status = 200;
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const calls = [JSON.parse(text)].flat() as { id: number; method: string }[];
    asked.push(...calls.map(({ method }) => method));
    response.writeHead(status, { 'content-type': 'application/json' });
    const error = { code: -32000, message: 'see http://127.0.0.1/secret' };
    const body = calls.map(({ id }) => ({
      jsonrpc: '2.0',
      id,
      ...(answer === 'error' ? { error } : { result: answer }),
    }));
    response.end(JSON.stringify(status === 200 ? body : { error: 'secret' }));
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(close);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`;
  const client = connectEvm(url);
  const failing = async (work: Promise<unknown>): Promise<ProviderFailure> => {
    const failure = await work.then(
      () => assert.fail('it answered'),
      (error) => error,
    );
    assert.ok(failure instanceof ProviderFailure);
    assert.doesNotMatch(
      `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`,
      /secret/,
    );
    return failure;
  };
  const hash: Hex = `0x${'ab'.repeat(32)}`;
  assert.deepEqual(await Promise.all([client.receipt(hash), client.receipt(hash)]), [null, null]);
  assert.equal(asked.filter((method) => method === 'eth_getTransactionReceipt').length, 2);
  answer = 'error';
  assert.equal((await failing(client.send('0x01'))).answered, true);
  answer = { nonsense: true };
  await failing(client.receipt(hash));
  await failing(client.balance(hash));
  status = 503;
  const { answered, message } = await failing(client.chainId());
  const { host } = new URL(url);
  assert.deepEqual([answered, message], [false, `eth_chainId: ${host} answered HTTP 503`]);
  status = 401;
  assert.match((await failing(client.chainId())).message, /answered HTTP 401 \(usually a wrong key\)$/);
  close();
  const closed = await failing(client.chainId());
  assert.deepEqual(
    [closed.answered, closed.message],
    [false, `eth_chainId: could not reach ${host}: it refused the connection (ECONNREFUSED)`],
  );
});

test('over HTTP: every block tag and number that is asked for is the one that goes out', async (t) => {
  const asked: string[] = [];
  const block = { number: '0x5', hash: '0x0a', parentHash: '0x09', gasLimit: '0x1', timestamp: '0x1' };
  const transactions = [{ hash: '0x0B', from: '0x0C', nonce: '0x7' }];
  const results: Record<string, unknown> = {
    eth_getBlockByNumber: { ...block, logsBloom: '0xff', transactions },
    eth_getTransactionCount: '0x8',
    eth_getLogs: [],
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const calls = JSON.parse(text) as { id: number; method: string; params: unknown[] }[];
    for (const { method, params } of calls) asked.push(`${method} ${JSON.stringify(params)}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(calls.map(({ id, method }) => ({ id, result: results[method] }))));
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connectEvm(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const read = { number: 5n, hash: '0x0a', parent: '0x09', bloom: '0xff', gasLimit: 1n, minedAtMs: 1_000 };
  assert.deepEqual(await client.block('finalized'), read);
  assert.deepEqual(await client.block(5n), read);
  assert.deepEqual(await client.fullBlock(5n), {
    ...read,
    transactions: [{ hash: '0x0b', from: '0x0c', nonce: 7 }],
  });
  for (const at of ['finalized', 'latest', 16n] as const) assert.equal(await client.nonce('0x0c', at), 8);
  await client.logs({ fromBlock: 1n, toBlock: 16n, topics: ['0x01'] });
  await client.logsIn('0x0a', { address: '0x02', topics: [] });
  assert.deepEqual(asked, [
    'eth_getBlockByNumber ["finalized",false]',
    'eth_getBlockByNumber ["0x5",false]',
    'eth_getBlockByNumber ["0x5",true]',
    'eth_getTransactionCount ["0x0c","finalized"]',
    'eth_getTransactionCount ["0x0c","latest"]',
    'eth_getTransactionCount ["0x0c","0x10"]',
    'eth_getLogs [{"topics":["0x01"],"fromBlock":"0x1","toBlock":"0x10"}]',
    'eth_getLogs [{"address":"0x02","topics":[],"blockHash":"0x0a"}]',
  ]);
});
