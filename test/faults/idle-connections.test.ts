// Connections on which nothing happens do not keep a process that is told to stop: neither kept-alive ones between
// two requests, nor ones that never sent a byte, nor ones whose request never ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { postmasterOf } from '../support/home.ts';
import { startProcess, until } from '../support/process.ts';

/** Far above what a stop takes, far below the time limits of requests that are set here. */
const PROMPT_MS = 15_000;
const settings = {
  HEADERS_TIMEOUT_MS: '300000',
  REQUEST_TIMEOUT_MS: '300000',
  KEEP_ALIVE_TIMEOUT_MS: '300000',
};

const cases = {
  'threats 77, 90: kept-alive connections between requests do not hold up a stop':
    'GET /health HTTP/1.1\r\nhost: x\r\n\r\n',
  'threats 77, 90: connections that never sent a byte do not hold up a stop': '',
  'threats 77, 90: half a request head does not hold up a stop':
    'POST /transactions/v1/onramp HTTP/1.1\r\nhost:',
  'threats 77, 90: half a request body does not hold up a stop':
    'POST /transactions/v1/onramp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a',
};

for (const [name, bytes] of Object.entries(cases)) {
  test(name, async (t) => {
    const service = await startProcess(t, { settings });
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    let answered = 0;
    for (const port of [service.home.port, service.home.otcPort]) {
      for (let count = 0; count < 3; count++) {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined).on('data', () => answered++);
        sockets.push(socket);
        await once(socket, 'connect');
        socket.write(bytes);
      }
    }
    if (bytes.startsWith('GET')) await until('all were answered', () => answered === sockets.length);
    // Behind the connections above in the queue, so they have all been taken in.
    assert.equal((await fetch(`${service.baseUrl}/health`)).status, 200);

    const late = setTimeout(() => service.kill('SIGKILL'), PROMPT_MS);
    assert.deepEqual(await service.stop(), { code: 0, signal: null });
    clearTimeout(late);
    assert.equal(postmasterOf(service.home.dataDir), undefined);
  });
}
