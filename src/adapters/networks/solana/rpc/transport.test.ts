// Tests a provider that changes to a different chain after its first responses. It is no longer used, because every call that
// decides about money is sent with a query for the chain.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WrongChainError } from '../../providers/errors.ts';
import { makeProviders } from '../../providers/providers.ts';
import { makeChainGuard } from '../start-checks.ts';
import { connectSolana } from './connect-solana.ts';

const OURS = 'our-genesis';
const HASH = '5'.repeat(88);
const FINAL = { slot: 7, confirmations: null, confirmationStatus: 'finalized', err: null };

interface Call {
  readonly id: unknown;
  readonly method: string;
}

async function serve(t: TestContext, batches: 'taken' | 'refused' | 'misread' | 'cut short' = 'taken') {
  const provider = { genesis: OURS, requests: [] as string[][], slot: '7' };
  const answerOne = ({ id, method }: Call): string => {
    const results: Readonly<Record<string, string>> = {
      getGenesisHash: JSON.stringify(provider.genesis),
      getSignatureStatuses: `{"context":{"slot":${provider.slot}},"value":[${JSON.stringify(FINAL)}]}`,
      sendTransaction: JSON.stringify(HASH),
    };
    const result = results[method];
    const end =
      result === undefined ? '"error":{"code":-32601,"message":"no such method"}' : `"result":${result}`;
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${end}}`;
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked: unknown = JSON.parse(body);
    const calls = [asked].flat() as Call[];
    provider.requests.push(calls.map(({ method }) => method));
    if (Array.isArray(asked) && batches === 'refused') return void response.writeHead(400).end('no batches');
    const answers = (batches === 'cut short' ? calls.slice(0, 1) : calls).map(answerOne);
    response.setHeader('content-type', 'application/json');
    response.end(Array.isArray(asked) && batches !== 'misread' ? `[${answers}]` : answers[0]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { provider, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const elsewhere = (error: unknown) => error instanceof WrongChainError;

test('threats 42, 101: responses of a provider are refused after it changes to another chain', async (t) => {
  const { provider, url } = await serve(t);
  const client = connectSolana(url, () => OURS);
  assert.equal((await client.statuses([HASH])).found[0]?.final, true);
  provider.genesis = 'another-genesis';
  await assert.rejects(client.statuses([HASH]), elsewhere);
  provider.genesis = OURS;
  assert.equal((await client.statuses([HASH])).found[0]?.final, true);
  const both = ['getSignatureStatuses', 'getGenesisHash'];
  assert.deepEqual(provider.requests, [both, both, both], 'in the same round trip');
  assert.equal(await client.send('bytes'), HASH);
  assert.deepEqual(provider.requests.at(-1), ['sendTransaction'], 'what is found by its hash needs no chain');
});

test('a provider that accepts no batches gets a separate query for its chain, and a change of chain is noticed as well', async (t) => {
  for (const batches of ['refused', 'misread'] as const) {
    const { provider, url } = await serve(t, batches);
    const client = connectSolana(url, () => OURS);
    for (let call = 0; call < 2; call++) await client.statuses([HASH]);
    provider.genesis = 'another-genesis';
    await assert.rejects(client.statuses([HASH]), elsewhere);
    assert.equal(provider.requests.filter(({ length }) => length > 1).length, 1, 'not tried every time');
  }
});

test('a response without the chain is refused, and large numbers are not rounded', async (t) => {
  const { url } = await serve(t, 'cut short');
  await assert.rejects(connectSolana(url, () => OURS).statuses([HASH]), /left getGenesisHash out/);
  const { provider, url: whole } = await serve(t);
  provider.slot = '9007199254740993';
  assert.equal((await connectSolana(whole, () => OURS).statuses([HASH])).slot, 9_007_199_254_740_993n);
});

test('a provider that named another chain must name the right one before it gets other requests', async (t) => {
  const { provider, url } = await serve(t);
  const guard = makeChainGuard();
  const troubles: string[] = [];
  const providers = makeProviders([url], (each) => connectSolana(each, guard.expected), {
    clock: { now: () => 0 },
    prove: guard.prove,
    onTrouble: (_, { message }) => void troubles.push(message),
  });
  guard.expect(OURS);
  const ask = () => providers.one((client) => client.statuses([HASH]));
  await ask();
  provider.genesis = 'another-genesis';
  await assert.rejects(ask());
  const before = provider.requests.length;
  await assert.rejects(ask());
  assert.deepEqual(provider.requests.slice(before), [['getGenesisHash']]);
  assert.deepEqual(troubles, ['it is on the chain another-genesis, but the settings say our-genesis']);
  provider.genesis = OURS;
  assert.equal((await ask()).found[0]?.final, true);
});
