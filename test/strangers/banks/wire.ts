// The HTTP server of a bank with faults: complete, delayed and truncated responses, and connections that close without a
// response.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Wire } from './plan.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** An empty object if the request has no body. */
  readonly body: Record<string, unknown>;
}

export interface Answer {
  readonly status: number;
  /**
   * The server sends an object as JSON. It sends a string unchanged, so that the response can contain what no object can
   * express.
   */
  readonly body: object | string;
  readonly wire?: Wire;
  readonly afterwards?: () => void;
}

export interface RunningBank {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveBank(answerTo: (asked: Asked) => Answer): Promise<RunningBank> {
  const server = createServer((request, response) => {
    answer(request, response, answerTo).catch((error: unknown) => {
      // A client that disconnects is not an error of this bank. The bank's own errors must be visible.
      if (!request.destroyed) console.error(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  answerTo: (asked: Asked) => Answer,
): Promise<void> {
  const { status, body, wire = 'whole', afterwards } = answerTo(await readAsked(request));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    await send(response, { status, text, wire });
  } finally {
    afterwards?.();
  }
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank.invalid');
  return {
    method: request.method ?? 'GET',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

async function send(
  response: ServerResponse,
  { status, text, wire }: { readonly status: number; readonly text: string; readonly wire: Wire },
): Promise<void> {
  if (wire === 'cut') {
    response.destroy();
    return;
  }
  if (wire === 'held') {
    await gone(response);
    return;
  }
  if (typeof wire === 'object') {
    await Promise.race([gone(response), passed(wire.heldMs)]);
    if (response.destroyed) return;
  }
  const isError = wire === 'error_500';
  const whole = isError ? '{"message":"Internal server error"}' : text;
  const sent = wire === 'truncated' ? whole.slice(0, Math.floor(whole.length / 2)) : whole;
  response.writeHead(isError ? 500 : status, { 'content-type': 'application/json' }).end(sent);
  await once(response, 'close');
}

async function gone(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, 'close');
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
