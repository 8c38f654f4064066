// Faults between a provider and its client, on demand: for a number of requests, or until the fault is cleared.
import type { Address } from 'viem';
import { type LaggingServer, makeLaggingServers, PATHS, type PathsBehindFault } from './lagging-servers.ts';

/** Wrong responses of a provider. */
export type ProviderLie =
  /** A final receipt of success for a hash that the chain does not know. */
  | { readonly about: 'receipt' }
  /** Every successful transaction is shown as failed and without effects. */
  | { readonly about: 'reverted' }
  /** No receipt and no transaction, for any hash. */
  | { readonly about: 'no-receipt' }
  /** Token and native balances, multiplied by this number. */
  | { readonly about: 'balance'; readonly times: bigint }
  /** This many transactions more than the account has sent. */
  | { readonly about: 'nonce'; readonly more: number }
  /** An invented transfer, in the logs of the highest requested block. */
  | { readonly about: 'deposit'; readonly token: Address; readonly to: Address; readonly amount: bigint }
  /** No logs, although the blocks exist. */
  | { readonly about: 'no-logs' }
  /** The provider serves another chain: it reports that chain's id, and all its other responses are about that chain. */
  | { readonly about: 'chain'; readonly chainId: number };

export type ProviderFault =
  /** The connection closes before the request is forwarded. */
  | { readonly kind: 'cut-before' }
  /** The request is forwarded and executed, but the connection closes before the response is sent. */
  | { readonly kind: 'cut-after' }
  /** The request is forwarded, but the response is an error; each time a different one, unless a text is given. */
  | { readonly kind: 'error-though-landed'; readonly text?: string }
  /** The response is an error, and nothing is forwarded. */
  | { readonly kind: 'refuse'; readonly text: string; readonly code?: number }
  /** A transaction is reported as accepted, but is not in the pool. If it is sent again, it may be accepted. */
  | { readonly kind: 'drop' }
  /** A transaction is accepted, but before it is mined the base fee rises above its maximum fee. */
  | { readonly kind: 'price-out' }
  /**
   * A delay: the request is forwarded late, even after the client has given up, or it is forwarded at once and the response is
   * late.
   */
  | { readonly kind: 'delay'; readonly delayMs: number; readonly of?: 'request' | 'answer' }
  /** Nothing is forwarded. Some services give the reason in a JSON-RPC response, some in plain text. */
  | { readonly kind: 'http'; readonly status: number; readonly body?: 'json' | 'text' }
  /** The provider is this many blocks behind in all its responses. */
  | { readonly kind: 'lag'; readonly blocks: number }
  /** Lagging servers, or a cache, answer some of the provider's calls. */
  | PathsBehindFault
  | { readonly kind: 'lie'; readonly lie: ProviderLie };

export interface FaultPlan {
  /** Which provider has the fault; both by default. */
  readonly on?: 0 | 1;
  /** How many requests the fault affects; by default it lasts until it is cleared. */
  readonly times?: number;
  /** Which methods the fault affects; by default all that it can apply to. */
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

/** The side of the faults that the providers use. */
export interface FaultRegistry extends ProviderFaults {
  /** The first planned fault of one of these kinds for one of these methods, counted as used once; undefined if there is none. */
  take<Kind extends ProviderFault['kind']>(
    on: number,
    kinds: readonly Kind[],
    methods: readonly string[],
  ): Extract<ProviderFault, { kind: Kind }> | undefined;
  /** How many blocks a provider is behind. This call does not count as a use. */
  lag(on: number): number;
  /** The servers of a provider that answer the next call of this kind. */
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
  /** Selects the server that answers next; each provider has its own. */
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

/** The methods that a fault applies to; undefined: all of them. */
function methodsOf(fault: ProviderFault): readonly string[] | undefined {
  if (fault.kind === 'lie') return LIES[fault.lie.about];
  if (fault.kind === 'paths-behind') return fault.paths.flatMap((path) => PATHS[path]);
  return ['drop', 'price-out', 'error-though-landed'].includes(fault.kind) ? SENDS : undefined;
}
