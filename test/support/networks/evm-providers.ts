// Providers of an EVM network made by hand: each says exactly what a test has it say, right or wrong, and keeps the trail of
// what it was asked. For proofs; how a whole chain behaves is tested on a local one.
import {
  decodeFunctionData,
  encodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  toHex,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { openEvmNetwork } from '../../../src/adapters/networks/evm/open.ts';
import {
  type Block,
  type Log,
  ProviderFailure,
  type Receipt,
  type Transaction,
} from '../../../src/adapters/networks/evm/rpc/answers.ts';
import type { EvmClient, LogTopics } from '../../../src/adapters/networks/evm/rpc/client.ts';
import { placesOf } from '../../../src/adapters/networks/evm/rpc/complete-logs.ts';
import {
  FORWARDER_CODE_HASH,
  lower,
  TRANSFER,
  topicOf,
} from '../../../src/adapters/networks/evm/rpc/contracts.ts';
import type { EvmSettings } from '../../../src/adapters/networks/settings/settings.ts';
import type { Network } from '../../../src/ports/network/network.ts';
import type { Watch } from '../../../src/ports/network/observes.ts';
import type { Payment } from '../../../src/ports/network/pays.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { memoryKey, memorySigner } from './memory-signer.ts';

export const TREASURY = lower(privateKeyToAddress(toHex(memoryKey('treasury'))));
export const TOKEN: Hex = `0x${'70'.repeat(20)}`;
export const DISPERSE: Hex = `0x${'d1'.repeat(20)}`;
export const FACTORY: Hex = `0x${'fa'.repeat(20)}`;
export const WALLETS: readonly Hex[] = [1, 2, 3, 4, 5, 6].map((n) => `0x${`a${n}`.repeat(20)}` as Hex);

const START_MS = 1_700_000_000_000;
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
  /** Blocks of another fork have other hashes. */
  fork: string;
  nonce: number;
  nonceAtFinality: number;
  decimals: number;
  tokenMinor: bigint;
  allowedMinor: bigint;
  nativeMinor: bigint;
  factoryTreasury: Hex;
  baseFee: bigint;
  /** Whether the token would go there; an error stands for a revert. */
  goes: (to: Hex, amountMinor: bigint) => boolean | 'reverts';
  readonly receipts: Map<string, Receipt>;
  /** What is asked about these transactions fails so. */
  readonly failing: Map<string, Error>;
  readonly transactions: Map<string, { from: Hex; nonce: number }>;
  readonly logs: Log[];
  /** What is in a block, by its number: who spent which nonce. */
  readonly inBlock: Map<bigint, readonly Transaction[]>;
  /** How an account was before this block nobody remembers. */
  oldestState: bigint;
  /** As far as the server has read that answers about logs of a range, and the one that answers about those of one block. */
  logsUpTo: bigint;
  logsUpToByHash: bigint;
  /** Whether all logs of a block are answered, or are too many. */
  wholeBlocks: boolean;
  /** What every header says about its logs; by its logs unless set. */
  bloom: Hex | null | undefined;
  /** With more logs than these a question is refused. */
  mostLogs: number;
  readonly sent: Hex[];
  readonly asked: string[];
  minedAtMs: number;
  /** Called before every answer; may throw, or change something. */
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

/** What a header says about its logs. */
function bloomOf(logs: readonly Log[]): Hex {
  const bits = new Uint8Array(256);
  for (const place of logs.flatMap(({ address, topics }) => [address, ...topics].flatMap(placesOf)))
    bits[255 - (place >> 3)]! |= 1 << (place & 7);
  return toHex(bits);
}

function clientOf(state: FakeProvider): EvmClient {
  const answer = async <Answer>(method: string, give: () => Answer): Promise<Answer> => {
    state.asked.push(method);
    if (state.down) throw new ProviderFailure(`${method}: no answer`, false);
    state.before(method);
    return give();
  };
  const about = <Found>(hash: string, all: ReadonlyMap<string, Found>): Found | null => {
    const failure = state.failing.get(hash);
    if (failure !== undefined) throw failure;
    return all.get(hash) ?? null;
  };
  const blockAt = (number: bigint): Block | null =>
    number > state.latest
      ? null
      : {
          number,
          hash: hashAt(state.fork, number),
          parent: hashAt(state.fork, number - 1n),
          bloom:
            state.bloom === undefined
              ? bloomOf(state.logs.filter(({ block }) => block === number))
              : state.bloom,
          gasLimit: 30_000_000n,
          minedAtMs: state.minedAtMs,
        };
  const matching = ({ address, topics }: LogTopics, log: Log) =>
    (address === undefined || log.address === address) &&
    topics.every((wanted, place) => wanted === null || [wanted].flat().includes(log.topics[place]!));
  return {
    chainId: () => answer('chainId', () => state.chainId),
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
    balance: () => answer('balance', () => state.nativeMinor),
    call: ({ data }) => answer('call', () => called(state, data)),
    code: () => answer('code', () => '0x'),
    estimateGas: () => answer('estimateGas', () => 60_000n),
    feeHistory: () => answer('feeHistory', () => ({ nextBaseFee: state.baseFee, tips: [10n ** 9n] })),
    suggestedTip: () => answer('suggestedTip', () => 10n ** 9n),
    send: (raw) =>
      answer('send', () => {
        state.sent.push(raw);
        return keccak256(raw);
      }),
    transaction: (hash) => answer('transaction', () => about(hash, state.transactions)),
    receipt: (hash) => answer('receipt', () => about(hash, state.receipts)),
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

function called(state: FakeProvider, data: Hex): Hex {
  const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);
  const { functionName, args } = decodeFunctionData({ abi: ABI, data });
  switch (functionName) {
    case 'decimals':
      return word(BigInt(state.decimals));
    case 'balanceOf':
      return word(state.tokenMinor);
    case 'allowance':
      return word(state.allowedMinor);
    case 'owner':
      return pad(TREASURY);
    case 'treasury':
      return pad(state.factoryTreasury);
    case 'initCodeHash':
      return FORWARDER_CODE_HASH;
    case 'transfer': {
      const goes = state.goes(lower(args[0]), args[1]);
      if (goes === 'reverts' || args[1] > state.tokenMinor)
        throw new ProviderFailure('eth_call: error 3', true);
      return word(goes ? 1n : 0n);
    }
  }
}

const SETTINGS: EvmSettings = {
  family: 'evm',
  name: 'Polygon',
  mode: 'test',
  rpc: ['https://one.example/secret-one', 'https://two.example/secret-two'],
  assetCode: 'NGNC',
  decimals: 6,
  native: { asset: 'POL', decimals: 18 },
  key: 'treasury',
  confirmations: 10,
  finalAfterMs: 5_000,
  explorerTxUrl: null,
  agreeFromMinor: 1_000_000n,
  marks: { tokenMinor: 0n, nativeMinor: 0n },
  batch: 10,
  chainId: 137,
  token: TOKEN,
  disperse: DISPERSE,
  forwarderFactory: FACTORY,
  firstBlock: 90n,
  logBlocks: 5,
  stuckAfterMs: 60_000,
  maxFeePerGas: 500n * 10n ** 9n,
};

export interface FakeStage {
  readonly network: Network;
  readonly troubles: { readonly message: string; readonly detail: Readonly<Record<string, unknown>> }[];
  pass(ms: number): void;
}

export async function openOn(
  providers: readonly FakeProvider[],
  { settings = {}, signer = memorySigner() }: { settings?: Partial<EvmSettings>; signer?: Signer } = {},
): Promise<FakeStage> {
  const troubles: FakeStage['troubles'] = [];
  let nowMs = START_MS;
  const rpc = SETTINGS.rpc.slice(0, providers.length);
  const network = await openEvmNetwork(
    { ...SETTINGS, rpc, ...settings },
    {
      clock: { now: () => nowMs },
      signer,
      onTrouble: (message, detail) => void troubles.push({ message, detail }),
    },
    (url) => clientOf(providers[rpc.indexOf(url)]!),
  );
  for (const each of providers) each.asked.length = 0;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { network, troubles, pass };
}

export function payOne(to: Hex, amountMinor: bigint, changes: Partial<Payment> = {}): Payment {
  return {
    orderId: `mov_${to}_${amountMinor}`,
    about: null,
    to,
    amountMinor,
    alone: false,
    opensAccount: true,
    from: null,
    ...changes,
  };
}

export const NO_TURN = { lastSequence: null, live: 0, inFlightMinor: 0n };

/** A log of a transfer, as the token writes it. */
export function transferLog(
  { from = TREASURY, to, amountMinor }: { from?: Hex; to: Hex; amountMinor: bigint },
  changes: Partial<Log> = {},
): Log {
  return {
    address: TOKEN,
    topics: [TRANSFER, topicOf(from), topicOf(to)],
    data: pad(toHex(amountMinor)),
    block: 95n,
    blockHash: hashAt('main', 95n),
    txHash: keccak256(toHex('a transaction')),
    index: 0,
    ...changes,
  };
}

export function receiptOf(hash: string, logs: readonly Log[], changes: Partial<Receipt> = {}): Receipt {
  return {
    hash: hash as Hex,
    block: 95n,
    blockHash: hashAt('main', 95n),
    success: true,
    gasUsed: 50_000n,
    gasPrice: 3n,
    logs,
    ...changes,
  };
}

export const [OURS, STRANGER, SENDER] = WALLETS as [Hex, Hex, Hex];
export const watching = (...addresses: readonly Hex[]): Watch => {
  const ours = new Set(addresses.map((each) => getAddress(each) as string));
  return {
    recent: async () => [...ours],
    ours: async (asked) => new Set(asked.filter((each) => ours.has(each))),
  };
};
export const txOf = (name: string) => keccak256(toHex(name));

/** A transaction with these logs, in a block of a provider. */
export function happens(
  provider: FakeProvider,
  name: string,
  block: bigint,
  logs: readonly Partial<Log>[],
  { firstIndex = 0, nonce = 1 } = {},
): Hex {
  const hash = txOf(name);
  const blockHash = hashAt(provider.fork, block);
  const written = logs.map((log, place) => ({
    ...transferLog({ from: SENDER, to: OURS, amountMinor: 100n }),
    ...log,
    block,
    blockHash,
    txHash: hash,
    index: firstIndex + place,
  }));
  provider.logs.push(...written);
  provider.receipts.set(hash, receiptOf(hash, written, { block, blockHash }));
  provider.transactions.set(hash, { from: SENDER, nonce });
  return hash;
}

export function forget(provider: FakeProvider, hash: Hex): void {
  provider.logs.splice(0, provider.logs.length, ...provider.logs.filter(({ txHash }) => txHash !== hash));
  provider.receipts.delete(hash);
  provider.transactions.delete(hash);
}
