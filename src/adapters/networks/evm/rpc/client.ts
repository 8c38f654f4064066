// The requests to one provider of an EVM network. Responses are never cached or shared, because a shared response would break
// proofs that depend on the order of the requests.
import { type Hex, numberToHex } from 'viem';
import {
  type EvmBlock,
  type EvmLog,
  type EvmTransaction,
  type FullEvmBlock,
  parseBigint,
  parseHex,
  type Receipt,
  readBlock,
  readFees,
  readFullBlock,
  readLogs,
  readOptional,
  readReceipt,
  readTransaction,
} from './answers.ts';
import { type EvmRequest, makeEvmRequests } from './requests.ts';

export type BlockTag = 'latest' | 'finalized';

export interface LogTopics {
  readonly address?: Hex;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
}

/** A server that has not seen all of these blocks returns only the logs of the blocks that it has, without an error. */
export interface LogFilter extends LogTopics {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

export interface ContractCall {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
}

export type ContractCreation = Omit<ContractCall, 'to'>;

export interface EvmClient {
  chainId(): Promise<number>;
  block(at: BlockTag | bigint): Promise<EvmBlock | null>;
  fullBlock(at: bigint): Promise<FullEvmBlock | null>;
  /** If `at` is a block number, a server returns an error when it has not seen the block or no longer has its state. */
  nonce(address: Hex, at: BlockTag | bigint): Promise<number>;
  balance(address: Hex): Promise<bigint>;
  call(call: ContractCall, at?: BlockTag | bigint): Promise<Hex>;
  /** `0x` means that the address has no contract. */
  code(address: Hex, at: bigint): Promise<Hex>;
  estimateGas(call: ContractCall | ContractCreation): Promise<bigint>;
  feeHistory(blocks: number): Promise<{ readonly nextBaseFee: bigint; readonly tips: readonly bigint[] }>;
  suggestedTip(): Promise<bigint>;
  send(raw: Hex): Promise<Hex>;
  transaction(hash: Hex): Promise<Pick<EvmTransaction, 'from' | 'nonce'> | null>;
  receipt(hash: Hex): Promise<Receipt | null>;
  logs(filter: LogFilter): Promise<readonly EvmLog[]>;
  /** The logs of one block. A server that has not seen the block returns an error. */
  logsIn(blockHash: Hex, filter: LogTopics): Promise<readonly EvmLog[]>;
}

export type ConnectEvm = (url: string, chainId: number) => EvmClient;

/** A request rejects with `WrongChainError` if the provider reports a different chain. */
export const connectEvm: ConnectEvm = (url, chainId) => makeEvmClient(makeEvmRequests(url, chainId));

function makeEvmClient(rpc: EvmRequest): EvmClient {
  const at = (block: BlockTag | bigint) => (typeof block === 'bigint' ? numberToHex(block) : block);
  const whole = async (method: string, params: readonly unknown[]) => parseBigint(await rpc(method, params));
  return {
    chainId: async () => Number(await whole('eth_chainId', [])),
    block: async (tag) => readOptional(await rpc('eth_getBlockByNumber', [at(tag), false]), readBlock),
    fullBlock: async (number) =>
      readOptional(await rpc('eth_getBlockByNumber', [at(number), true]), readFullBlock),
    nonce: async (address, block) => Number(await whole('eth_getTransactionCount', [address, at(block)])),
    balance: (address) => whole('eth_getBalance', [address, 'latest']),
    call: async (call, block = 'latest') => parseHex(await rpc('eth_call', [call, at(block)])),
    code: async (address, block) => parseHex(await rpc('eth_getCode', [address, at(block)])),
    estimateGas: (call) => whole('eth_estimateGas', [call, 'latest']),
    feeHistory: async (blocks) =>
      readFees(await rpc('eth_feeHistory', [numberToHex(blocks), 'latest', [50]])),
    suggestedTip: () => whole('eth_maxPriorityFeePerGas', []),
    send: async (raw) => parseHex(await rpc('eth_sendRawTransaction', [raw])),
    transaction: async (hash) => readOptional(await rpc('eth_getTransactionByHash', [hash]), readTransaction),
    receipt: async (hash) => readOptional(await rpc('eth_getTransactionReceipt', [hash]), readReceipt),
    logs: async ({ fromBlock, toBlock, ...rest }) => {
      const range = { fromBlock: at(fromBlock), toBlock: at(toBlock) };
      return readLogs(await rpc('eth_getLogs', [{ ...rest, ...range }]));
    },
    logsIn: async (blockHash, filter) => readLogs(await rpc('eth_getLogs', [{ ...filter, blockHash }])),
  };
}
