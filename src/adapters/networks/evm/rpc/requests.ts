// Sends requests to one provider. Requests that are made at the same moment are sent as one JSON-RPC batch. If a response
// decides about money, the batch includes a query for the chain id. A different server may respond at the same URL at any time.
// A provider that accepts no batches gets single requests.
import { RpcRequestError } from 'viem';
import { getHttpRpcClient } from 'viem/utils';
import { isBatchRefusal, makeBatchSupport } from '../../providers/batch-support.ts';
import { WrongChainError } from '../../providers/errors.ts';
import { ProviderFailure } from './answers.ts';
import { providerFailureOf } from './failures.ts';

const TIMEOUT_MS = 10_000;
const REQUESTS_AT_ONCE = 49;
export const BUSY_ERRORS: ReadonlySet<number> = new Set([429, -32005, -32097]);
/**
 * The methods that are sent without the query for the chain id. A wrong response to them only costs a fee, or the hash shows
 * that it is wrong.
 */
const UNDECIDED: ReadonlySet<string> = new Set([
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
]);
const CHAIN: EvmQuestion = { method: 'eth_chainId', params: [] };

interface EvmQuestion {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface EvmAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface QueuedQuestion extends EvmQuestion {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

export type EvmRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

export function makeEvmRequests(url: string, chainId: number): EvmRequest {
  const endsOf = makeBatchedAsk(url);
  let queue: QueuedQuestion[] = [];

  const answer = async (waiting: readonly QueuedQuestion[]): Promise<void> => {
    const isDecisive = waiting.some(({ method }) => !UNDECIDED.has(method));
    try {
      const ends = await endsOf(isDecisive ? [CHAIN, ...waiting] : waiting);
      if (isDecisive) requireChain(ends.shift()!, chainId);
      for (const [index, end] of ends.entries())
        if (end.status === 'fulfilled') waiting[index]!.resolve(end.value);
        else waiting[index]!.reject(end.reason);
    } catch (error) {
      for (const each of waiting) each.reject(error);
    }
  };

  return (method, params) =>
    new Promise((resolve, reject) => {
      queue.push({ method, params, resolve, reject });
      if (queue.length > 1) return;
      setImmediate(() => {
        const all = queue;
        queue = [];
        for (let from = 0; from < all.length; from += REQUESTS_AT_ONCE)
          void answer(all.slice(from, from + REQUESTS_AT_ONCE));
      });
    });
}

function makeBatchedAsk(url: string) {
  const http = getHttpRpcClient(url, { timeout: TIMEOUT_MS });
  const { host } = new URL(url);
  const batches = makeBatchSupport();

  const refused = ({ method, params }: EvmQuestion, error: NonNullable<EvmAnswer['error']>) =>
    providerFailureOf(method, host, new RpcRequestError({ body: { method, params }, error, url }));
  const resultOf = (question: EvmQuestion, answer: EvmAnswer | undefined): unknown => {
    if (typeof answer !== 'object' || answer === null || !('result' in answer || 'error' in answer))
      throw providerFailureOf(question.method, host, undefined);
    if (answer.error !== undefined && answer.error !== null) throw refused(question, answer.error);
    return answer.result;
  };

  const askOne = async (question: EvmQuestion): Promise<unknown> => {
    const { method, params } = question;
    const said = await http.request({ body: { method, params } }).catch((error: unknown) => {
      throw providerFailureOf(method, host, error);
    });
    return resultOf(question, [said].flat()[0] as EvmAnswer | undefined);
  };
  const askEach = (questions: readonly EvmQuestion[]) => Promise.allSettled(questions.map(askOne));

  /** Undefined means that the provider does not accept this batch. */
  const askTogether = async (questions: readonly EvmQuestion[]) => {
    const last = questions.at(-1)!;
    const body = questions.map(({ method, params }, id) => ({ method, params, id }));
    const said: unknown = await http.request({ body }).catch((error: unknown) => {
      if (isBatchRefusal((error as { status?: number }).status)) return undefined;
      throw providerFailureOf(last.method, host, error);
    });
    if (!Array.isArray(said)) {
      const { error } = (said ?? {}) as EvmAnswer;
      if (BUSY_ERRORS.has(error?.code ?? 0)) throw refused(last, error!);
      return undefined;
    }
    const byId = new Map(
      (said as readonly (EvmAnswer | null)[]).map((each) => [each?.id, each ?? undefined]),
    );
    return Promise.allSettled(questions.map(async (question, id) => resultOf(question, byId.get(id))));
  };

  return async (questions: readonly EvmQuestion[]) => {
    if (questions.length === 1) return askEach(questions);
    const together = batches.areTaken() ? await askTogether(questions) : undefined;
    if (together !== undefined) return together;
    const apart = await askEach(questions);
    if (apart.some(({ status }) => status === 'fulfilled')) batches.wereApart();
    return apart;
  };
}

function requireChain(end: PromiseSettledResult<unknown>, chainId: number): void {
  if (end.status === 'rejected')
    throw new ProviderFailure(
      `it does not say which chain it is on (${(end.reason as Error).message})`,
      false,
    );
  const named = typeof end.value === 'string' && /^0x[0-9a-f]+$/i.test(end.value) ? Number(end.value) : null;
  if (named === null) throw new ProviderFailure('it does not say which chain it is on', false);
  if (named !== chainId) throw new WrongChainError(named, chainId);
}
