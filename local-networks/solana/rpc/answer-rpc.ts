// Handles JSON-RPC: it finds the method of a call, applies the active faults, and writes the result or the error of the call.
import { setTimeout as wait } from 'node:timers/promises';
import { RpcError } from '../../rpc-error.ts';
import { ChainView } from '../chain-view.ts';
import type { SolanaFaucet } from '../faucet.ts';
import type { FaultEffects, Provider, SolanaFaults } from '../faults.ts';
import type { LocalSolanaChain } from '../solana-chain.ts';
import { accountMethods } from './account-methods.ts';
import { blockMethods } from './block-methods.ts';
import { historyMethods } from './history-methods.ts';
import { toJson } from './json.ts';
import type { RpcMethod } from './params.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR } from './rpc-error.ts';
import { sendMethods } from './send-methods.ts';

const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries({ ...accountMethods, ...blockMethods, ...historyMethods, ...sendMethods }),
);

export interface LocalRpcNode {
  readonly chain: LocalSolanaChain;
  readonly faucet: SolanaFaucet;
  readonly faults: SolanaFaults;
  readonly closing: AbortSignal;
}

export type RpcReply =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'cut' };

interface SolanaRpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Ends a call, or its whole batch, without a response. */
class EndWithoutAnswer extends Error {
  readonly reply: RpcReply;

  constructor(reply: RpcReply) {
    super(reply.kind);
    this.reply = reply;
  }
}

export async function answerRpc(node: LocalRpcNode, provider: Provider, body: string): Promise<RpcReply> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return jsonReply(errorAnswer(null, new RpcError(PARSE_ERROR, 'Parse error')));
  }
  try {
    if (!Array.isArray(parsed)) return jsonReply(await answerOneCall(node, provider, parsed));
    const answers: object[] = [];
    for (const one of parsed) answers.push(await answerOneCall(node, provider, one));
    return jsonReply(answers);
  } catch (error) {
    if (error instanceof EndWithoutAnswer) return error.reply;
    throw error;
  }
}

async function answerOneCall(node: LocalRpcNode, provider: Provider, parsed: unknown): Promise<object> {
  let id: unknown = null;
  try {
    const request = readRequest(parsed);
    id = request.id;
    const effects = node.faults.take(provider, request.method);
    const result = await carryOutCall(node, request, effects);
    return { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (error instanceof EndWithoutAnswer || node.closing.aborted) throw error;
    return errorAnswer(id, error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, String(error)));
  }
}

async function carryOutCall(
  node: LocalRpcNode,
  request: SolanaRpcRequest,
  effects: FaultEffects,
): Promise<unknown> {
  if (effects.delayMs > 0) await wait(effects.delayMs, undefined, { signal: node.closing });
  if (effects.cutBefore) throw new EndWithoutAnswer({ kind: 'cut' });
  if (effects.httpStatus !== null) throw new EndWithoutAnswer({ kind: 'http', status: effects.httpStatus });
  const method = METHODS.get(request.method);
  if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
  const view = new ChainView(node.chain, effects.lagSlots);
  const honest = await method({ view, params: request.params, fate: effects.fate, faucet: node.faucet });
  if (effects.ending === 'cut') throw new EndWithoutAnswer({ kind: 'cut' });
  if (effects.ending === 'error') throw new RpcError(INTERNAL_ERROR, 'Internal error');
  return effects.forges.reduce((result, forge) => forge(request.params, result), honest);
}

function readRequest(parsed: unknown): SolanaRpcRequest {
  const { id = null, method, params = [] } = (parsed ?? {}) as Record<string, unknown>;
  if (typeof method !== 'string' || !Array.isArray(params)) {
    throw new RpcError(INVALID_REQUEST, 'Invalid request');
  }
  return { id, method, params };
}

function errorAnswer(id: unknown, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

function jsonReply(value: object): RpcReply {
  return { kind: 'json', text: toJson(value) };
}
