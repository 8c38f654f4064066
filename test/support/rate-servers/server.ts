// The common parts of the four rate servers: a loopback port, the list of requests, the active fault, and the end of all
// connections.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Fault,
  type FaultDetail,
  type FaultKind,
  otherAnswer,
  send,
  TRANSPORT_FAULTS,
} from './faults.ts';
import { type Answer, absentPage } from './pages.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly atMs: number;
  /** The status that the server chose for the response, even if a fault kept the response from the client. */
  readonly status: number;
}

export interface RateServer<Change> extends AsyncDisposable {
  readonly url: string;
  /** Every fault that this server can produce. `fail` throws for any other fault. */
  readonly faults: readonly FaultKind[];
  readonly requests: readonly SeenRequest[];
  set(change: Change): void;
  /** Activates a fault until the next call replaces it. `none` ends the fault. */
  fail(kind: FaultKind | 'none', detail?: FaultDetail): void;
  close(): Promise<void>;
}

export interface CommonOptions {
  readonly now?: (() => number) | undefined;
  readonly slowMs?: number | undefined;
  readonly dripMs?: number | undefined;
}

export interface Question {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly nowMs: number;
  readonly fault: Fault | null;
}

interface Play<Change> {
  readonly plays: readonly FaultKind[];
  readonly set: (change: Change) => void;
  /** Returns the response; null if the API has no such path. */
  readonly answer: (question: Question) => Answer | null;
  readonly ownError?: Answer;
}

export async function startRateServer<Change>(
  { plays, set, answer, ownError }: Play<Change>,
  { now = Date.now, slowMs = 60_000, dripMs = 1000 }: CommonOptions,
): Promise<RateServer<Change>> {
  const faults = [...TRANSPORT_FAULTS, ...plays];
  const requests: SeenRequest[] = [];
  let fault: Fault | null = null;

  const choose = (request: IncomingMessage, given: string, atMs: number): Answer => {
    if (request.method !== 'GET')
      return { status: 405, type: 'text/plain', body: '', headers: { allow: 'GET' } };
    // The target of a redirect returns the normal response.
    const moved = given.startsWith('/moved/');
    const inForce = moved && fault?.kind === 'redirect' ? null : fault;
    const other = otherAnswer(inForce, given, ownError ?? null);
    if (other !== null) return other;
    const { pathname, searchParams } = new URL(moved ? given.slice('/moved'.length) : given, 'http://local');
    const { headers } = request;
    const question = { path: pathname, query: searchParams, headers, nowMs: atMs, fault: inForce };
    return answer(question) ?? absentPage();
  };

  const server = createServer((request, response) => {
    const { method = '', url: given = '/', headers } = request;
    const atMs = now();
    const chosen = choose(request, given, atMs);
    requests.push({ method, url: given, headers, atMs, status: chosen.status });
    send(fault, request, response, chosen, { slowMs, dripMs });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests,
    set,
    fail(kind, detail = {}) {
      if (kind !== 'none' && !faults.includes(kind))
        throw new Error(`This rate server cannot play "${kind}": choose one of ${faults.join(', ')}.`);
      fault = kind === 'none' ? null : { ...detail, kind };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
