// Tests the common behaviour of all providers: the HTTP server, transport faults, batches, and the limits of faults.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startEvmProvider } from './evm/evm.ts';
import type { EvmFault } from './evm/evm-names.ts';
import type { Provider } from './faults.ts';
import { startSolanaProvider } from './solana/solana.ts';
import { startStellarProvider } from './stellar/stellar.ts';
import { batch, post, rpc, startRpcUpstream, startUpstream, type TinyUpstream } from './tiny-upstream.ts';

const RESULTS: Readonly<Record<string, string>> = {
  eth_chainId: '"0x7a69"',
  eth_blockNumber: '"0x64"',
  eth_gasPrice: '"0x3b9aca00"',
  eth_getTransactionReceipt: '{"status":"0x1","logs":[],"blockNumber":"0x63"}',
  eth_sendRawTransaction: '"0x01"',
};
const METHODS = ['eth_chainId', 'eth_blockNumber', 'eth_gasPrice'];

let upstream: TinyUpstream;
let provider: Provider<EvmFault>;

before(async () => {
  upstream = await startRpcUpstream(({ method }) => RESULTS[method] ?? 'null');
  provider = await startEvmProvider({ upstream: upstream.url, seed: 5 });
});

after(async () => {
  await provider.close();
  await upstream.close();
});

beforeEach(() => {
  provider.clear();
  upstream.asked.length = 0;
});

describe('the wire', () => {
  it('passes path, query, headers, status and body through unchanged, in both directions', async () => {
    const horizon = await startUpstream(() => ({
      status: 203,
      headers: { 'latest-ledger': '77', 'x-ratelimit-limit': '3600' },
      body: '{ "amount" : 1.0,\n "big":18446744073709551615 }',
    }));
    const stellar = await startStellarProvider({ upstream: `${horizon.url}/` });
    const answer = await fetch(`${stellar.url}/payments?cursor=1%2B2&limit=2`, {
      headers: { 'x-client': 'me' },
    });
    assert.equal(answer.status, 203);
    assert.equal(answer.headers.get('latest-ledger'), '77');
    assert.equal(answer.headers.get('x-ratelimit-limit'), '3600');
    assert.equal(await answer.text(), '{ "amount" : 1.0,\n "big":18446744073709551615 }');
    assert.equal(horizon.asked[0]?.url, '/payments?cursor=1%2B2&limit=2');
    assert.equal(horizon.asked[0]?.headers['x-client'], 'me');
    await stellar.close();
    await horizon.close();
  });

  it('rewrites links to its own address, and passes event streams through unchanged', async () => {
    const horizon: TinyUpstream = await startUpstream(({ headers }) => ({
      headers: { 'content-type': headers.accept ?? 'application/json' },
      body: `{"href":"${horizon.url}/payments?cursor=now"}`,
    }));
    const stellar = await startStellarProvider({ upstream: horizon.url });
    const answer = await fetch(`${stellar.url}/payments`);
    assert.deepEqual(await answer.json(), { href: `${stellar.url}/payments?cursor=now` });
    stellar.use('half_json');
    const events = await fetch(`${stellar.url}/payments`, { headers: { accept: 'text/event-stream' } });
    assert.equal(events.headers.get('content-type'), 'text/event-stream');
    assert.equal(await events.text(), `{"href":"${horizon.url}/payments?cursor=now"}`);
    await stellar.close();
    await horizon.close();
  });

  it('returns 502 when the upstream cannot be reached', async () => {
    const gone = await startUpstream(() => ({ body: '{}' }));
    await gone.close();
    const lost = await startEvmProvider({ upstream: gone.url });
    assert.equal((await post(lost.url, { id: 1, method: 'eth_chainId', params: [] })).status, 502);
    await lost.close();
  });

  it('can be closed while a connection is open', async () => {
    const own = await startEvmProvider({ upstream: upstream.url });
    const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    own.use('slow', { ms: 60_000 });
    const waiting = rpc(own.url, 'eth_chainId').catch(() => 'cut');
    while (own.seen().slow === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined));
    await own.close();
    await closed;
    assert.equal(await waiting, 'cut');
  });

  it('keeps the notation of numbers that it does not change, even in a changed response', async () => {
    const node = await startRpcUpstream(
      () => '{"context":{"slot":5},"value":{"rentEpoch":18446744073709551615,"uiAmount":1.0}}',
    );
    const solana = await startSolanaProvider({ upstream: node.url });
    solana.use('context_slot_differs', { by: 1 });
    const text = await (await post(solana.url, { id: 1, method: 'getAccountInfo', params: ['a'] })).text();
    assert.match(text, /"slot":6.*"rentEpoch":18446744073709551615,"uiAmount":1\.0/);
    await solana.close();
    await node.close();
  });
});

describe('batches', () => {
  it('batches keep every id, in the order of the upstream', async () => {
    const answers = await batch(provider.url, METHODS);
    assert.deepEqual(
      answers.map(({ id, result }) => [id, result]),
      [
        [1, '0x7a69'],
        [2, '0x64'],
        [3, '0x3b9aca00'],
      ],
    );
  });

  it('batches are forwarded without the calls that a fault handles itself', async () => {
    provider.use('dropped');
    const answers = await batch(provider.url, ['eth_chainId', 'eth_sendRawTransaction', 'eth_blockNumber']);
    assert.deepEqual(
      answers.map(({ id }) => id),
      [1, 2, 3],
    );
    assert.match(String(answers[1]?.result), /^0x[0-9a-f]{64}$/);
    assert.deepEqual(
      (JSON.parse(upstream.asked[0]?.body ?? '') as { id: number }[]).map(({ id }) => id),
      [1, 3],
    );
  });

  it('batches keep an upstream error that belongs to no call', async () => {
    const node = await startUpstream(() => ({
      body: '[{"id":null,"error":{"code":-32700,"message":"no"}}]',
    }));
    const own = await startEvmProvider({ upstream: node.url });
    assert.deepEqual(await batch(own.url, METHODS), [{ id: null, error: { code: -32700, message: 'no' } }]);
    await own.close();
    await node.close();
  });

  it('batches are reordered together with their ids', async () => {
    provider.use('batch_shuffled');
    const answers = await batch(provider.url, METHODS);
    assert.notDeepEqual(
      answers.map(({ id }) => id),
      [1, 2, 3],
    );
    assert.equal(answers.find(({ id }) => id === 2)?.result, '0x64');
    assert.equal(answers.length, 3);
  });

  it('two ids of a batch are swapped', async () => {
    provider.use('wrong_id');
    const answers = await batch(provider.url, METHODS);
    assert.deepEqual(
      answers.map(({ result }) => result),
      ['0x7a69', '0x64', '0x3b9aca00'],
    );
    assert.equal(answers.filter(({ id }, at) => id !== at + 1).length, 2);
    assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3]);
  });

  it('batches are refused, while single calls are accepted', async () => {
    provider.use('batch_refused');
    const refusal = (await batch(provider.url, METHODS)) as unknown as { error: { code: number } };
    assert.equal(refusal.error.code, -32600);
    assert.equal((await rpc(provider.url, 'eth_chainId')).result, '0x7a69');
    assert.equal(upstream.asked.length, 1);
  });
});

describe('faults of the transport', () => {
  it('the fault slow delays the response', async () => {
    provider.use('slow', { ms: 80 });
    const start = performance.now();
    assert.equal((await rpc(provider.url, 'eth_chainId')).result, '0x7a69');
    assert.ok(performance.now() - start >= 75);
  });

  it('the fault cut closes the connection after the request is forwarded', async () => {
    provider.use('cut');
    await assert.rejects(rpc(provider.url, 'eth_sendRawTransaction', ['0x01']));
    assert.equal(upstream.asked.length, 1);
  });

  it('the faults too_many and html do not forward the request, unless configured to', async () => {
    provider.use('too_many', { by: 3, times: 1 });
    const limited = await post(provider.url, { id: 1, method: 'eth_chainId', params: [] });
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '3']);
    provider.use('html', { times: 1 });
    const page = await post(provider.url, { id: 1, method: 'eth_chainId', params: [] });
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(await page.text(), /^<!DOCTYPE html>/);
    assert.equal(upstream.asked.length, 0);
    provider.use('html', { passedOn: true });
    await post(provider.url, { id: 1, method: 'eth_chainId', params: [] });
    assert.equal(upstream.asked.length, 1);
  });

  it('the fault half_json returns invalid JSON', async () => {
    provider.use('half_json');
    await assert.rejects(rpc(provider.url, 'eth_chainId'), SyntaxError);
  });

  it('the fault doubled_keys returns the true value first and a false one second', async () => {
    provider.use('doubled_keys');
    const call = { id: 1, method: 'eth_getTransactionReceipt', params: [] };
    assert.match(await (await post(provider.url, call)).text(), /"status":"0x1","status":"0x0","logs"/);
    const number = await (await post(provider.url, { ...call, method: 'eth_blockNumber' })).text();
    assert.match(number, /"result":"0x64","result":"0x0"/);
  });

  it('the fault doubled submits a transaction twice, and sends a read once', async () => {
    provider.use('doubled');
    await rpc(provider.url, 'eth_chainId');
    await rpc(provider.url, 'eth_sendRawTransaction', ['0x01']);
    assert.equal(upstream.asked.length, 3);
    assert.equal(provider.seen().doubled, 1);
  });
});

describe('limits', () => {
  it('with the option times, a fault ends after that number of changed responses, and seen counts them', async () => {
    const had = provider.seen().transaction_unknown;
    provider.use('transaction_unknown', { times: 2 });
    await rpc(provider.url, 'eth_chainId');
    await rpc(provider.url, 'eth_getTransactionByHash', ['0xaa']);
    const receipt = () => rpc(provider.url, 'eth_getTransactionReceipt', ['0xaa']);
    assert.deepEqual([(await receipt()).result, (await receipt()).result], [null, null]);
    assert.notEqual((await receipt()).result, null);
    assert.equal(provider.seen().transaction_unknown - had, 2);
  });

  it('with the option about, a fault affects only some hashes, ignoring case, and transactions submitted with such a hash', async () => {
    provider.use('receipt_missing', { about: ['0xAB', '0xcd'] });
    assert.equal((await rpc(provider.url, 'eth_getTransactionReceipt', ['0xab'])).result, null);
    assert.notEqual((await rpc(provider.url, 'eth_getTransactionReceipt', ['0xef'])).result, null);
    // The Keccak-256 hash of the one byte 0x01.
    const about = '0x5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2';
    provider.use('error_but_not_sent', { about });
    assert.equal(
      (await rpc(provider.url, 'eth_sendRawTransaction', ['0x01'])).error?.message,
      'already known',
    );
    assert.equal((await rpc(provider.url, 'eth_sendRawTransaction', ['0x02'])).result, '0x01');
  });

  it('the options method and forMs limit a fault, stop ends it, and unknown faults are refused', async () => {
    provider.use('half_json', { method: 'eth_gasPrice' });
    assert.equal((await rpc(provider.url, 'eth_chainId')).result, '0x7a69');
    await assert.rejects(rpc(provider.url, 'eth_gasPrice'));
    provider.stop('half_json');
    assert.equal((await rpc(provider.url, 'eth_gasPrice')).result, '0x3b9aca00');
    provider.use('another_chain', { forMs: 0 });
    assert.equal((await rpc(provider.url, 'eth_chainId')).result, '0x7a69');
    assert.throws(() => provider.use('no_such' as EvmFault), /No such fault/);
  });

  it('several faults apply at the same time', async () => {
    provider.use('another_chain', { value: '5' });
    provider.use('head_goes_back', { by: 4 });
    const answers = await batch(provider.url, METHODS);
    assert.deepEqual(
      answers.map(({ result }) => result),
      ['0x5', '0x60', '0x3b9aca00'],
    );
  });
});
