// Servers at possible webhook targets: a canary that counts every connection, a socket with scripted responses, and a name
// server. All are real sockets on loopback.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Canary extends AsyncDisposable {
  readonly port: number;
  readonly visits: () => number;
}

/** The canary listens on every interface of the machine. */
export async function openCanary(): Promise<Canary> {
  let visits = 0;
  const server = await openReceiver((socket) => {
    visits += 1;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\ncanary');
  }, '::');
  return {
    port: server.port,
    visits: () => visits,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly open: () => number;
  readonly connections: () => number;
}

export async function openReceiver(serve: (socket: Socket) => void, host = '127.0.0.1'): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    serve(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export function onRequest(socket: Socket, answer: (request: string) => void): void {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
    if (end === -1 || Buffer.byteLength(text.slice(end + 4)) < length) return;
    const request = text;
    text = '';
    answer(request);
  });
}

const TYPES = { 1: 4, 28: 6 } as const;

export interface NameServer extends AsyncDisposable {
  readonly address: string;
  readonly questions: () => number;
}

/** Responds to each query for A (4) and AAAA (6) with the given addresses in bytes; null means no response. */
export async function openNameServer(
  answer: (name: string, family: 4 | 6) => readonly (readonly number[])[] | null,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (message, from) => {
    questions += 1;
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at]!; length > 0; length = message[at]!) {
      labels.push(message.subarray(at + 1, at + 1 + length).toString());
      at += 1 + length;
    }
    const type = message.readUInt16BE(at + 1) as keyof typeof TYPES;
    const found = answer(labels.join('.'), TYPES[type]);
    if (found === null) return;
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    for (const [offset, count] of [1, found.length, 0, 0].entries())
      head.writeUInt16BE(count, 4 + 2 * offset);
    const records = found.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([head, message.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions: () => questions,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
