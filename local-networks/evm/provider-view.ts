// The responses of one provider. They are the responses of the node, limited to the height that this provider has seen.
// `finalized` and `safe` are some blocks behind that height, as on real networks. The file supports only methods that real
// providers offer.
import { type Hex, hexToNumber, keccak256, numberToHex } from 'viem';
import { RpcError } from '../rpc-error.ts';
import type { LaggingServer } from './lagging-servers.ts';
import type { EvmLedger } from './ledger.ts';
import type { EvmNode } from './node.ts';

export type AnswerRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface ViewOptions {
  readonly lag: () => number;
  readonly servers: (method: string) => readonly LaggingServer[];
  readonly logBlocks: number;
}

interface BlockPlace {
  readonly blockNumber?: Hex | null;
  readonly number?: Hex;
}

const PLAIN = new Set([
  'eth_chainId',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'net_listening',
  'net_version',
  'web3_clientVersion',
]);
/** For each method about the state at a block, the position of the block parameter. */
const STATE: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};
/** Methods that get a block by its height. Above the visible height they find no block. */
const BY_HEIGHT = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
]);

interface ServerSight extends Omit<ViewOptions, 'servers'> {
  readonly node: EvmNode;
  readonly ledger: EvmLedger;
  /** Whether the server knows pending transactions. A lagging server may not know them. */
  readonly knowsPool: boolean;
  readonly seen: () => number;
}

export function makeProviderView(node: EvmNode, ledger: EvmLedger, options: ViewOptions): AnswerRpc {
  const { lag, logBlocks } = options;
  const answer = async (sight: ServerSight, method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'eth_blockNumber') return numberToHex(sight.seen());
    if (method === 'eth_sendRawTransaction') return sendRaw(sight, params[0] as Hex);
    if (method === 'eth_getLogs') return readLogs(sight, params[0] as Record<string, unknown>);
    if (PLAIN.has(method)) return node.request(method, params);
    const blockAt = STATE[method];
    if (blockAt !== undefined) return readState(sight, method, params, blockAt);
    if (BY_HEIGHT.has(method)) return readByHeight(sight, method, params);
    return readByHash(sight, method, params);
  };
  return (method, params) =>
    ledger.steady(async () => {
      const servers = options.servers(method);
      const question = JSON.stringify([method, params]);
      if (servers.some((each) => each.repeats(question))) return method === 'eth_getLogs' ? [] : null;
      const seen = () =>
        servers.reduce((height, each) => each.seen(height), Math.max(0, ledger.head() - lag()));
      const knowsPool = servers.length === 0;
      const found = await answer({ lag, logBlocks, node, ledger, knowsPool, seen }, method, params);
      for (const each of servers) each.answered(question, found);
      return found;
    });
}

/**
 * The height of a block parameter. Undefined means that the parameter is not a height, but `pending` or the hash of a block.
 */
function heightOf({ seen, lag, ledger }: ServerSight, block: unknown): number | undefined {
  if (block === undefined || block === null || block === 'latest') return seen();
  if (block === 'finalized' || block === 'safe') return Math.max(0, seen() - ledger.finalityBlocks);
  if (block === 'earliest') return 0;
  // A lagging provider does not know pending transactions either.
  if (block === 'pending') return lag() > 0 ? seen() : undefined;
  if (typeof block === 'string') return hexToNumber(block as Hex);
  if (typeof block === 'object' && 'blockNumber' in block) return hexToNumber(block.blockNumber as Hex);
  return undefined;
}

const isBeyondSight = ({ seen }: ServerSight, height: Hex | null | undefined) =>
  typeof height === 'string' && hexToNumber(height) > seen();

function readState(
  sight: ServerSight,
  method: string,
  params: readonly unknown[],
  blockAt: number,
): Promise<unknown> {
  const height = heightOf(sight, params[blockAt]);
  if (height === undefined) return sight.node.request(method, params);
  if (height > sight.seen()) throw new RpcError(-32000, 'header not found');
  const asked = [...params];
  asked[blockAt] = numberToHex(height);
  return sight.node.request(method, asked);
}

async function readByHeight(
  sight: ServerSight,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const height = heightOf(sight, params[0]);
  if (height === undefined) return sight.node.request(method, params);
  return height > sight.seen() ? null : sight.node.request(method, [numberToHex(height), ...params.slice(1)]);
}

async function readByHash(sight: ServerSight, method: string, params: readonly unknown[]): Promise<unknown> {
  const ask = () => sight.node.request<BlockPlace | null>(method, params);
  switch (method) {
    case 'eth_getTransactionReceipt': {
      const receipt = await ask();
      return isBeyondSight(sight, receipt?.blockNumber) ? null : receipt;
    }
    case 'eth_getTransactionByHash': {
      const found = await ask();
      const waiting = { blockHash: null, blockNumber: null, transactionIndex: null };
      if (!isBeyondSight(sight, found?.blockNumber)) return found;
      return sight.knowsPool ? { ...found, ...waiting } : null;
    }
    case 'eth_getBlockByHash': {
      const block = await ask();
      return isBeyondSight(sight, block?.number) ? null : block;
    }
    default:
      throw new RpcError(-32601, `the method ${method} does not exist/is not available`);
  }
}

async function readLogs(sight: ServerSight, filter: Record<string, unknown>): Promise<unknown> {
  const { node, seen, logBlocks } = sight;
  const { fromBlock, toBlock, ...rest } = filter;
  if (rest.blockHash !== undefined) {
    const block = await node.request<BlockPlace | null>('eth_getBlockByHash', [rest.blockHash, false]);
    if (block === null || isBeyondSight(sight, block.number)) throw new RpcError(-32000, 'unknown block');
    return node.request('eth_getLogs', [rest]);
  }
  const from = heightOf(sight, fromBlock) ?? seen();
  const to = heightOf(sight, toBlock) ?? seen();
  if (from > to) throw new RpcError(-32000, 'invalid block range params');
  if (to - from >= logBlocks) throw new RpcError(-32005, `query exceeds max block range ${logBlocks}`);
  // For blocks that they have not seen, real providers return an empty result instead of an error.
  if (from > seen()) return [];
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(Math.min(to, seen())) };
  return node.request('eth_getLogs', [{ ...rest, ...range }]);
}

async function sendRaw(sight: ServerSight, raw: Hex): Promise<Hex> {
  try {
    return await sight.ledger.send(raw);
  } catch (error) {
    if (sight.lag() === 0) throw error;
    // A provider that has not seen the block of a transaction treats the transaction as new.
    const hash = keccak256(raw);
    const receipt = await sight.node.request<BlockPlace | null>('eth_getTransactionReceipt', [hash]);
    if (isBeyondSight(sight, receipt?.blockNumber)) return hash;
    throw error;
  }
}
