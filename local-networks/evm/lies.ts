// The responses of a lying provider. They are as good as possible without a key: they have true block hashes and heights. If
// the provider received the bytes of a payment, the lie has the events that the payment would have had.
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  toHex,
} from 'viem';
import type { ProviderLie } from './faults.ts';
import type { EvmLedger } from './ledger.ts';
import type { AnswerRpc } from './provider-view.ts';

const ABI = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function pay(address token, bytes32 batch, address[] to, uint256[] amounts)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Paid(bytes32 indexed batch, uint256 indexed place, address to, uint256 amount)',
]);
const BALANCE_OF = '0x70a08231';

interface LogEvent {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

interface BlockRef {
  readonly hash: Hex;
  readonly number: Hex;
}

export async function tellLie(
  lie: ProviderLie,
  { method, params, truth }: { method: string; params: readonly unknown[]; truth: unknown },
  { view, ledger }: { view: AnswerRpc; ledger: EvmLedger },
): Promise<unknown> {
  switch (lie.about) {
    case 'reverted':
      return truth === null ? null : { ...(truth as object), status: '0x0', logs: [] };
    case 'no-receipt':
      return null;
    case 'no-logs':
      return [];
    case 'chain':
      return numberToHex(lie.chainId);
    case 'nonce':
      return numberToHex(hexToBigInt(truth as Hex) + BigInt(lie.more));
    case 'balance': {
      const data = (params[0] as { data?: Hex; input?: Hex }).data ?? (params[0] as { input?: Hex }).input;
      if (method === 'eth_call' && !data?.startsWith(BALANCE_OF)) return truth;
      const more = hexToBigInt(truth as Hex) * lie.times;
      return method === 'eth_call' ? pad(toHex(more)) : numberToHex(more);
    }
    case 'deposit':
      return [...(truth as unknown[]), await inventDeposit(lie, params[0], view)];
    case 'receipt': {
      if (truth !== null) return truth;
      const block = (await view('eth_getBlockByNumber', ['finalized', false])) as BlockRef;
      return method === 'eth_getTransactionReceipt'
        ? inventReceipt(params[0] as Hex, block, ledger.lostBytes(params[0] as Hex))
        : null;
    }
  }
}

async function inventDeposit(
  { token, to, amount }: Extract<ProviderLie, { about: 'deposit' }>,
  filter: unknown,
  view: AnswerRpc,
) {
  const height = (filter as { toBlock?: string }).toBlock ?? 'latest';
  const block = (await view('eth_getBlockByNumber', [height, false])) as BlockRef;
  const hash = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [block.hash, to]));
  return logAt(block, hash, 0, transferEvent(token, pad('0x01', { size: 20 }), to, amount));
}

async function inventReceipt(hash: Hex, block: BlockRef, bytes: Hex | undefined) {
  const from = bytes
    ? await recoverTransactionAddress({ serializedTransaction: bytes as TransactionSerialized })
    : null;
  const parsed = bytes ? parseTransaction(bytes as TransactionSerialized) : null;
  const events = from && parsed?.to && parsed.data ? eventsOf(from, parsed.to, parsed.data) : [];
  return {
    blockHash: block.hash,
    blockNumber: block.number,
    contractAddress: null,
    cumulativeGasUsed: '0xc350',
    effectiveGasPrice: '0x3b9aca00',
    from: from ?? pad('0x01', { size: 20 }),
    gasUsed: '0xc350',
    logs: events.map((event, index) => logAt(block, hash, index, event)),
    logsBloom: `0x${'ff'.repeat(256)}`,
    status: '0x1',
    to: parsed?.to ?? null,
    transactionHash: hash,
    transactionIndex: '0x0',
    type: '0x2',
  };
}

function eventsOf(from: Hex, to: Hex, data: Hex): readonly LogEvent[] {
  const call = (() => {
    try {
      return decodeFunctionData({ abi: ABI, data });
    } catch {
      return undefined;
    }
  })();
  if (call?.functionName === 'transfer') return [transferEvent(to, from, call.args[0], call.args[1])];
  if (call?.functionName !== 'pay') return [];
  const [token, batch, payees, amounts] = call.args;
  return payees.flatMap((payee, place) => [
    transferEvent(token, from, payee, amounts[place] ?? 0n),
    {
      address: to,
      topics: encodeEventTopics({
        abi: ABI,
        eventName: 'Paid',
        args: { batch, place: BigInt(place) },
      }) as Hex[],
      data: encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [payee, amounts[place] ?? 0n]),
    },
  ]);
}

function transferEvent(token: Hex, from: Hex, to: Hex, value: bigint): LogEvent {
  return {
    address: token,
    topics: encodeEventTopics({ abi: ABI, eventName: 'Transfer', args: { from, to } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  };
}

function logAt(block: BlockRef, transactionHash: Hex, index: number, event: LogEvent) {
  return {
    ...event,
    blockHash: block.hash,
    blockNumber: block.number,
    logIndex: numberToHex(index),
    removed: false,
    transactionHash,
    transactionIndex: '0x0',
  };
}
