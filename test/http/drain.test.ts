// A request that was in progress when the stop began is answered with `connection: close`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { buyBody, startTestService } from '../support/service.ts';

const service = await startTestService();

test('threat 90: an answer to a request that began before the draining says close', async () => {
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
