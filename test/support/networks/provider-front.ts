// A proxy in front of a provider of a local network. If a test sets it, the proxy gives no response, returns the error of a rate
// limit or a gateway, or returns data that the chain did not produce.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../sharing/file-group.ts';

export interface ProviderFront {
  readonly url: string;
  /**
   * A number is the status that the proxy returns, and `silence` means no response. A function changes the provider's response.
   * Null means the provider's own response.
   */
  answer: number | 'silence' | ((answer: string) => string) | null;
}

/** Starts a proxy in front of this provider. The proxy is closed at the end of the test file. */
export async function standBefore(provider: string): Promise<ProviderFront> {
  const front: ProviderFront & { url: string } = { url: '', answer: null };
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    const { answer } = front;
    if (answer === 'silence') return;
    if (typeof answer === 'number') {
      response.writeHead(answer, { 'content-type': 'text/html' }).end('<h1>Not now</h1>');
      return;
    }
    const { method = 'GET', headers, url = '/' } = request;
    const type = headers['content-type'];
    const given = await fetch(`${provider}${url}`.replace(/([^:])\/\//, '$1/'), {
      method,
      ...(type !== undefined && { headers: { 'content-type': type } }),
      ...(method === 'POST' && { body: Buffer.concat(body) }),
    }).catch(() => undefined);
    if (given === undefined) return void response.destroy();
    const text = await given.text();
    const headersBack = { 'content-type': given.headers.get('content-type') ?? 'application/json' };
    const latest = given.headers.get('latest-ledger');
    response
      .writeHead(given.status, { ...headersBack, ...(latest !== null && { 'latest-ledger': latest }) })
      .end(answer === null ? text : answer(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return front;
}
