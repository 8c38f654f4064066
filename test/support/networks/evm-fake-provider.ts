// A fake provider of an EVM network. It returns exactly what a test sets, right or wrong, and records the requests.
import { decodeFunctionData, encodeAbiParameters, type Hex, keccak256, pad, parseAbi, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import {
  type EvmBlock,
  type EvmLog,
  type EvmTransaction,
  ProviderFailure,
  type Receipt,
} from '../../../src/adapters/networks/evm/rpc/answers.ts';
import type { EvmClient, LogTopics } from '../../../src/adapters/networks/evm/rpc/client.ts';
import { bloomBitsOf } from '../../../src/adapters/networks/evm/rpc/complete-logs.ts';
import { FORWARDER_CODE_HASH, lowerHex } from '../../../src/adapters/networks/evm/rpc/contracts.ts';
import { memoryKey } from './memory-signer.ts';

export const TREASURY = lowerHex(privateKeyToAddress(toHex(memoryKey('treasury'))));
export const START_MS = 1_700_000_000_000;

const ABI = parseAbi([
  'function decimals()',
  'function balanceOf(address holder)',
  'function allowance(address holder, address spender)',
  'function transfer(address to, uint256 amount)',
  'function owner()',
  'function treasury()',
  'function initCodeHash()',
]);

export interface FakeProvider {
  down: boolean;
  chainId: number;
  latest: bigint;
  finalized: bigint;
  /** The name of the fork. Blocks of different forks have different hashes. */
  fork: string;
  nonce: number;
  nonceAtFinality: number;
  decimals: number;
  tokenMinor: bigint;
  /** The token balances of addresses other than the treasury. An address without an entry has the treasury's balance. */
  readonly held: Map<Hex, bigint>;
  /** An amount that is missing from the treasury from this block on, without a transfer in the logs. */
  missing: { readonly from: bigint; readonly amountMinor: bigint } | null;
  allowedMinor: bigint;
  nativeMinor: bigint;
  factoryTreasury: Hex;
  baseFee: bigint;
  goes: (to: Hex, amountMinor: bigint) => boolean | 'reverts';
  readonly receipts: Map<string, Receipt>;
  readonly failing: Map<string, Error>;
  readonly transactions: Map<string, { from: Hex; nonce: number }>;
  readonly logs: EvmLog[];
  /** The transactions of each block, by block number. They show who used which nonce. */
  readonly inBlock: Map<bigint, readonly EvmTransaction[]>;
  /** The first block whose account state is still available. */
  oldestState: bigint;
  /**
   * `logsUpTo`: the last block known to the server that returns logs of a range. `logsUpToByHash`: the last block known to the
   * server that returns logs of one block.
   */
  logsUpTo: bigint;
  logsUpToByHash: bigint;
  /** Whether the provider returns all logs of a block. Otherwise it refuses because there are too many. */
  wholeBlocks: boolean;
  /** The bloom filter in every header. If it is not set, the provider computes it from the logs. */
  bloom: Hex | null | undefined;
  /** The provider refuses a request whose result has more logs than this. */
  mostLogs: number;
  readonly sent: Hex[];
  readonly asked: string[];
  minedAtMs: number;
  /** Called before every response. It may throw or change something. */
  before: (method: string) => void;
}

export function fakeProvider(changes: Partial<FakeProvider> = {}): FakeProvider {
  return {
    down: false,
    chainId: 137,
    latest: 110n,
    finalized: 100n,
    fork: 'main',
    nonce: 7,
    nonceAtFinality: 7,
    decimals: 6,
    tokenMinor: 10n ** 12n,
    held: new Map(),
    missing: null,
    allowedMinor: 2n ** 255n,
    nativeMinor: 10n ** 20n,
    factoryTreasury: TREASURY,
    baseFee: 10n ** 9n,
    goes: () => true,
    receipts: new Map(),
    failing: new Map(),
    transactions: new Map(),
    logs: [],
    inBlock: new Map(),
    oldestState: 0n,
    logsUpTo: 10n ** 9n,
    logsUpToByHash: 10n ** 9n,
    wholeBlocks: false,
    bloom: undefined,
    mostLogs: Number.POSITIVE_INFINITY,
    sent: [],
    asked: [],
    minedAtMs: START_MS,
    before: () => undefined,
    ...changes,
  };
}

export function hashAt(fork: string, block: bigint): Hex {
  return keccak256(toHex(`${fork} ${block}`));
}

function bloomOf(logs: readonly EvmLog[]): Hex {
  const bits = new Uint8Array(256);
  for (const bit of logs.flatMap(({ address, topics }) => [address, ...topics].flatMap(bloomBitsOf)))
    bits[255 - (bit >> 3)]! |= 1 << (bit & 7);
  return toHex(bits);
}

export function clientOf(state: FakeProvider): EvmClient {
  const answer: Answer = async (method, give) => {
    state.asked.push(method);
    if (state.down) throw new ProviderFailure(`${method}: no answer`, false);
    state.before(method);
    return give();
  };
  return {
    chainId: () => answer('chainId', () => state.chainId),
    ...blocksOf(state, answer),
    ...transactionsOf(state, answer),
    ...logsOf(state, answer),
    balance: () => answer('balance', () => state.nativeMinor),
    call: ({ data }, at = 'latest') =>
      answer('call', () => {
        if (typeof at === 'bigint' && at < state.oldestState)
          throw new ProviderFailure('eth_call: error -32000', true);
        return called(state, data, at);
      }),
    code: () => answer('code', () => '0x'),
    estimateGas: () => answer('estimateGas', () => 60_000n),
    feeHistory: () => answer('feeHistory', () => ({ nextBaseFee: state.baseFee, tips: [10n ** 9n] })),
    suggestedTip: () => answer('suggestedTip', () => 10n ** 9n),
  };
}

/** Records the request, fails if the provider is down, and otherwise responds. */
type Answer = <Found>(method: string, give: () => Found) => Promise<Found>;

function blocksOf(state: FakeProvider, answer: Answer): Pick<EvmClient, 'block' | 'fullBlock' | 'nonce'> {
  const blockAt = (number: bigint): EvmBlock | null => {
    if (number > state.latest) return null;
    const logs = state.logs.filter(({ block }) => block === number);
    return {
      number,
      hash: hashAt(state.fork, number),
      parent: hashAt(state.fork, number - 1n),
      bloom: state.bloom === undefined ? bloomOf(logs) : state.bloom,
      gasLimit: 30_000_000n,
      minedAtMs: state.minedAtMs,
    };
  };
  return {
    block: (at) =>
      answer(`block ${at}`, () =>
        blockAt(at === 'latest' ? state.latest : at === 'finalized' ? state.finalized : at),
      ),
    fullBlock: (at) =>
      answer(`full block ${at}`, () => {
        const block = blockAt(at);
        return block === null ? null : { ...block, transactions: state.inBlock.get(at) ?? [] };
      }),
    nonce: (address, at) =>
      answer(`nonce ${at}`, () => {
        if (typeof at !== 'bigint') return at === 'latest' ? state.nonce : state.nonceAtFinality;
        if (at > state.latest || at < state.oldestState)
          throw new ProviderFailure('eth_getTransactionCount: error -32000', true);
        const spent = [...state.inBlock].flatMap(([block, all]) => (block <= at ? all : []));
        return spent
          .filter(({ from }) => from === address)
          .reduce((n, { nonce }) => Math.max(n, nonce + 1), 0);
      }),
  };
}

function transactionsOf(
  state: FakeProvider,
  answer: Answer,
): Pick<EvmClient, 'send' | 'transaction' | 'receipt'> {
  const about = <Found>(hash: string, all: ReadonlyMap<string, Found>): Found | null => {
    const failure = state.failing.get(hash);
    if (failure !== undefined) throw failure;
    return all.get(hash) ?? null;
  };
  return {
    send: (raw) =>
      answer('send', () => {
        state.sent.push(raw);
        return keccak256(raw);
      }),
    transaction: (hash) => answer('transaction', () => about(hash, state.transactions)),
    receipt: (hash) => answer('receipt', () => about(hash, state.receipts)),
  };
}

function logsOf(state: FakeProvider, answer: Answer): Pick<EvmClient, 'logs' | 'logsIn'> {
  const matching = ({ address, topics }: LogTopics, log: EvmLog) =>
    (address === undefined || log.address === address) &&
    topics.every((wanted, index) => wanted === null || [wanted].flat().includes(log.topics[index]!));
  return {
    logs: ({ fromBlock, toBlock, ...filter }) =>
      answer(`logs ${fromBlock}-${toBlock}${filter.address === undefined ? ' of any token' : ''}`, () => {
        const to = state.logsUpTo < toBlock ? state.logsUpTo : toBlock;
        const found = state.logs.filter(
          (log) => log.block >= fromBlock && log.block <= to && matching(filter, log),
        );
        if (found.length > state.mostLogs) throw new ProviderFailure('eth_getLogs: error -32005', true);
        return found;
      }),
    logsIn: (blockHash, filter) =>
      answer('logs by hash', () => {
        const found = state.logs.filter((log) => log.blockHash === blockHash && matching(filter, log));
        const isWhole = filter.address === undefined;
        if ((isWhole && !state.wholeBlocks) || found.some(({ block }) => block > state.logsUpToByHash))
          throw new ProviderFailure('eth_getLogs: error -32000', true);
        return found;
      }),
  };
}

const TOKEN_ADDRESS: Hex = `0x${'70'.repeat(20)}`;

/** The balance according to the token's logs, less the missing amount. */
function heldAt({ logs, tokenMinor, missing, oldestState }: FakeProvider, at: bigint): bigint {
  if (at < oldestState) throw new ProviderFailure('eth_call: missing trie node', true);
  const own = pad(TREASURY);
  const sum = logs
    .filter(({ block, address }) => block <= at && address === TOKEN_ADDRESS)
    .reduce((total, { topics, data }) => {
      const sign = (topics[2] === own ? 1n : 0n) - (topics[1] === own ? 1n : 0n);
      return total + sign * BigInt(data);
    }, tokenMinor);
  return missing !== null && at >= missing.from ? sum - missing.amountMinor : sum;
}

function called(state: FakeProvider, data: Hex, at: bigint | string = 'latest'): Hex {
  const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);
  const { functionName, args } = decodeFunctionData({ abi: ABI, data });
  switch (functionName) {
    case 'decimals':
      return word(BigInt(state.decimals));
    case 'balanceOf':
      if (state.held.has(lowerHex(args[0]))) return word(state.held.get(lowerHex(args[0]))!);
      return word(typeof at === 'bigint' ? heldAt(state, at) : state.tokenMinor);
    case 'allowance':
      return word(state.allowedMinor);
    case 'owner':
      return pad(TREASURY);
    case 'treasury':
      return pad(state.factoryTreasury);
    case 'initCodeHash':
      return FORWARDER_CODE_HASH;
    case 'transfer': {
      const goes = state.goes(lowerHex(args[0]), args[1]);
      if (goes === 'reverts' || args[1] > state.tokenMinor)
        throw new ProviderFailure('eth_call: error 3', true);
      return word(goes ? 1n : 0n);
    }
  }
}
