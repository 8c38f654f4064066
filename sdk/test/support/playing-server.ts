// A local HTTP server whose responses come from the test. It simulates the service, and faults of networks and proxies.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../../test/support/sharing/file-group.ts';
import { Sliproad, type SliproadOptions } from '../../src/index.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Play = (seen: Seen, response: ServerResponse) => void | Promise<void>;

export interface PlayingServer {
  readonly baseUrl: string;
  readonly seen: Seen[];
  /** Sets the responses to the requests, in this order. All further requests get the last response. */
  play(...plays: Play[]): void;
}

export const SECRET_KEY = 'sk_test_never_shown_0123456789abcdef';

export async function startPlaying(): Promise<PlayingServer> {
  const seen: Seen[] = [];
  let queue: Play[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(one);
    const play = queue.length > 1 ? queue.shift()! : queue[0]!;
    await play(one, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    play(...plays) {
      seen.length = 0;
      queue = plays;
    },
  };
}

export function clientOf(
  { baseUrl }: { readonly baseUrl: string },
  options: Partial<SliproadOptions> = {},
): Sliproad {
  return new Sliproad({
    secretKey: SECRET_KEY,
    baseUrl,
    otcBaseUrl: baseUrl,
    businessId: 'biz_1',
    linkTag: 'acme',
    timers: quickTimers(),
    ...options,
  });
}

/** Every wait ends immediately, and `waited` lists the durations. Time limits of 30 s or more keep their duration. */
export function quickTimers(waited: number[] = []): NonNullable<SliproadOptions['timers']> {
  return {
    now: () => Date.now(),
    setTimeout: (run, delayMs) => {
      waited.push(delayMs);
      // Long delays are time limits and not waits: 30 s is the limit of an attempt, and 45 s is the limit of a stalled stream.
      return setTimeout(run, delayMs >= 30_000 ? delayMs : 1);
    },
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    random: () => 1,
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Play {
  return (_seen, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function refuse(status: number, code: string, headers: Record<string, string> = {}): Play {
  const errors = [{ field: 'amount', code, message: `amount: ${code}` }];
  const body = { status: 'error', message: `Refused: ${code}.`, code, errors, request_id: 'req_1' };
  return json(status, body, { 'request-id': 'req_1', ...headers });
}

export const breakOff: Play = (_seen, response) => {
  response.destroy();
};

const VENDOR = {
  vendorName: 'Sandbox Vendor One',
  vendorNumber: '9900000011',
  vendorBank: 'Providus Bank',
};
export const BUY = { amount: 15000, account_number: '0123456785', bank_name: 'GTBank', vendor: VENDOR };
export const ACCEPTED = json(200, {
  status: 'success',
  message: 'Accepted.',
  transaction: { transaction_id: 'txn_1' },
});
