// Sends the calls to one provider. A call that decides about money is sent with a query for the chain in the same JSON-RPC
// batch. A different server may respond at the same URL at any time. A provider that accepts no batches gets the two calls as
// parallel requests.
import {
  createDefaultRpcTransport,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { parseJsonWithNumbers } from '../../../json.ts';
import { isBatchRefusal, makeBatchSupport } from '../../providers/batch-support.ts';
import { WrongChainError } from '../../providers/errors.ts';

/** The genesis hash of the expected chain. Undefined means that it is not known yet. */
export type ExpectedGenesis = () => string | undefined;

/**
 * The methods that are sent without the query for the chain. A wrong response to them only costs a fee, or the hash shows that
 * it is wrong. Hashes link a block to the block whose hash is in our bytes.
 */
const UNDECIDED: ReadonlySet<string> = new Set([
  'getBlock',
  'getGenesisHash',
  'getRecentPrioritizationFees',
  'sendTransaction',
  'simulateTransaction',
]);
const CHAIN = { jsonrpc: '2.0', id: 'chain', method: 'getGenesisHash', params: [] } as const;

interface SolanaQuestion {
  readonly id: unknown;
  readonly method: string;
}

interface SolanaAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export function makeTransport(url: string, expected: ExpectedGenesis): RpcTransport {
  const alone = createDefaultRpcTransport({ url });
  const batches = makeBatchSupport();

  const askBoth = async (
    payload: SolanaQuestion,
    signal: AbortSignal | undefined,
  ): Promise<[SolanaAnswer, SolanaAnswer]> => {
    const together = batches.areTaken() ? await askTogether(url, [payload, CHAIN], signal) : undefined;
    if (together !== undefined) return together;
    const asked = [payload, CHAIN].map((each) =>
      alone<SolanaAnswer>({ payload: each, ...(signal && { signal }) }),
    );
    const apart = (await Promise.all(asked)) as unknown as [SolanaAnswer, SolanaAnswer];
    batches.wereApart();
    return apart;
  };

  const transport = async (request: Parameters<RpcTransport>[0]): Promise<unknown> => {
    const genesis = expected();
    const payload = request.payload as SolanaQuestion;
    if (genesis === undefined || UNDECIDED.has(payload.method)) return alone(request);
    const [answer, chain] = await askBoth(payload, request.signal);
    requireChain(chain, genesis);
    return answer;
  };
  return transport as RpcTransport;
}

/** Undefined means that the provider does not accept batches. */
async function askTogether(
  url: string,
  questions: readonly [SolanaQuestion, SolanaQuestion],
  signal: AbortSignal | undefined,
): Promise<[SolanaAnswer, SolanaAnswer] | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(questions, (_, each) => (typeof each === 'bigint' ? Number(each) : each)),
    ...(signal && { signal }),
  });
  const { ok, status: statusCode, statusText: message, headers } = response;
  if (isBatchRefusal(statusCode)) return undefined;
  if (!ok) throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, { headers, message, statusCode });
  const said = parseJsonWithNumbers(await response.text(), keepLargeNumber);
  if (!Array.isArray(said)) return undefined;
  const answerTo = ({ id, method }: SolanaQuestion): SolanaAnswer => {
    const answer = (said as readonly (SolanaAnswer | null)[]).find((each) => each?.id === id);
    if (answer == null || !('result' in answer || 'error' in answer))
      throw new Error(`the provider left ${method} out of its answer`);
    return answer;
  };
  return [answerTo(questions[0]), answerTo(questions[1])];
}

/** The client converts all numbers to bigint. Numbers that do not fit into a double must not be rounded before that. */
function keepLargeNumber(source: string, value: number): number | bigint {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

function requireChain({ result }: SolanaAnswer, genesis: string): void {
  if (typeof result !== 'string') throw new Error('the provider does not say which chain it is on');
  if (result !== genesis) throw new WrongChainError(result, genesis);
}
