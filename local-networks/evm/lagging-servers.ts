// The servers behind one address of a provider. The kind of a call decides which server answers it, so that some paths may lag
// behind others. As with real software, a response does not show how far its server has read. A cache in front of the servers
// may repeat a not-found response.
import type { LagPath, LagServers } from '../lag.ts';

export const PATHS: Readonly<Record<LagPath, readonly string[]>> = {
  status: ['eth_getTransactionReceipt', 'eth_getTransactionByHash'],
  height: ['eth_blockNumber', 'eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_feeHistory'],
  account: [
    'eth_getTransactionCount',
    'eth_getBalance',
    'eth_getCode',
    'eth_getStorageAt',
    'eth_call',
    'eth_estimateGas',
  ],
  history: ['eth_getLogs'],
};

export interface PathsBehindFault {
  readonly kind: 'paths-behind';
  readonly paths: readonly LagPath[];
  readonly servers: LagServers;
  readonly height?: number;
  readonly blocks?: number;
}

export interface LaggingServer {
  seen(head: number): number;
  repeats(question: string): boolean;
  answered(question: string, answer: unknown): void;
}

/** Selects the server that answers the next request. `onUse` is called when the server lags or when a cache answers. */
export function makeLaggingServers(
  { servers, height, blocks = 0 }: PathsBehindFault,
  onUse: () => void,
): () => LaggingServer {
  const absent = new Set<string>();
  let requests = 0;
  let chance = 1;
  const isBehind = (): boolean => {
    requests++;
    chance = (chance * 48_271) % 2_147_483_647;
    if (servers === 'sticky') return true;
    // The server whose responses fill the cache may itself lag.
    if (servers === 'cached') return blocks > 0;
    return servers === 'switching' ? requests % 2 === 0 : servers === 'random' && chance % 2 === 0;
  };
  return () => {
    const behind = isBehind();
    if (behind) onUse();
    return {
      seen: (head) => (behind ? Math.max(0, Math.min(head - blocks, height ?? head)) : head),
      repeats: (question) => {
        const known = absent.has(question);
        if (known) onUse();
        return known;
      },
      answered: (question, answer) => {
        if (servers === 'cached' && isEmptyAnswer(answer)) absent.add(question);
      },
    };
  };
}

function isEmptyAnswer(answer: unknown): boolean {
  return answer === null || (Array.isArray(answer) && answer.length === 0);
}
