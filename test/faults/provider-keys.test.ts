// Tests that keys in provider URLs stay secret. Whatever a provider responds, even the whole URL, no key reaches the metrics or
// the log. The clients and the log are the real ones.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import pino from 'pino';
import { connectEvm } from '../../src/adapters/networks/evm/rpc/client.ts';
import { makeProviders, type Providers } from '../../src/adapters/networks/providers/providers.ts';
import { connectSolana } from '../../src/adapters/networks/solana/rpc/connect-solana.ts';
import { connectHorizon } from '../../src/adapters/networks/stellar/horizon/horizon.ts';
import { makeMetrics } from '../../src/http/metrics.ts';
import type { Network, Networks } from '../../src/ports/networks/network.ts';
import { startProviderWatch } from '../../src/workers/watch-providers.ts';
import { until } from '../support/patience.ts';

const KEY = /key-in-the-path|key-in-the-query|key-of-operator|b3BlcmF0b3I6a2V5/;

/** Each of these failures repeats the request in its response, including the key. */
const FAILURES: Readonly<Record<string, (response: ServerResponse, said: string, id: unknown) => void>> = {
  'a status line': (response, said) => response.writeHead(401, said.replace(/[^\x20-\x7e]/g, '')).end(said),
  'an error of the server': (response, said, id) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_005, message: said } })),
  'a problem document': (response, said) =>
    response
      .writeHead(403, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type: 'forbidden', title: said, status: 403 })),
  'no JSON': (response, said) => response.writeHead(200).end(said),
  'a cut connection': (response) => response.destroy(),
};
let way = Object.values(FAILURES)[0]!;

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    const { id } = (body.startsWith('{') ? JSON.parse(body) : {}) as { id?: unknown };
    way(response, `not for ${request.url} ${request.headers.authorization ?? ''}`, id ?? null);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

function opened(log: pino.Logger): Readonly<Record<string, Network>> {
  const parts = {
    clock: { now: () => Date.now() },
    onTrouble: (provider: string, error: Error) =>
      log.warn({ provider, err: error, error: error.message }, 'a provider failed'),
  };
  const network = <Client>(
    name: string,
    providers: Providers<Client>,
    ask: (client: Client) => Promise<unknown>,
  ) =>
    ({
      name,
      providers: async () => {
        await providers.one(ask).catch((error: Error) => log.warn({ err: error }, 'background work'));
        return providers.look(ask);
      },
    }) as Partial<Network> as Network;
  const path = 'key-in-the-path';
  const query = 'apikey=key-in-the-query';
  const login = 'operator:key-of-operator@';
  return {
    evm: network(
      'Polygon',
      makeProviders([`http://${login}${host}/v2/${path}?${query}`], (url) => connectEvm(url, 1), parts),
      (c) => c.chainId(),
    ),
    solana: network('Solana', makeProviders([`http://${host}/${path}?${query}`], connectSolana, parts), (c) =>
      c.finalized(),
    ),
    // The settings refuse a URL with a login. If such a URL gets here anyway, the library reports it.
    withLogin: network(
      'Other',
      makeProviders([`http://${login}${host}/${path}`], connectSolana, parts),
      (c) => c.finalized(),
    ),
    stellar: network(
      'Stellar',
      makeProviders([`http://${login}${host}/${path}`], connectHorizon, parts),
      (c) => c.need('/'),
    ),
  };
}

for (const [name, failure] of Object.entries(FAILURES)) {
  test(`threat 92: API keys of providers are in neither the metrics nor the log: ${name}`, async () => {
    way = failure;
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const metrics = makeMetrics({});
    const networks = Object.values(opened(log));
    const loop = startProviderWatch(
      {
        networks: { enabled: (mode) => (mode === 'live' ? networks : []) } as Partial<Networks> as Networks,
        instruments: metrics,
        say: (loudness, message, detail) => log[loudness](detail, message),
        onError: (error) => log.warn({ err: error }, 'background work'),
      },
      1,
    );
    const logged = () => lines.filter((line) => line.includes('no provider of a network answers')).length;
    // Every client logs the line, except clients that accept a response that makes the other clients fail.
    await until('both are known to be silent', () => logged() >= 2).finally(() => loop.stop());
    assert.ok(logged() >= 2, lines.join(''));
    const shown = await metrics.registry.metrics();
    assert.match(shown, new RegExp(`provider_up\\{[^}]*provider="${host}"\\} 0`));
    assert.doesNotMatch(shown, KEY);
    assert.deepEqual(
      lines.filter((line) => KEY.test(line)),
      [],
    );
  });
}
