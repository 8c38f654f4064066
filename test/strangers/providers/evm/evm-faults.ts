// How the faults of an Ethereum provider change its responses about the chain, its head, balances, nonces and submitted
// transactions.
import type { Random, Use } from '../faults.ts';
import { isObject, type Json, textOf } from '../json.ts';
import type { BatchFault, Outcome, RpcCall, RpcRule } from '../rpc.ts';
import type { TransportFault } from '../transport.ts';
import { logRules } from './evm-logs.ts';
import { type EvmMemory, quantity, quantityOf } from './evm-memory.ts';
import type { EvmFault } from './evm-names.ts';
import { keccak256 } from './keccak.ts';

export type EvmRuleName = Exclude<EvmFault, TransportFault | BatchFault>;

const GENESIS_OF_MAINNET = '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3';
const GENESIS_OF_SEPOLIA = '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9';

/**
 * Lists the rules in the order in which they are applied: rules that remove data first, then rules that change data, then rules
 * that add data.
 */
export function evmRules(memory: EvmMemory, random: Random): Readonly<Record<EvmRuleName, RpcRule>> {
  return { ...chainRules(), ...headRules(memory), ...sendRules(), ...logRules(memory, random) };
}

function chainRules() {
  return {
    another_chain: {
      methods: ['eth_chainId', 'net_version', 'eth_getBlockByNumber'],
      reply: anotherChain,
    },
    transaction_unknown: {
      methods: ['eth_getTransactionByHash', 'eth_getTransactionReceipt'],
      reply: (result: Json) => (result === null ? undefined : { result: null }),
    },
    nonce_lag: {
      methods: ['eth_getTransactionCount'],
      reply: (result: Json, _call: RpcCall, use: Use) => {
        const nonce = quantityOf(result) ?? 0;
        const lower = Math.max(0, nonce - (use.options.by ?? 1));
        return lower === nonce ? undefined : { result: quantity(lower) };
      },
    },
  };
}

function anotherChain(result: Json, call: RpcCall, use: Use): Outcome | undefined {
  const { value } = use.options;
  if (call.method === 'eth_chainId') return { result: quantity(otherId(quantityOf(result), value)) };
  if (call.method === 'net_version') return { result: String(otherId(Number(textOf(result)), value)) };
  const isGenesis = call.params[0] === 'earliest' || quantityOf(call.params[0]) === 0;
  if (!isGenesis || !isObject(result)) return undefined;
  const hash = result.hash === GENESIS_OF_MAINNET ? GENESIS_OF_SEPOLIA : GENESIS_OF_MAINNET;
  return { result: { ...result, hash } };
}

function otherId(trueId: number | undefined, value: string | undefined): bigint {
  if (value !== undefined) return BigInt(value);
  return trueId === 1 ? 11155111n : 1n;
}

function headRules(memory: EvmMemory) {
  return {
    balances_lag: {
      methods: ['eth_call', 'eth_getBalance'],
      reply: (result: Json, call: RpcCall, use: Use) => {
        const nothing = call.method === 'eth_call' ? emptied(result) : '0x0';
        const older = memory.frozen(call, use, use.options.empty ? nothing : undefined);
        return older === undefined || older === result ? undefined : { result: older };
      },
    },
    finalized_ahead: {
      methods: ['eth_getBlockByNumber'],
      reply: (result: Json, call: RpcCall) => {
        if (call.params[0] !== 'finalized' && call.params[0] !== 'safe') return undefined;
        const newest = memory.newestBlock(memory.head() ?? 0, call);
        const isNewer = (quantityOf(newest?.number) ?? -1) > (numberOf(result) ?? -1);
        return newest !== undefined && isNewer ? { result: newest } : undefined;
      },
    },
    head_goes_back: {
      methods: ['eth_blockNumber', 'eth_getBlockByNumber'],
      reply: (result: Json, call: RpcCall, use: Use) => headBack(memory, result, call, use),
    },
  };
}

function emptied(result: Json): Json {
  return `0x${'0'.repeat((textOf(result) ?? '0x').length - 2)}`;
}

function numberOf(block: Json): number | undefined {
  return isObject(block) ? quantityOf(block.number) : undefined;
}

function headBack(memory: EvmMemory, result: Json, call: RpcCall, use: Use): Outcome | undefined {
  const isNumber = call.method === 'eth_blockNumber';
  const isTag = call.params[0] === 'latest' || call.params[0] === 'safe' || call.params[0] === 'finalized';
  const truth = isNumber ? quantityOf(result) : numberOf(result);
  if (truth === undefined || !(isNumber || isTag)) return undefined;
  const lower = Math.max(0, Math.min(truth, use.options.at ?? truth - (use.options.by ?? 3)));
  if (lower === truth) return undefined;
  if (isNumber) return { result: quantity(lower) };
  const block = memory.newestBlock(lower, call);
  return block === undefined ? undefined : { result: block };
}

function sendRules() {
  const methods = ['eth_sendRawTransaction'];
  return {
    accepted_but_error: {
      methods,
      reply: (_result: Json, _call: RpcCall, use: Use) => refusal(use, 'request timed out'),
    },
    error_but_not_sent: {
      methods,
      ask: (_call: RpcCall, use: Use) => refusal(use, 'already known'),
    },
    dropped: {
      methods,
      ask: (call: RpcCall) => {
        const raw = textOf(call.params[0]) ?? '0x';
        return { result: keccak256(Buffer.from(raw.slice(2), 'hex')) };
      },
    },
  };
}

function refusal(use: Use, message: string): Outcome {
  return { error: { code: -32000, message: use.options.message ?? message } };
}
