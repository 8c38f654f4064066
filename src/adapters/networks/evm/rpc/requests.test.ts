// Tests requests over HTTP. Errors distinguish a refusal from a missing response, and they contain no URL. Every response that
// decides about money comes together with the id of the chain. A provider that accepts no batches gets single requests.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Hex } from 'viem';
import { WrongChainError } from '../../providers/errors.ts';
import { ProviderFailure } from './answers.ts';
import { connectEvm } from './client.ts';
import { makeEvmRequests } from './requests.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

const CHAIN_ID = 137;
const HASH: Hex = `0x${'ab'.repeat(32)}`;

async function serve(t: TestContext, reply: (calls: readonly Asked[], isBatch: boolean) => Reply) {
  const requests: (readonly Asked[])[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const read = JSON.parse(text) as Asked | Asked[];
    const calls = [read].flat();
    requests.push(calls);
    const { status = 200, body } = reply(calls, Array.isArray(read));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(close);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`;
  return { client: connectEvm(url, CHAIN_ID), url, host: new URL(url).host, requests, close };
}

const answering =
  (resultOf: (method: string) => unknown, chain = () => CHAIN_ID) =>
  (calls: readonly Asked[], isBatch: boolean): Reply => {
    const body = calls.map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'eth_chainId' ? `0x${chain().toString(16)}` : resultOf(method),
    }));
    return { body: isBatch ? body : body[0] };
  };

async function failing(work: Promise<unknown>): Promise<ProviderFailure> {
  const failure = await work.then(
    () => assert.fail('it answered'),
    (error) => error,
  );
  assert.ok(failure instanceof ProviderFailure, `${failure}`);
  const whole = `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`;
  assert.doesNotMatch(whole, /secret/);
  return failure;
}

test('each request of a batch gets its own result, even if another one fails', async (t) => {
  const { url, requests } = await serve(t, (calls) => ({
    body: calls.map(({ id, method }) =>
      method === 'eth_call' ? { id, error: { code: 3, message: 'no' } } : { id, result: '0x89' },
    ),
  }));
  const request = makeEvmRequests(url, CHAIN_ID);
  const answered = request('eth_blockNumber', []);
  const refused = request('eth_call', []).then(
    () => assert.fail('it answered'),
    () => 'refused',
  );
  assert.equal(await Promise.race([answered, refused]), '0x89');
  assert.equal(await refused, 'refused');
  assert.equal(requests.length, 1);
});

test('errors distinguish a refusal from a missing response and contain no URL, and requests do not share a response', async (t) => {
  let answer: unknown = null;
  let status = 200;
  const { client, host, requests, close } = await serve(t, (calls, isBatch) => {
    const error = { code: -32000, message: 'see http://127.0.0.1/secret' };
    if (status !== 200) return { status, body: { error: 'secret' } };
    const body = calls.map(({ id, method }) => ({
      id,
      ...(method === 'eth_chainId'
        ? { result: '0x89' }
        : answer === 'error'
          ? { error }
          : { result: answer }),
    }));
    return { body: isBatch ? body : body[0] };
  });
  assert.deepEqual(await Promise.all([client.receipt(HASH), client.receipt(HASH)]), [null, null]);
  const methods = requests.flat().map(({ method }) => method);
  assert.equal(methods.filter((method) => method === 'eth_getTransactionReceipt').length, 2);
  answer = 'error';
  assert.equal((await failing(client.send('0x01'))).answered, true);
  answer = { nonsense: true };
  await failing(client.receipt(HASH));
  await failing(client.balance(HASH));
  status = 503;
  const { answered, message } = await failing(client.chainId());
  assert.deepEqual([answered, message], [false, `eth_chainId: ${host} answered HTTP 503`]);
  assert.equal((await failing(client.receipt(HASH))).answered, false);
  status = 401;
  assert.match((await failing(client.chainId())).message, /answered HTTP 401 \(usually a wrong key\)$/);
  close();
  const closed = await failing(client.chainId());
  assert.deepEqual(
    [closed.answered, closed.message],
    [false, `eth_chainId: could not reach ${host}: it refused the connection (ECONNREFUSED)`],
  );
});

test('every block tag and number is sent as given, together with a query for the chain', async (t) => {
  const block = { number: '0x5', hash: '0x0a', parentHash: '0x09', gasLimit: '0x1', timestamp: '0x1' };
  const transactions = [{ hash: '0x0B', from: '0x0C', nonce: '0x7' }];
  const results: Record<string, unknown> = {
    eth_getBlockByNumber: { ...block, logsBloom: '0xff', transactions },
    eth_getTransactionCount: '0x8',
    eth_getLogs: [],
  };
  const { client, requests } = await serve(
    t,
    answering((method) => results[method]),
  );
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
  for (const [first] of requests) assert.equal(first!.method, 'eth_chainId');
  assert.deepEqual(
    requests.map(([, call]) => `${call!.method} ${JSON.stringify(call!.params)}`),
    [
      'eth_getBlockByNumber ["finalized",false]',
      'eth_getBlockByNumber ["0x5",false]',
      'eth_getBlockByNumber ["0x5",true]',
      'eth_getTransactionCount ["0x0c","finalized"]',
      'eth_getTransactionCount ["0x0c","latest"]',
      'eth_getTransactionCount ["0x0c","0x10"]',
      'eth_getLogs [{"topics":["0x01"],"fromBlock":"0x1","toBlock":"0x10"}]',
      'eth_getLogs [{"address":"0x02","topics":[],"blockHash":"0x0a"}]',
    ],
  );
});

test('threat 101: a response that names another chain is refused, even if the provider changes its chain later', async (t) => {
  let chain = CHAIN_ID;
  const { client, requests } = await serve(
    t,
    answering(
      () => null,
      () => chain,
    ),
  );
  assert.equal(await client.receipt(HASH), null);
  chain = 778;
  for (const ask of [
    () => client.receipt(HASH),
    () => client.nonce(HASH, 'finalized'),
    () => client.logs({ fromBlock: 1n, toBlock: 2n, topics: [] }),
  ])
    await assert.rejects(ask(), WrongChainError);
  chain = CHAIN_ID;
  assert.equal(await client.receipt(HASH), null);
  requests.length = 0;
  await Promise.all(Array.from({ length: 120 }, () => client.receipt(HASH)));
  assert.deepEqual(
    requests.map((calls) => [calls.length, calls.filter(({ method }) => method === 'eth_chainId').length]),
    [
      [50, 1],
      [50, 1],
      [23, 1],
    ],
    'once in each batch',
  );
});

test('a response is refused if its provider does not name its chain', async (t) => {
  const { client } = await serve(t, (calls) => ({
    body: calls.map(({ id, method }) =>
      method === 'eth_chainId' ? { id, error: { code: -32601, message: 'no' } } : { id, result: null },
    ),
  }));
  const { answered, message } = await failing(client.receipt(HASH));
  assert.deepEqual([answered, /does not say which chain/.test(message)], [false, true]);
});

test('a provider that accepts no batches gets single requests, each after a query for its chain; a busy provider gets no extra requests', async (t) => {
  for (const refusal of [
    { status: 400, body: 'no batches' },
    { body: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'invalid request' } } },
  ]) {
    let chain = CHAIN_ID;
    const one = answering(
      () => null,
      () => chain,
    );
    const { client, requests } = await serve(t, (calls, isBatch) => (isBatch ? refusal : one(calls, false)));
    assert.deepEqual(await Promise.all([client.receipt(HASH), client.receipt(HASH)]), [null, null]);
    requests.length = 0;
    assert.equal(await client.receipt(HASH), null);
    assert.deepEqual(
      requests.map((calls) => calls.map(({ method }) => method).join()),
      ['eth_chainId', 'eth_getTransactionReceipt'],
      'it is remembered',
    );
    chain = 778;
    await assert.rejects(client.receipt(HASH), WrongChainError);
  }
  const busy = { body: { error: { code: -32005, message: 'too many' } } };
  const { client, requests } = await serve(t, () => busy);
  assert.equal((await failing(client.receipt(HASH))).code, -32005);
  assert.equal(requests.length, 1);
});
