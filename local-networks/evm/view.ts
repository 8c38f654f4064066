// What one provider answers: the node's own answers, cut off at the height this provider has seen. `finalized` and `safe`
// lie a number of blocks behind it, as on real networks. Only what real providers offer is answered.
import { type Hex, hexToNumber, keccak256, numberToHex } from 'viem';
import type { Ledger } from './ledger.ts';
import { type EvmNode, RpcFailure } from './node.ts';

export type Answer = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface ViewOptions {
  /** How many blocks this provider is behind, now. */
  readonly lag: () => number;
  /** How many blocks logs are answered for at once. */
  readonly logBlocks: number;
}

interface Placed {
  readonly blockNumber: Hex | null;
}

/** Methods that say nothing about a block. */
const PLAIN = new Set([
  'eth_chainId',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'net_listening',
  'net_version',
  'web3_clientVersion',
]);
/** Where the block stands among the parameters of methods about the state at a block. */
const STATE: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};
/** Methods about a block by its height: above what was seen there is none. */
const BY_HEIGHT = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
]);

export function makeView(node: EvmNode, ledger: Ledger, { lag, logBlocks }: ViewOptions): Answer {
  const seen = () => Math.max(0, ledger.head() - lag());
  /** A height, or what is not a matter of height: `pending` and blocks by hash. */
  const heightOf = (block: unknown): number | undefined => {
    if (block === undefined || block === null || block === 'latest') return seen();
    if (block === 'finalized' || block === 'safe') return Math.max(0, seen() - ledger.finalityBlocks);
    if (block === 'earliest') return 0;
    // A provider that is behind knows of nothing that waits either.
    if (block === 'pending') return lag() > 0 ? seen() : undefined;
    if (typeof block === 'string') return hexToNumber(block as Hex);
    if (typeof block === 'object' && 'blockNumber' in block) return hexToNumber(block.blockNumber as Hex);
    return undefined;
  };
  const beyond = (at: Placed | null) => at?.blockNumber != null && hexToNumber(at.blockNumber) > seen();

  const state = (method: string, params: readonly unknown[], place: number) => {
    const height = heightOf(params[place]);
    if (height === undefined) return node.request(method, params);
    if (height > seen()) throw new RpcFailure(-32000, 'header not found');
    const asked = [...params];
    asked[place] = numberToHex(height);
    return node.request(method, asked);
  };
  const byHeight = (method: string, params: readonly unknown[]) => {
    const height = heightOf(params[0]);
    if (height === undefined) return node.request(method, params);
    return height > seen() ? null : node.request(method, [numberToHex(height), ...params.slice(1)]);
  };
  const logs = async ([filter]: readonly unknown[]) => {
    const { fromBlock, toBlock, ...rest } = filter as Record<string, unknown>;
    if (rest.blockHash !== undefined) {
      const block = await node.request<{ number: Hex } | null>('eth_getBlockByHash', [rest.blockHash, false]);
      if (block === null || hexToNumber(block.number) > seen()) throw new RpcFailure(-32000, 'unknown block');
      return node.request('eth_getLogs', [rest]);
    }
    const from = heightOf(fromBlock) ?? seen();
    const to = heightOf(toBlock) ?? seen();
    if (from > to) throw new RpcFailure(-32000, 'invalid block range params');
    if (to - from >= logBlocks) {
      throw new RpcFailure(-32005, `query exceeds max block range ${logBlocks}`);
    }
    // Real providers say nothing about what they have not seen: empty, and no error.
    if (from > seen()) return [];
    const range = { fromBlock: numberToHex(from), toBlock: numberToHex(Math.min(to, seen())) };
    return node.request('eth_getLogs', [{ ...rest, ...range }]);
  };
  const send = async (raw: Hex) => {
    try {
      return await ledger.send(raw);
    } catch (error) {
      // To a provider that has not seen the block it is in, it is new.
      const hash = lag() > 0 ? keccak256(raw) : undefined;
      const receipt = hash && (await node.request<Placed | null>('eth_getTransactionReceipt', [hash]));
      if (receipt && beyond(receipt)) return hash;
      throw error;
    }
  };

  return async (method, params) => {
    await ledger.settled();
    if (method === 'eth_blockNumber') return numberToHex(seen());
    if (method === 'eth_sendRawTransaction') return send(params[0] as Hex);
    if (method === 'eth_getLogs') return logs(params);
    if (PLAIN.has(method)) return node.request(method, params);
    const place = STATE[method];
    if (place !== undefined) return state(method, params, place);
    if (BY_HEIGHT.has(method)) return byHeight(method, params);
    if (method === 'eth_getTransactionReceipt') {
      const receipt = await node.request<Placed | null>(method, params);
      return beyond(receipt) ? null : receipt;
    }
    if (method === 'eth_getTransactionByHash') {
      const found = await node.request<Placed | null>(method, params);
      const waiting = { blockHash: null, blockNumber: null, transactionIndex: null };
      return beyond(found) ? { ...found, ...waiting } : found;
    }
    if (method === 'eth_getBlockByHash') {
      const block = await node.request<{ number: Hex } | null>(method, params);
      return block !== null && hexToNumber(block.number) > seen() ? null : block;
    }
    throw new RpcFailure(-32601, `the method ${method} does not exist/is not available`);
  };
}
