// Serves one provider on one port: its routes, the check of its credentials, and the connection faults.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalRailName } from '../books/entries.ts';
import type { FaultQuery, Faults } from '../faults/faults.ts';
import { type BankFault, type BankOperation, TRANSPORT_FAULTS } from '../faults/kinds.ts';

export interface BankRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Empty if the body is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly params: readonly string[];
}

export interface LocalBankAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface BankRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: RegExp;
  readonly operation: BankOperation;
  /** The account and the reference of the request. Some faults apply only to one account or one reference. */
  subject?(request: BankRequest): {
    readonly account?: string | undefined;
    readonly reference?: string | undefined;
  };
  handle(request: BankRequest): LocalBankAnswer | Promise<LocalBankAnswer>;
}

export interface BankProvider {
  readonly rail: LocalRailName;
  readonly routes: readonly BankRoute[];
  /** The response to a request with wrong credentials. Undefined means that the credentials are right. */
  refuse(request: BankRequest): LocalBankAnswer | undefined;
  missing(request: BankRequest): LocalBankAnswer;
  readonly unauthorized: LocalBankAnswer;
  readonly tooMany: LocalBankAnswer;
  /** The same response with a status or code that the caller chooses. */
  strange(answer: LocalBankAnswer, value: string | undefined): LocalBankAnswer;
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

const PAGES = {
  'error-500': [500, 'Internal Server Error'],
  'error-502': [502, 'Bad Gateway'],
  'error-503': [503, 'Service Temporarily Unavailable'],
} as const;
const SLOW_SECONDS = 2;
const RETRY_AFTER_SECONDS = 1;

export function startProvider(provider: BankProvider, faults: Faults, port: number): Promise<RunningServer> {
  return listenLocally(async (incoming, response) => {
    const bare = await readRequest(incoming);
    const found = provider.routes
      .map((route) => ({ route, match: route.method === bare.method ? route.path.exec(bare.path) : null }))
      .find(({ match }) => match !== null);
    if (found === undefined) return sendAnswer(response, provider.missing(bare));
    const { route, match } = found;
    const request = { ...bare, params: match!.slice(1).map((each) => decodeURIComponent(each ?? '')) };
    const fault = faults.take(TRANSPORT_FAULTS, faultQueryOf(provider.rail, route, request));
    if (fault === undefined) return sendAnswer(response, await answerRoute(provider, route, request));
    await applyFault(fault, { provider, response, work: () => answerRoute(provider, route, request) });
  }, port);
}

function faultQueryOf(rail: LocalRailName, route: BankRoute, request: BankRequest): FaultQuery {
  return { rail, operation: route.operation, ...route.subject?.(request) };
}

async function answerRoute(
  provider: BankProvider,
  route: BankRoute,
  request: BankRequest,
): Promise<LocalBankAnswer> {
  return provider.refuse(request) ?? (await route.handle(request));
}

interface FaultedRequest {
  readonly provider: BankProvider;
  readonly response: ServerResponse;
  work(): Promise<LocalBankAnswer>;
}

async function applyFault(fault: BankFault, { provider, response, work }: FaultedRequest): Promise<void> {
  switch (fault.kind) {
    case 'timeout-before':
      // The connection stays open without a response, so the client times out.
      return;
    case 'cut-before':
      response.destroy();
      return;
    case 'too-many':
      response.setHeader('retry-after', String(fault.seconds ?? RETRY_AFTER_SECONDS));
      return sendAnswer(response, provider.tooMany);
    case 'unauthorized':
      return sendAnswer(response, provider.unauthorized);
    case 'slow':
      await sleep((fault.seconds ?? SLOW_SECONDS) * 1_000);
      return sendAnswer(response, await work());
    case 'error-500':
    case 'error-502':
    case 'error-503': {
      if (fault.worked === true) await work();
      const [status, title] = PAGES[fault.kind];
      return replyWithPage(response, status, title);
    }
    default:
      return applyAnswerFault(fault, response, provider, fault.worked === false ? undefined : await work());
  }
}

/** Faults of the response. The bank executes the request, unless the fault sets `worked` to false. */
function applyAnswerFault(
  fault: BankFault,
  response: ServerResponse,
  provider: BankProvider,
  answer = { status: 200, body: {} } as LocalBankAnswer,
) {
  switch (fault.kind) {
    case 'cut-after':
      response.destroy();
      return;
    case 'cut-middle': {
      const text = Buffer.from(JSON.stringify(answer.body));
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'content-length': text.length,
      });
      response.write(text.subarray(0, text.length / 2), () => response.destroy());
      return;
    }
    case 'not-json':
      return replyWithPage(response, 200, 'Welcome');
    case 'unknown-status':
      return sendAnswer(response, provider.strange(answer, fault.value));
    case 'slow-after':
      return void sleep((fault.seconds ?? SLOW_SECONDS) * 1_000).then(() => sendAnswer(response, answer));
    case 'repeated-field':
      return replyWithBoth(response, answer, provider.strange(answer, fault.value));
  }
}

/** Sends a response that contradicts itself. One JSON object contains the fields of both responses, one after the other. */
function replyWithBoth(
  response: ServerResponse,
  { status, body }: LocalBankAnswer,
  other: LocalBankAnswer,
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  const [first, second] = [body, other.body].map((each) => JSON.stringify(each));
  response.end(`${first!.slice(0, -1)},${second!.slice(1)}`);
}

function replyWithPage(response: ServerResponse, status: number, title: string): void {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end(
    `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body><center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
  );
}

export function sendAnswer(response: ServerResponse, { status, body }: LocalBankAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

export async function readRequest(incoming: IncomingMessage): Promise<BankRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const url = new URL(incoming.url ?? '/', 'http://local');
  const json = objectOf(Buffer.concat(parts).toString('utf8'));
  const { method = 'GET', headers } = incoming;
  return { method, path: url.pathname, query: url.searchParams, headers, json, params: [] };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

type RequestHandler = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

export function listenLocally(listener: RequestHandler, port: number): Promise<RunningServer> {
  const server = createServer((incoming, response) => {
    listener(incoming, response).catch((error: Error) => {
      // If a client disconnects during its request, the bank has made no error.
      if (incoming.destroyed && !incoming.complete) return;
      console.error(error);
      response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ url, close });
    });
  });
}
