// One provider: an HTTP server for JSON-RPC with single calls and batches. The tests plan its faults.
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Hex } from 'viem';
import { RpcError } from '../rpc-error.ts';
import type { FaultRegistry } from './faults.ts';
import type { EvmLedger } from './ledger.ts';
import { tellLie } from './lies.ts';
import type { AnswerRpc } from './provider-view.ts';

export interface EvmProvider {
  readonly url: string;
  close(): Promise<void>;
}

interface EvmRpcCall {
  readonly id: number | string | null;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface ProviderParts {
  readonly index: number;
  readonly view: AnswerRpc;
  readonly ledger: EvmLedger;
  readonly faults: FaultRegistry;
}

/** Errors that nodes and gateways return although the transaction is in the pool. */
const THOUGH_LANDED: readonly (readonly [code: number, text: string])[] = [
  [-32000, 'already known'],
  [-32000, 'nonce too low'],
  [-32603, 'Internal error'],
  [-32000, 'Known transaction'],
  [-32000, 'replacement transaction underpriced'],
  [-32002, 'request timed out'],
  [-32010, 'Transaction with the same hash was already imported.'],
  [-32005, 'daily request count exceeded, request rate limited'],
];

export async function startEvmProvider(parts: ProviderParts, port: number): Promise<EvmProvider> {
  const answer = makeAnswer(parts);
  const server = createServer((request, response) => {
    serveRequest(parts, answer, request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serveRequest(
  { index, faults }: ProviderParts,
  answer: (call: EvmRpcCall) => Promise<unknown>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = parseCalls(await readText(request));
  if (asked === undefined)
    return sendAnswer(response, 200, errorAnswer(null, new RpcError(-32700, 'parse error')));
  const methods = asked.calls.map(({ method }) => method);

  const late = faults.take(index, ['delay'], methods);
  if (late !== undefined && late.of !== 'answer') await wait(late.delayMs);
  const before = faults.take(index, ['http', 'cut-before'], methods);
  if (before?.kind === 'cut-before') return void request.socket.destroy();
  if (before?.kind === 'http') {
    const message = STATUS_CODES[before.status] ?? 'Error';
    const error = { code: before.status, message };
    return sendAnswer(response, before.status, before.body === 'json' ? { jsonrpc: '2.0', error } : message);
  }
  const answers = await Promise.all(asked.calls.map(answer));
  // The responses already lag. This call only counts the use of the fault.
  faults.take(index, ['lag'], methods);
  if (faults.take(index, ['cut-after'], methods) !== undefined) return void request.socket.destroy();
  if (late?.of === 'answer') await wait(late.delayMs);
  sendAnswer(response, 200, asked.batch ? answers : answers[0]);
}

function makeAnswer({ index, view, ledger, faults }: ProviderParts): (call: EvmRpcCall) => Promise<unknown> {
  let said = 0;
  const resultOf = async ({ method, params }: EvmRpcCall) => {
    const fault = faults.take(index, ['refuse', 'drop', 'price-out', 'error-though-landed', 'lie'], [method]);
    if (fault?.kind === 'refuse') throw new RpcError(fault.code ?? -32000, fault.text);
    if (fault?.kind === 'drop') return ledger.pretend(params[0] as Hex);
    const truth = await view(method, params);
    if (fault?.kind === 'price-out') await ledger.priceOut(truth as Hex);
    if (fault?.kind === 'lie') return tellLie(fault.lie, { method, params, truth }, { view, ledger });
    if (fault?.kind !== 'error-though-landed') return truth;
    const [code, text] = THOUGH_LANDED[said++ % THOUGH_LANDED.length]!;
    throw new RpcError(fault.text === undefined ? code : -32000, fault.text ?? text);
  };
  return async (call) => {
    try {
      return { jsonrpc: '2.0', id: call.id, result: await resultOf(call) };
    } catch (error) {
      return errorAnswer(call.id, error);
    }
  };
}

function errorAnswer(id: EvmRpcCall['id'], error: unknown) {
  const { code, message, data } = error instanceof RpcError ? error : new RpcError(-32603, String(error));
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

function parseCalls(text: string): { calls: readonly EvmRpcCall[]; batch: boolean } | undefined {
  const one = (value: unknown): EvmRpcCall => {
    const { id = null, method, params = [] } = value as Partial<EvmRpcCall>;
    if (typeof method !== 'string' || !Array.isArray(params)) throw new TypeError('not a call');
    return { id, method, params };
  };
  try {
    const value: unknown = JSON.parse(text);
    return { calls: [value].flat().map(one), batch: Array.isArray(value) };
  } catch {
    return undefined;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function sendAnswer(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string';
  response.writeHead(status, { 'content-type': text ? 'text/plain' : 'application/json' });
  response.end(text ? body : JSON.stringify(body));
}
