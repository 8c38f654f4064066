// A minimal upstream server for the tests of the providers. One function responds to each request, and the server records the
// requests, so that a test sees which requests reached it.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TinyUpstream {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

export interface Rpc {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export async function startUpstream(answer: (asked: Asked) => Answered): Promise<TinyUpstream> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    asked.push(one);
    const { status = 200, headers: more = {}, body } = answer(one);
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts a JSON-RPC upstream that also accepts batches. A result is JSON text, so that numbers keep their notation. */
export function startRpcUpstream(resultOf: (call: Rpc) => string): Promise<TinyUpstream> {
  return startUpstream(({ body }) => {
    const calls = JSON.parse(body) as Rpc | readonly Rpc[];
    const one = (call: Rpc) => `{"jsonrpc":"2.0","result":${resultOf(call)},"id":${call.id}}`;
    return { body: Array.isArray(calls) ? `[${calls.map(one).join(',')}]` : one(calls as Rpc) };
  });
}

export interface RpcAnswer {
  readonly id: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export async function post(url: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
}

export async function rpc(url: string, method: string, params: readonly unknown[] = []): Promise<RpcAnswer> {
  return (await post(url, { jsonrpc: '2.0', id: 7, method, params })).json() as Promise<RpcAnswer>;
}

export async function batch(url: string, methods: readonly string[]): Promise<readonly RpcAnswer[]> {
  const calls = methods.map((method, at) => ({ jsonrpc: '2.0', id: at + 1, method, params: [] }));
  return (await post(url, calls)).json() as Promise<readonly RpcAnswer[]>;
}
