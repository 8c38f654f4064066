// Simulates servers behind one address with different lags. A lagging server answers the calls on some paths, always or
// alternately, or a cache repeats not-found responses. Each response comes from one server at one slot. If a node returns its
// slot, it is the slot of that server.
import type { LagPath, LagServers } from '../../lag.ts';
import type { Provider, SolanaFaultScope, SolanaFaults } from '../faults.ts';

const METHODS: Readonly<Record<LagPath, readonly string[]>> = {
  status: ['getSignatureStatuses', 'getTransaction'],
  height: ['getEpochInfo', 'getBlockHeight', 'getSlot', 'getLatestBlockhash', 'isBlockhashValid'],
  account: [
    'getAccountInfo',
    'getBalance',
    'getMultipleAccounts',
    'getTokenAccountBalance',
    'getTokenAccountsByOwner',
  ],
  history: ['getBlock', 'getBlocksWithLimit', 'getSignaturesForAddress'],
};

export interface ServerLag {
  readonly paths: readonly LagPath[];
  readonly providers: readonly Provider[];
  readonly servers: LagServers;
  readonly slots: () => number;
  readonly seed?: number;
}

interface BegunLag {
  met(): number;
  clear(): void;
}

export function beginServerLag(faults: SolanaFaults, lag: ServerLag): BegunLag {
  const methods = lag.paths.flatMap((path) => METHODS[path]);
  const begun = lag.providers.flatMap((provider) => {
    if (lag.servers === 'cached')
      return methods.map((method) => cacheEmptyAnswers(faults, { provider, methods: [method] }));
    const isBehind = makeTurns(lag);
    return [faults.lag(() => (isBehind() ? lag.slots() : 0), { provider, methods })];
  });
  return {
    met: () => begun.reduce((sum, each) => sum + each.met(), 0),
    clear: () => begun.forEach((each) => void each()),
  };
}

function makeTurns({ servers, seed = 1 }: ServerLag): () => boolean {
  if (servers === 'sticky') return () => true;
  let turn = 0;
  if (servers === 'switching') return () => turn++ % 2 === 0;
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0;
  };
}

/** Repeats an empty response unchanged, including its slot. */
function cacheEmptyAnswers(
  faults: SolanaFaults,
  scope: SolanaFaultScope & { readonly methods: readonly string[] },
) {
  const kept = new Map<string, unknown>();
  return faults.forge((params, honest) => {
    const name = JSON.stringify(params);
    if (!kept.has(name) && isEmptyResult(honest)) kept.set(name, honest);
    return kept.has(name) ? kept.get(name) : honest;
  }, scope);
}

function isEmptyResult(result: unknown): boolean {
  if (result === null) return true;
  if (Array.isArray(result)) return result.length === 0;
  const value = typeof result === 'object' && 'value' in result ? result.value : undefined;
  return value === null || (Array.isArray(value) && value.some((each) => each === null));
}
