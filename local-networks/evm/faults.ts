// Faults between a provider and its client, on demand. A fault lasts for a number of requests, or until the test clears it.
import type { Address } from 'viem';
import { type LaggingServer, makeLaggingServers, PATHS, type PathsBehindFault } from './lagging-servers.ts';

export type ProviderLie =
  /** The provider returns a final receipt of success for a hash that the chain does not know. */
  | { readonly about: 'receipt' }
  /** The provider shows every successful transaction as failed and without effects. */
  | { readonly about: 'reverted' }
  /** For any hash, the provider responds that neither the receipt nor the transaction exists. */
  | { readonly about: 'no-receipt' }
  /** The provider multiplies token and native balances by this number. */
  | { readonly about: 'balance'; readonly times: bigint }
  /** The provider reports this many more transactions than the account has sent. */
  | { readonly about: 'nonce'; readonly more: number }
  /** The provider adds an invented transfer to the logs of the highest requested block. */
  | { readonly about: 'deposit'; readonly token: Address; readonly to: Address; readonly amount: bigint }
  /** The provider returns no logs, although the blocks exist. */
  | { readonly about: 'no-logs' }
  /** The provider serves another chain: it reports the id of that chain, and all its other responses are about that chain. */
  | { readonly about: 'chain'; readonly chainId: number };

export type ProviderFault =
  /** The connection closes before the provider forwards the request. */
  | { readonly kind: 'cut-before' }
  /** The provider forwards the request and it is executed, but the connection closes before the response. */
  | { readonly kind: 'cut-after' }
  /** The provider forwards the request, but its response is an error. Without a given text, each error is different. */
  | { readonly kind: 'error-though-landed'; readonly text?: string }
  | { readonly kind: 'refuse'; readonly text: string; readonly code?: number }
  /**
   * The provider reports a transaction as accepted, but the transaction is not in the pool. If the client sends it again, the
   * provider may accept it.
   */
  | { readonly kind: 'drop' }
  /** The provider accepts a transaction, but before it is mined the base fee rises above its maximum fee. */
  | { readonly kind: 'price-out' }
  /**
   * A delay. Either the provider forwards the request late, even after the client has given up, or it forwards the request at
   * once and the response is late.
   */
  | { readonly kind: 'delay'; readonly delayMs: number; readonly of?: 'request' | 'answer' }
  /** The provider forwards nothing. Some services give the reason in a JSON-RPC response, others in plain text. */
  | { readonly kind: 'http'; readonly status: number; readonly body?: 'json' | 'text' }
  | { readonly kind: 'lag'; readonly blocks: number }
  /** Servers that lag behind, or a cache, answer some of the provider's calls. */
  | PathsBehindFault
  | { readonly kind: 'lie'; readonly lie: ProviderLie };

export interface FaultPlan {
  /** The provider with the fault. If absent, both providers have it. */
  readonly on?: 0 | 1;
  readonly times?: number;
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

/** The functions that the providers use to find their faults. */
export interface FaultRegistry extends ProviderFaults {
  /**
   * Returns the first planned fault of one of these kinds for one of these methods, and counts it as used once. Undefined means
   * that no fault applies.
   */
  take<Kind extends ProviderFault['kind']>(
    on: number,
    kinds: readonly Kind[],
    methods: readonly string[],
  ): Extract<ProviderFault, { kind: Kind }> | undefined;
  /** How many blocks a provider is behind. This call does not count as a use of the fault. */
  lag(on: number): number;
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

/** The methods that a fault applies to. Undefined means all methods. */
function methodsOf(fault: ProviderFault): readonly string[] | undefined {
  if (fault.kind === 'lie') return LIES[fault.lie.about];
  if (fault.kind === 'paths-behind') return fault.paths.flatMap((path) => PATHS[path]);
  return ['drop', 'price-out', 'error-though-landed'].includes(fault.kind) ? SENDS : undefined;
}
