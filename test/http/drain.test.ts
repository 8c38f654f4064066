// Tests the start and the end of a service. No money moves before its port listens. A request that is in progress when the stop
// begins gets a response with `connection: close`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import type { ServiceParts } from '../../src/wire/feature.ts';
import { openService } from '../../src/wire.ts';
import { databaseTimeoutMs } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { buyBody, startTestService } from '../support/service.ts';

const service = await startTestService();

test('a service counts as listening only once its port is open, so that a request from a rail gets a response', async (t) => {
  let parts: ServiceParts | undefined;
  const log = pino({ level: 'silent' });
  const config = readConfig({
    ...{
      ...SECRETS_KEY,
      DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()),
      DATABASE_URL: service.databaseUrl,
    },
  });
  const keeping = (given: ServiceParts) => {
    parts = given;
    return {};
  };
  const another = await openService(config, { logger: log, plain: log }, { beside: [keeping] });
  t.after(() => another.close());
  await another.servers.main.ready();
  assert.equal(parts!.isListening(), false);
  await another.servers.main.listen({ host: '127.0.0.1', port: 0 });
  assert.deepEqual([parts!.isListening(), parts!.isDraining()], [true, false]);
});

test('threat 90: the response to a request that began before draining has "connection: close"', async () => {
  const body = JSON.stringify(buyBody(service.business));
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
  });
  const arrived = once(service.service.servers.main.server, 'request');
  socket.write(
    `POST /transactions/v1/onramp HTTP/1.1\r\nhost: x\r\nsvc-sec-key: ${service.business.testKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 10)}`,
  );
  await arrived;
  service.service.beginDraining();
  socket.write(body.slice(10));
  await once(socket, 'end');
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\nconnection: close\r\n/i);
});
