// A TCP proxy in front of the service, whose connections a test cuts or freezes. While frozen, it forwards no byte and no
// close, as with an unplugged cable.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyProxy {
  readonly baseUrl: string;
  cut(): void;
  /** Forwards no data on any connection, old or new, until `fix`. */
  freeze(): void;
  fix(): void;
  close(): Promise<void>;
}

export async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'frozen' = 'whole';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (state === 'cut') return void incoming.resetAndDestroy();
    if (state === 'frozen') return;
    const outgoing = keep(connect(Number(port), hostname));
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      state = 'cut';
      endAll();
    },
    freeze: () => {
      state = 'frozen';
      for (const socket of sockets) socket.unpipe().pause();
    },
    fix: () => {
      // Bytes that arrived while the proxy was frozen are lost, so their connections end.
      if (state === 'frozen') endAll();
      state = 'whole';
    },
    close: async () => {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
