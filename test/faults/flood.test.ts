// Threat 77: clients without a key send far more requests than they read responses. The service keeps responding to other
// clients, and the files and memory that it uses for these clients stay limited.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';

const CONNECTIONS = 17;
const REQUESTS = 1_250;
const PATHS = [
  '/',
  '/openapi.json',
  '/docs',
  '/docs/static/swagger-ui-bundle.js',
  '/health',
  '/nothing',
  '/transactions/v1',
];
/**
 * The limit for files beyond those that the service itself has open: the connections of the flood, and a few connections of the
 * test.
 */
const MORE_FILES = 100;
/**
 * The limit for memory: the flood from one address, which the service parses but does not process, and garbage that is not
 * collected yet.
 */
const MORE_MEGABYTES = 300;

test('threats 77, 103: the service still responds during floods of pipelined requests whose responses are never read', async (t) => {
  const service = await startProcess(t, { home: await makeUsedHome(t) });
  const { test_key } = service.sandbox();
  const before = held(service);
  for (const path of PATHS) {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => flood(t, service, path)));
    for (let i = 0; i < 25; i++) {
      assert.equal((await fetch(`${service.baseUrl}/health`)).status, 200, path);
      const headers = { 'svc-sec-key': test_key };
      assert.equal(
        (await fetch(`${service.baseUrl}/transactions/v1/vendors`, { headers })).status,
        200,
        path,
      );
      assertBounded(service, before, path);
    }
    for (const socket of sockets) socket.destroy();
  }
  assert.equal((await fetch(`${service.baseUrl}/ready`)).status, 200);
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
});

async function flood(t: TestContext, service: ServiceProcess, path: string): Promise<Socket> {
  const socket = connect(service.home.port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(REQUESTS));
  return socket;
}

interface Held {
  readonly files: number;
  readonly megabytes: number;
}

/** Returns null if the system does not report these figures. */
function held({ pid }: ServiceProcess): Held | null {
  if (!existsSync(`/proc/${pid}/status`)) return null;
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { files: readdirSync(`/proc/${pid}/fd`).length, megabytes: Number(resident?.[1]) / 1_024 };
}

function assertBounded(service: ServiceProcess, before: Held | null, path: string): void {
  const now = held(service);
  if (before === null || now === null) return;
  assert.ok(now.files < before.files + MORE_FILES, `${path}: ${now.files} open files after ${before.files}`);
  assert.ok(
    now.megabytes < before.megabytes + MORE_MEGABYTES,
    `${path}: ${now.megabytes} MB after ${before.megabytes} MB`,
  );
}
