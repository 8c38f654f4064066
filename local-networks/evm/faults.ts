// What goes wrong between a provider and its client, on demand: for the next so many requests, or until it is cleared.
import type { Address } from 'viem';
import { type LaggingServer, makeLaggingServers, PATHS, type PathsBehindFault } from './lagging-servers.ts';

/** What a provider says that is not so. */
export type ProviderLie =
  /** A receipt of success, final, for a hash the chain does not know. */
  | { readonly about: 'receipt' }
  /** Every transaction that succeeded has failed, and moved nothing. */
  | { readonly about: 'reverted' }
  /** No receipt and no transaction, for any hash. */
  | { readonly about: 'no-receipt' }
  /** Balances of tokens and of the native coin, so many times as high. */
  | { readonly about: 'balance'; readonly times: bigint }
  /** So many transactions more than the account sent. */
  | { readonly about: 'nonce'; readonly more: number }
  /** A transfer that never was, among the logs of the highest block asked for. */
  | { readonly about: 'deposit'; readonly token: Address; readonly to: Address; readonly amount: bigint }
  /** No logs, though the blocks are there. */
  | { readonly about: 'no-logs' }
  /** It serves another chain: so it says, and whatever else it answers is about that one. */
  | { readonly about: 'chain'; readonly chainId: number };

export type ProviderFault =
  /** The connection ends before anything was passed on. */
  | { readonly kind: 'cut-before' }
  /** It was passed on and answered, and the connection ends before the answer is out. */
  | { readonly kind: 'cut-after' }
  /** It was passed on, and the answer is an error; each time another one, unless a text is given. */
  | { readonly kind: 'error-though-landed'; readonly text?: string }
  /** An error, and nothing was passed on. */
  | { readonly kind: 'refuse'; readonly text: string; readonly code?: number }
  /** A transaction is said to be taken in, and is not in the pool. Sent again it may be. */
  | { readonly kind: 'drop' }
  /** A transaction is taken in, and before it is mined the base fee rises above what it offers. */
  | { readonly kind: 'price-out' }
  /** Late: passed on late, also after the client has given up; or passed on at once and answered late. */
  | { readonly kind: 'delay'; readonly delayMs: number; readonly of?: 'request' | 'answer' }
  /** Nothing is passed on. Some services say why in a JSON-RPC answer, some in plain words. */
  | { readonly kind: 'http'; readonly status: number; readonly body?: 'json' | 'text' }
  /** So many blocks behind in everything. */
  | { readonly kind: 'lag'; readonly blocks: number }
  /** Some of what it is asked is answered by servers that are behind, or by a cache. */
  | PathsBehindFault
  | { readonly kind: 'lie'; readonly lie: ProviderLie };

export interface FaultPlan {
  /** Which provider; both unless said. */
  readonly on?: 0 | 1;
  /** How often; until it is cleared unless said. */
  readonly times?: number;
  /** Which methods; all that the fault makes sense for unless said. */
  readonly methods?: readonly string[];
}

export interface PlannedFault {
  readonly fault: ProviderFault;
  used(): number;
  clear(): void;
}

export interface ProviderFaults {
  add(fault: ProviderFault, plan?: FaultPlan): PlannedFault;
  clear(): void;
}

/** The side of it that the providers see. */
export interface FaultRegistry extends ProviderFaults {
  /** The first planned fault of one of these kinds for any of these methods, used up once; undefined where there is none. */
  take<Kind extends ProviderFault['kind']>(
    on: number,
    kinds: readonly Kind[],
    methods: readonly string[],
  ): Extract<ProviderFault, { kind: Kind }> | undefined;
  /** How far behind a provider is. Asking uses nothing up. */
  lag(on: number): number;
  /** The servers of a provider that answer the next question of this kind. */
  servers(on: number, method: string): readonly LaggingServer[];
}

const SENDS = ['eth_sendRawTransaction'];
const LIES: Readonly<Record<ProviderLie['about'], readonly string[]>> = {
  receipt: ['eth_getTransactionReceipt', 'eth_getTransactionByHash'],
  reverted: ['eth_getTransactionReceipt'],
  'no-receipt': ['eth_getTransactionReceipt', 'eth_getTransactionByHash'],
  balance: ['eth_getBalance', 'eth_call'],
  nonce: ['eth_getTransactionCount'],
  deposit: ['eth_getLogs'],
  'no-logs': ['eth_getLogs'],
  chain: ['eth_chainId'],
};

interface PlannedFaultState {
  readonly fault: ProviderFault;
  readonly on: number | undefined;
  readonly times: number;
  readonly methods: readonly string[] | undefined;
  /** Which server answers next, by provider: each has its own. */
  readonly next: Map<number, () => LaggingServer>;
  used: number;
}

export function makeFaultRegistry(): FaultRegistry {
  const planned = new Set<PlannedFaultState>();
  const concerns = (each: PlannedFaultState, on: number) => each.on === undefined || each.on === on;
  return {
    add: (fault, { on, times = Number.POSITIVE_INFINITY, methods = methodsOf(fault) } = {}) => {
      const each: PlannedFaultState = { fault, on, times, methods, next: new Map(), used: 0 };
      planned.add(each);
      return { fault, used: () => each.used, clear: () => void planned.delete(each) };
    },
    clear: () => planned.clear(),
    take: <Kind extends ProviderFault['kind']>(
      on: number,
      kinds: readonly Kind[],
      methods: readonly string[],
    ) => {
      const found = [...planned].find(
        (each) =>
          concerns(each, on) &&
          kinds.some((kind) => kind === each.fault.kind) &&
          (each.methods === undefined || methods.some((method) => each.methods?.includes(method))),
      );
      if (found === undefined) return undefined;
      if (++found.used >= found.times) planned.delete(found);
      return found.fault as Extract<ProviderFault, { kind: Kind }>;
    },
    lag: (on) =>
      [...planned]
        .filter((each) => concerns(each, on))
        .reduce((blocks, { fault }) => (fault.kind === 'lag' ? Math.max(blocks, fault.blocks) : blocks), 0),
    servers: (on, method) =>
      [...planned].flatMap((each) => {
        if (each.fault.kind !== 'paths-behind' || !concerns(each, on) || !each.methods?.includes(method))
          return [];
        const next = each.next.get(on) ?? makeLaggingServers(each.fault, () => void each.used++);
        each.next.set(on, next);
        return [next()];
      }),
  };
}

/** The methods a fault makes sense for; undefined: all of them. */
function methodsOf(fault: ProviderFault): readonly string[] | undefined {
  if (fault.kind === 'lie') return LIES[fault.lie.about];
  if (fault.kind === 'paths-behind') return fault.paths.flatMap((path) => PATHS[path]);
  return ['drop', 'price-out', 'error-though-landed'].includes(fault.kind) ? SENDS : undefined;
}
