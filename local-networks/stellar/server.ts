// Two HTTP providers of one ledger, each a separate Horizon on its own port. The faults act here, before or after the honest
// response is created.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestFacts, StellarFaults } from './faults.ts';
import { answerRead } from './horizon/answer-read.ts';
import { HorizonProvider } from './horizon/provider.ts';
import {
  handToCore,
  type LocalHorizonAnswer,
  readEnvelope,
  submitAndWait,
  submitAsync,
} from './horizon/submit.ts';
import { lagPathOf, ledgersBehind, repeatCached } from './lagging-servers.ts';
import { type LedgerOptions, StellarLedger } from './ledger.ts';
import { notFoundProblem, ProblemError, plainProblem, problemBody, timeoutProblem } from './problems.ts';

const MAX_BODY_BYTES = 1_000_000;
const DEFAULT_CLOSE_MS = 1000;
const KEEP_ALIVE_MS = 600_000;
/** After this time, the real Horizon returns that the outcome is unknown. */
const DEFAULT_SUBMIT_TIMEOUT_MS = 30_000;

export interface StellarLedgerOptions extends LedgerOptions {
  /** 0 turns the timer off. Then ledgers close only when `ledger.close()` is called. */
  readonly closeEveryMs?: number;
  readonly submitTimeoutMs?: number;
  readonly ports?: readonly [number, number];
}

export interface RunningStellarLedger {
  readonly urls: readonly [string, string];
  readonly passphrase: string;
  readonly ledger: StellarLedger;
  readonly faults: StellarFaults;
  close(): Promise<void>;
}

interface ServerContext {
  readonly ledger: StellarLedger;
  readonly faults: StellarFaults;
  readonly submitTimeoutMs: number;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new ProblemError(plainProblem(500));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendAnswer(setting: ServerContext, response: ServerResponse, answer: LocalHorizonAnswer): void {
  if (response.destroyed) return;
  const type =
    answer.status >= 400 && 'title' in answer.body ? 'application/problem+json' : 'application/hal+json';
  response.writeHead(answer.status, {
    'content-type': `${type}; charset=utf-8`,
    date: new Date(setting.ledger.now()).toUTCString(),
    ...(answer.ledger !== undefined && { 'latest-ledger': `${answer.ledger}` }),
  });
  response.end(JSON.stringify(answer.body));
}

/** Undefined means that the connection was cut, so there is no response. */
async function answerSubmit(
  provider: HorizonProvider,
  { url, body }: { url: URL; body: string },
  { socket }: IncomingMessage,
  waitMs: number,
  gone: AbortSignal,
): Promise<LocalHorizonAnswer | undefined> {
  const form = body === '' ? url.searchParams : new URLSearchParams(body);
  if (url.pathname !== '/transactions' && url.pathname !== '/transactions_async') {
    throw new ProblemError(notFoundProblem());
  }
  const envelope = readEnvelope(provider, form);
  const facts: RequestFacts = { url: provider.base, on: 'submit' };
  if (provider.faults.take('lost_answer', facts) !== undefined) {
    handToCore(provider, envelope);
    socket.destroy();
    return undefined;
  }
  if (provider.faults.take('timeout_but_lands', facts) !== undefined) {
    handToCore(provider, envelope);
    throw new ProblemError(timeoutProblem(envelope.hashHex, envelope.xdr));
  }
  if (url.pathname === '/transactions_async') return submitAsync(provider, envelope);
  return submitAndWait(provider, envelope, waitMs, gone);
}

async function answerRequest(
  setting: ServerContext,
  base: string,
  request: IncomingMessage,
  gone: AbortSignal,
): Promise<LocalHorizonAnswer | undefined> {
  const { ledger, faults } = setting;
  const facts: RequestFacts = { url: base, on: request.method === 'POST' ? 'submit' : 'read' };
  // The body is read immediately, so that a delayed request is forwarded even after its sender has disconnected.
  const body = facts.on === 'submit' ? await readBody(request) : '';
  if (faults.take('cut', facts) !== undefined) {
    request.socket.destroy();
    return undefined;
  }
  const delay = faults.take('delay', facts);
  if (delay !== undefined) await sleep(delay.delayMs);
  const broken = faults.take('status', facts);
  if (broken !== undefined) throw new ProblemError(plainProblem(broken.status));
  const url = new URL(request.url ?? '/', base);
  const lag = faults.take('lag', facts)?.ledgers ?? 0;
  if (facts.on === 'submit') {
    const provider = new HorizonProvider(base, ledger, faults, lag);
    return answerSubmit(provider, { url, body }, request, setting.submitTimeoutMs, gone);
  }
  const behind = faults.take('behind', { ...facts, path: lagPathOf(url.pathname) });
  if (behind === undefined) return answerReadRequest(new HorizonProvider(base, ledger, faults, lag), url);
  const provider = new HorizonProvider(base, ledger, faults, Math.max(lag, ledgersBehind(behind, ledger)));
  return repeatCached(behind, url, () => answerReadRequest(provider, url));
}

/** As in the real Horizon, a response about the state of a ledger contains that ledger, even if the result is empty. */
function answerReadRequest(provider: HorizonProvider, url: URL): LocalHorizonAnswer {
  const ledger = lagPathOf(url.pathname) === 'account' ? { ledger: provider.upTo } : {};
  try {
    return { status: 200, body: answerRead(provider, url), ...ledger };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { status: error.problem.status, body: problemBody(error.problem), ...ledger };
  }
}

async function serveRequest(
  setting: ServerContext,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const made = await answerRequest(setting, base, request, gone.signal);
    if (made !== undefined) sendAnswer(setting, response, made);
  } catch (error) {
    const problem = error instanceof ProblemError ? error.problem : plainProblem(500);
    if (!(error instanceof ProblemError) && !request.socket.destroyed) console.error(error);
    sendAnswer(setting, response, { status: problem.status, body: problemBody(problem) });
  }
}

async function listenLocally(setting: ServerContext, port: number): Promise<{ server: Server; url: string }> {
  let base = '';
  const server = createServer((request, response) => {
    void serveRequest(setting, base, request, response);
  });
  // A connection that closes during a client's request would look like a fault that the test had not planned.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await promise;
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, url: base };
}

function stopServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}

export async function startStellarLedger(options: StellarLedgerOptions = {}): Promise<RunningStellarLedger> {
  const closeEveryMs = options.closeEveryMs ?? DEFAULT_CLOSE_MS;
  const ledger = new StellarLedger({ ...options, closeEveryMs });
  const faults = new StellarFaults();
  const submitTimeoutMs = options.submitTimeoutMs ?? DEFAULT_SUBMIT_TIMEOUT_MS;
  const setting: ServerContext = { ledger, faults, submitTimeoutMs };
  const first = await listenLocally(setting, options.ports?.[0] ?? 0);
  const second = await listenLocally(setting, options.ports?.[1] ?? 0);
  const timer = closeEveryMs > 0 ? setInterval(() => ledger.close(), closeEveryMs) : undefined;
  return {
    urls: [first.url, second.url],
    passphrase: ledger.passphrase,
    ledger,
    faults,
    async close() {
      clearInterval(timer);
      await Promise.all([stopServer(first.server), stopServer(second.server)]);
    },
  };
}
