// A bank whose responses a test sets, for the unit tests of rails. It sends exact bytes, breaks connections, and records the
// requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The JSON of the request body; undefined if there is no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** `[status, JSON]`, or a function that handles the connection. */
export type Play =
  | readonly [status: number, json: unknown]
  | ((answer: ServerResponse, request: IncomingMessage) => void);

export async function playBank(play: (asked: Asked) => Play) {
  const asked: Asked[] = [];
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank.example');
    const question: Asked = {
      ...{
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        text,
      },
      body: text === '' ? undefined : JSON.parse(text),
    };
    asked.push(question);
    const said = play(question);
    if (typeof said === 'function') return said(answer, request);
    const [status, json] = said;
    answer.writeHead(status, { 'content-type': 'application/json' });
    answer.end(typeof json === 'string' ? json : JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const cut: Play = (_answer, request) => request.socket.destroy();
export const silence: Play = () => undefined;
