// The HTTP server of every provider. It listens on 127.0.0.1, and the rules of a family decide whether it forwards a request to
// real chain software. Then it returns the response that the rules made.
import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Call {
  readonly method: string;
  readonly path: string;
  /** `search`: the query string as written, with its question mark. `query`: its parsed parameters. */
  readonly search: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
  readonly afterMs?: number;
  readonly cut?: boolean;
}

/** Sends a call to the upstream. If the upstream is unreachable, the result is 502. */
export type Pass = (call: Call) => Promise<Reply>;

export type Rules = (call: Call, pass: Pass) => Promise<Reply>;

export interface Wire {
  readonly url: string;
  close(): Promise<void>;
}

interface Sending {
  readonly base: URL;
  readonly underWay: Set<ClientRequest>;
}

// These headers belong to one connection and not to the message. The server computes content-length again.
const OF_THE_CONNECTION = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export async function startWire(options: {
  readonly upstream: string;
  readonly rules: Rules;
}): Promise<Wire> {
  const sending: Sending = { base: new URL(options.upstream), underWay: new Set() };
  const server = createServer((request, response) => {
    serve(request, response, sending, options.rules).catch((error: unknown) => {
      // A client that disconnects is not an error of this server. The server's own errors must be visible.
      if (!response.destroyed) console.error(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const open of sending.underWay) open.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  sending: Sending,
  rules: Rules,
): Promise<void> {
  const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://provider.invalid');
  const call: Call = {
    method: request.method ?? 'GET',
    path: pathname,
    search,
    query: searchParams,
    headers: request.headers,
    body: await readAll(request),
  };
  // An event stream does not end, so it passes through unchanged.
  if (request.headers.accept?.includes('text/event-stream')) {
    await stream(call, response, sending);
    return;
  }
  await send(response, await rules(call, (passed) => passOn(passed, sending)));
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.afterMs !== undefined) await Promise.race([gone(response), passed(reply.afterMs)]);
  if (response.destroyed) return;
  if (reply.cut) {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, {
    ...withoutConnection(reply.headers),
    'content-length': Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
}

async function passOn(call: Call, sending: Sending): Promise<Reply> {
  try {
    const answer = await ask(call, sending);
    return { status: answer.statusCode ?? 502, headers: answer.headers, body: await readAll(answer) };
  } catch {
    return {
      status: 502,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"Bad Gateway: no answer from the upstream"}',
    };
  }
}

async function stream(call: Call, response: ServerResponse, sending: Sending): Promise<void> {
  const answer = await ask(call, sending).catch(() => undefined);
  if (answer === undefined) {
    response.writeHead(502).end();
    return;
  }
  response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
  response.once('close', () => answer.destroy());
  answer.once('error', () => response.destroy());
  answer.pipe(response);
}

async function ask(call: Call, { base, underWay }: Sending): Promise<IncomingMessage> {
  const prefix = base.pathname.replace(/\/$/, '');
  const path = call.path === '/' && prefix !== '' ? base.pathname : `${prefix}${call.path}`;
  const bytes = Buffer.from(call.body, 'utf8');
  const outgoing = requestHttp({
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port === '' ? 80 : base.port,
    agent: false,
    method: call.method,
    path: `${path}${call.search}`,
    headers: {
      ...withoutConnection(call.headers),
      // The upstream must not compress responses, because the rules could not read them.
      'accept-encoding': 'identity',
      ...(call.method === 'GET' && bytes.length === 0 ? {} : { 'content-length': bytes.length }),
    },
  });
  underWay.add(outgoing);
  outgoing.once('close', () => underWay.delete(outgoing));
  outgoing.end(bytes);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  // If the connection fails after the response has begun, the response object reports the error.
  outgoing.on('error', () => undefined);
  return answer;
}

function withoutConnection(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name.toLowerCase()));
  return Object.fromEntries(kept);
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function gone(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, 'close');
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
