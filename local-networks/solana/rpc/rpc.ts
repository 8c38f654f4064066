// JSON-RPC: finds the method of a call, applies the faults in force, and words the result or the refusal.
import { setTimeout as wait } from 'node:timers/promises';
import { RpcError } from '../../rpc-error.ts';
import { ChainView } from '../chain-view.ts';
import type { Faucet } from '../faucet.ts';
import type { Effects, Provider, SolanaFaults } from '../faults.ts';
import type { SolanaChain } from '../solana-chain.ts';
import { accountMethods } from './account-methods.ts';
import { blockMethods } from './block-methods.ts';
import { historyMethods } from './history-methods.ts';
import { toJson } from './json.ts';
import type { Method } from './params.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR } from './rpc-error.ts';
import { sendMethods } from './send-methods.ts';

const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...accountMethods, ...blockMethods, ...historyMethods, ...sendMethods }),
);

export interface Node {
  readonly chain: SolanaChain;
  readonly faucet: Faucet;
  readonly faults: SolanaFaults;
  readonly closing: AbortSignal;
}

export type Reply =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'cut' };

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Ends a call, or the whole batch it is part of, without an answer to it. */
class Ending extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(reply.kind);
    this.reply = reply;
  }
}

export async function answer(node: Node, provider: Provider, body: string): Promise<Reply> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return jsonReply(errorAnswer(null, new RpcError(PARSE_ERROR, 'Parse error')));
  }
  try {
    if (!Array.isArray(parsed)) return jsonReply(await answerOne(node, provider, parsed));
    const answers: object[] = [];
    for (const one of parsed) answers.push(await answerOne(node, provider, one));
    return jsonReply(answers);
  } catch (error) {
    if (error instanceof Ending) return error.reply;
    throw error;
  }
}

async function answerOne(node: Node, provider: Provider, parsed: unknown): Promise<object> {
  let id: unknown = null;
  try {
    const request = readRequest(parsed);
    id = request.id;
    const effects = node.faults.take(provider, request.method);
    const result = await carryOut(node, request, effects);
    return { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (error instanceof Ending || node.closing.aborted) throw error;
    return errorAnswer(id, error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, String(error)));
  }
}

async function carryOut(node: Node, request: Request, effects: Effects): Promise<unknown> {
  if (effects.delayMs > 0) await wait(effects.delayMs, undefined, { signal: node.closing });
  if (effects.cutBefore) throw new Ending({ kind: 'cut' });
  if (effects.httpStatus !== null) throw new Ending({ kind: 'http', status: effects.httpStatus });
  const method = METHODS.get(request.method);
  if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
  const view = new ChainView(node.chain, effects.lagSlots);
  const honest = await method({ view, params: request.params, fate: effects.fate, faucet: node.faucet });
  if (effects.ending === 'cut') throw new Ending({ kind: 'cut' });
  if (effects.ending === 'error') throw new RpcError(INTERNAL_ERROR, 'Internal error');
  return effects.forges.reduce((result, forge) => forge(request.params, result), honest);
}

function readRequest(parsed: unknown): Request {
  const { id = null, method, params = [] } = (parsed ?? {}) as Record<string, unknown>;
  if (typeof method !== 'string' || !Array.isArray(params)) {
    throw new RpcError(INVALID_REQUEST, 'Invalid request');
  }
  return { id, method, params };
}

function errorAnswer(id: unknown, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

function jsonReply(value: object): Reply {
  return { kind: 'json', text: toJson(value) };
}
