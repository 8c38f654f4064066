// Tests the time limits of a connection that start before its first request.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { longEnough } from '../../../test/support/patience.ts';
import { makeConnections } from './connections.ts';
import { makeNodeServer } from './node-server.ts';
import type { RawAnswers } from './raw-answers.ts';
import { makeTraffic } from './traffic.ts';

test('threat 77: a TLS handshake that never finishes is closed, and its connection no longer counts', async (t) => {
  const limits = { maxConnections: 1, maxConnectionsPerAddress: 1, requestsInFlight: 1 };
  const traffic = makeTraffic({ ...limits, isProxy: () => false });
  const times = { headersTimeoutMs: 200, requestTimeoutMs: 60_000, keepAliveTimeoutMs: 60_000 };
  const nothing = () => undefined;
  const connections = makeConnections({
    ...{ traffic, ...times, writeTimeoutMs: 60_000 },
    ...{ refuse: nothing, answered: nothing },
  });
  const parts = { connections, rawAnswers: {} as RawAnswers, onCutOff: nothing };
  const { cert, key } = makeCertificate();
  const tls = { cert: Buffer.from(cert), key: Buffer.from(key) };
  const server = makeNodeServer({ tls, ...times }, parts, nothing);
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (const firstBytes of ['', '\u0016\u0003\u0001']) {
    const client = connect(port, '127.0.0.1', () => client.write(firstBytes)).on('error', nothing);
    t.after(() => client.destroy());
    const [socket] = (await once(server, 'connection')) as [Socket];
    assert.equal(traffic.connections, 1);
    await once(socket, 'close');
    assert.equal(traffic.connections, 0);
  }
  assert.equal(traffic.refused, 0);
});

test('an upload may take longer than the time limit of requests; any other request may not', async (t) => {
  const cut = await longEnough(100, (limitMs) => cutOffAfter(limitMs, t));
  assert.deepEqual(cut, ['ERR_HTTP_REQUEST_TIMEOUT']);
});

/**
 * Returns the error codes of the requests that the time limit cut off. Undefined: the limit passed before the server read the
 * headers of the upload.
 */
async function cutOffAfter(limitMs: number, t: TestContext): Promise<readonly string[] | undefined> {
  const limits = { maxConnections: 9, maxConnectionsPerAddress: 9, requestsInFlight: 9 };
  const times = { headersTimeoutMs: limitMs, requestTimeoutMs: limitMs, keepAliveTimeoutMs: 60_000 };
  const nothing = () => undefined;
  const connections = makeConnections({
    ...{ traffic: makeTraffic({ ...limits, isProxy: () => false }), ...times, requestTimeoutMs: 60_000 },
    ...{ writeTimeoutMs: 60_000, refuse: nothing, answered: nothing },
  });
  const cut: string[] = [];
  const broken = (_error: Error, socket: Socket) => void socket.destroy();
  const parts = {
    ...{ connections, rawAnswers: { broken } as unknown as RawAnswers },
    onCutOff: (_socket: Socket, { code }: NodeJS.ErrnoException) => void cut.push(code!),
  };
  let seen: string | undefined;
  const server = makeNodeServer({ tls: null, ...times }, parts, (request, response) => {
    seen = request.url;
    if (request.url === '/upload') connections.takeUpload(response as never);
    request.resume().on('end', () => response.end('whole'));
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (const [path, ends] of [
    ['/upload', 'whole'],
    ['/other', ''],
  ] as const) {
    const client = connect(port, '127.0.0.1').on('error', nothing);
    t.after(() => client.destroy());
    client.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 4\r\n\r\nab`);
    const [error] = (await once(server, 'clientError')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT');
    if (seen !== path) return undefined;
    client.write('cd');
    const text = (
      await client
        .setEncoding('utf8')
        .toArray()
        .catch(() => [])
    ).join('');
    assert.equal(text.slice(-ends.length || text.length), ends, path);
  }
  return cut;
}
