// Time limits that begin before there is a request.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { makeConnections } from './connections.ts';
import { makeNodeServer } from './node-server.ts';
import type { RawAnswers } from './raw-answers.ts';
import { makeTraffic } from './traffic.ts';

test('threat 77: a TLS handshake that never ends is closed, and its connection no longer counts', {
  timeout: 60_000,
}, async (t) => {
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
