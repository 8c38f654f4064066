// The clients of the streams benchmark, in a separate process. They open the given number of streams, count the received bytes,
// and keep the streams open until the parent process disconnects. A stream that ends early or receives nothing is an error.
import { connect, type Socket } from 'node:net';
import type { ClientsRequest } from './clients-process.ts';

const END = 'event: stream.ended';
let received = 0;

function open({ port, key }: ClientsRequest, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('error', reject);
    socket.on('connect', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\nsvc-sec-key: ${key}\r\naccept: text/event-stream\r\n\r\n`,
      ),
    );
    socket.once('data', (head) => {
      const text = head.toString('latin1');
      if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(`${path}: ${text}`));
      socket.on('close', () => fail(`a stream of ${path} was closed`));
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (chunk.length < 200 && chunk.includes(END)) fail(`${path}: ${chunk.toString()}`);
      });
      resolve();
    });
  });
}

function fail(problem: string): void {
  process.send!({ problem });
}

process.on('message', async (message: ClientsRequest | 'received') => {
  if (message === 'received') {
    process.send!({ received });
    return;
  }
  try {
    const left = message.paths.values();
    const worker = async () => {
      for (const path of left) await open(message, path);
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    process.send!({ opened: message.paths.length });
  } catch (error) {
    fail((error as Error).message);
  }
});
process.on('disconnect', () => process.exit(0));
