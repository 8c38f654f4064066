// A local Solana network: two providers of one chain on 127.0.0.1, with the responses of real nodes. The chain exists only in
// memory and ends with its server.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SolanaFaucet } from '../faucet.ts';
import { type Provider, SolanaFaults } from '../faults.ts';
import { LocalSolanaChain } from '../solana-chain.ts';
import { answerRpc, type LocalRpcNode } from './answer-rpc.ts';

export interface SolanaServerOptions {
  /** With 0, slots advance only when a test calls `chain.advance`. */
  readonly slotEveryMs?: number;
  readonly confirmedAfterSlots?: number;
  readonly finalizedAfterSlots?: number;
  /** If absent, free ports are used. */
  readonly ports?: readonly [number, number];
}

export interface SolanaServer {
  readonly urls: readonly [string, string];
  readonly chain: LocalSolanaChain;
  readonly faults: SolanaFaults;
  readonly slotEveryMs: number;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_BODY_BYTES = 1_000_000;

export async function startSolanaServer(options: SolanaServerOptions = {}): Promise<SolanaServer> {
  const { slotEveryMs = 100, confirmedAfterSlots = 2, finalizedAfterSlots = 8, ports = [0, 0] } = options;
  const chain = new LocalSolanaChain({ confirmedAfterSlots, finalizedAfterSlots });
  const closing = new AbortController();
  const faults = new SolanaFaults();
  const node: LocalRpcNode = {
    chain,
    faucet: await SolanaFaucet.open(chain),
    faults,
    closing: closing.signal,
  };
  const first = await listenLocally(node, 0, ports[0]);
  const second = await listenLocally(node, 1, ports[1]).catch(async (error: unknown) => {
    await stopServer(first);
    throw error;
  });
  const timer = slotEveryMs > 0 ? setInterval(() => chain.advance(), slotEveryMs) : undefined;
  return {
    urls: [urlOf(first), urlOf(second)],
    chain,
    faults,
    slotEveryMs,
    async close() {
      clearInterval(timer);
      closing.abort();
      await Promise.all([stopServer(first), stopServer(second)]);
    },
  };
}

function listenLocally(node: LocalRpcNode, provider: Provider, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    handleRequest(node, provider, request, response).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(server));
  });
}

async function handleRequest(
  node: LocalRpcNode,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return endResponse(response, 405, 'text/plain', 'POST is required');
  const reply = await answerRpc(node, provider, await readBody(request));
  if (reply.kind === 'cut') response.destroy();
  else if (reply.kind === 'http') endResponse(response, reply.status, 'text/plain', `HTTP ${reply.status}`);
  else endResponse(response, 200, 'application/json', reply.text);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function endResponse(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function urlOf(server: Server): string {
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
