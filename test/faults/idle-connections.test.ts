// Tests that idle connections do not delay a process that receives SIGTERM. These connections are kept alive between two
// requests, never sent a byte, or have a request that never ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { postmasterOf } from '../support/home.ts';
import { inTime, until } from '../support/patience.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';

/** The timeouts are as long as possible, far longer than the test waits for a stop. */
const settings = {
  HEADERS_TIMEOUT_MS: '600000',
  REQUEST_TIMEOUT_MS: '600000',
  KEEP_ALIVE_TIMEOUT_MS: '600000',
  DRAIN_MS: '1',
};
const POST = 'POST /transactions/v1/onramp HTTP/1.1\r\nhost: x\r\n';
const STRAGGLERS = ['', POST, `${POST}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a`];

test('threats 77, 90: idle connections do not delay a stop', async (t) => {
  const home = await makeUsedHome(t);
  // The test opens all kinds of connections at once. A stop waits for the last connection, so a single kind that delays it is
  // noticed.
  const service = await startProcess(t, { home, settings });
  const answered = new Set<Socket>();
  const keptAlive = await open(t, service, 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
  for (const socket of keptAlive) socket.on('data', () => answered.add(socket));
  for (const bytes of STRAGGLERS) await open(t, service, bytes);
  await until('all that asked were answered', () => answered.size === keptAlive.length);
  // This request is behind the connections above in the queue, so the service has accepted all of them.
  assert.equal((await fetch(`${service.baseUrl}/health`)).status, 200);
  await (await fetch(`${service.otcBaseUrl}/otc/buy`)).text();
  await assertStops(service);
});

async function open(t: TestContext, { home }: ServiceProcess, bytes: string): Promise<Socket[]> {
  const opening = [home.port, home.port, home.otcPort].map(async (port) => {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(bytes);
    return socket;
  });
  return Promise.all(opening);
}

async function assertStops(service: ServiceProcess): Promise<void> {
  assert.deepEqual(await inTime('the service to stop', service.stop()), { code: 0, signal: null });
  assert.equal(postmasterOf(service.home.dataDir), undefined);
}
