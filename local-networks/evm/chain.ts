// The local chain for tests. It has accounts with keys and coins, deploys contracts, mines and replaces blocks, and sets fees.
// Its own actions bypass the providers, so that faults of a provider never affect them.
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  hexToBigInt,
  hexToNumber,
  keccak256,
  parseAbi,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type ContractName, readArtefact } from './artefacts.ts';
import type { EvmLedger, Reorganisation } from './ledger.ts';
import type { EvmNode } from './node.ts';

export interface LocalAccount {
  readonly address: Address;
  readonly key: Hex;
}

export interface TransactionCall {
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
}

export interface LocalReceipt {
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly status: '0x0' | '0x1';
  readonly gasUsed: Hex;
  readonly logs: readonly {
    readonly address: Address;
    readonly topics: [Hex, ...Hex[]];
    readonly data: Hex;
  }[];
}

export interface EvmChain {
  readonly accounts: readonly LocalAccount[];
  head(): number;
  finalized(): number;
  mine(blocks?: number): Promise<void>;
  stopMining(): void;
  startMining(): void;
  reorganise(depth: number, how?: Reorganisation): Promise<readonly Hex[]>;
  /** Applies from the next block on. A transaction with a lower fee stays in the pool. */
  setBaseFee(wei: bigint): Promise<void>;
  baseFee(): bigint;
  evict(hash: Hex): Promise<void>;
  transact(from: LocalAccount, call: TransactionCall): Promise<LocalReceipt>;
  read<Answer>(abi: Abi, to: Address, functionName: string, args?: readonly unknown[]): Promise<Answer>;
  deploy(name: ContractName, args: readonly unknown[]): Promise<Address>;
  deployToken(token?: { name?: string; symbol?: string; decimals?: number }): Promise<Address>;
  deployDisperse(owner: Address): Promise<Address>;
  deployFactory(treasury: Address): Promise<Address>;
  mint(token: Address, to: Address, amount: bigint): Promise<void>;
  approve(token: Address, from: LocalAccount, spender: Address, amount?: bigint): Promise<void>;
  transfer(token: Address, from: LocalAccount, to: Address, amount: bigint): Promise<LocalReceipt>;
  setPaused(token: Address, paused: boolean): Promise<void>;
  setBlacklisted(token: Address, holder: Address, blacklisted: boolean): Promise<void>;
  /** From now on the token keeps this part of every transfer, in basis points. The events of the token do not show it. */
  setHiddenFee(token: Address, bps: number): Promise<void>;
  balanceOf(token: Address, holder: Address): Promise<bigint>;
  nativeBalanceOf(holder: Address): Promise<bigint>;
  /** Calls the node directly, with methods that providers do not offer too. */
  request: EvmNode['request'];
}

const ACCOUNTS = 10;
/** Enough gas for any call here, and less than the gas limit of a block. */
const GAS = 15_000_000n;
const TOKEN = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function pause()',
  'function unpause()',
  'function blacklist(address holder)',
  'function unBlacklist(address holder)',
  'function setHiddenFee(uint256 bps)',
  'function balanceOf(address holder) view returns (uint256)',
]);

/** The accounts are the same in every run. */
export const LOCAL_ACCOUNTS: readonly LocalAccount[] = Array.from({ length: ACCOUNTS }, (_, place) => {
  const key = keccak256(toHex(`local account ${place}`));
  return { key, address: privateKeyToAccount(key).address };
});

/** Computes the deposit address for a salt only from the committed code of the contracts. */
export function depositAddress(factory: Address, salt: Hex): Address {
  const { initCodeHash } = readArtefact('Forwarder');
  return getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecodeHash: initCodeHash });
}

function makeTransact(node: EvmNode, ledger: EvmLedger, chainId: number): EvmChain['transact'] {
  let last: Promise<unknown> = Promise.resolve();
  const sendAndMine = async (from: LocalAccount, { gas = GAS, value = 0n, to, data }: TransactionCall) => {
    const nonce = await node.request<Hex>('eth_getTransactionCount', [from.address, 'pending']);
    const priority = 2_000_000_000n;
    const raw = await privateKeyToAccount(from.key).signTransaction({
      chainId,
      type: 'eip1559',
      nonce: hexToNumber(nonce),
      maxFeePerGas: ledger.baseFee() * 2n + priority,
      maxPriorityFeePerGas: priority,
      gas,
      value,
      ...(to === undefined ? {} : { to }),
      ...(data === undefined ? {} : { data }),
    });
    const hash = await ledger.send(raw);
    await ledger.mine();
    const receipt = await node.request<LocalReceipt | null>('eth_getTransactionReceipt', [hash]);
    if (receipt === null) throw new Error('it was not mined');
    return receipt;
  };
  /** Runs one transaction after another, because each takes the next nonce. */
  return (from, call) => {
    const turn = last.then(() => sendAndMine(from, call));
    last = turn.catch(() => undefined);
    return turn;
  };
}

export function makeEvmChain(
  node: EvmNode,
  ledger: EvmLedger,
  { chainId, mining }: { chainId: number; mining: { start(): void; stop(): void } },
): EvmChain {
  const operator = LOCAL_ACCOUNTS.at(-1)!;
  const transact = makeTransact(node, ledger, chainId);
  const succeed = async (from: LocalAccount, call: TransactionCall): Promise<LocalReceipt> => {
    const receipt = await transact(from, call);
    if (receipt.status !== '0x1') throw new Error(`${receipt.transactionHash} reverted`);
    return receipt;
  };
  const read = async <Answer>(abi: Abi, to: Address, functionName: string, args: readonly unknown[] = []) => {
    const data = encodeFunctionData({ abi, functionName, args });
    const answer = await node.request<Hex>('eth_call', [{ to, data }, 'latest']);
    return decodeFunctionResult({ abi, functionName, data: answer }) as Answer;
  };
  const deploy = async (name: ContractName, args: readonly unknown[]): Promise<Address> => {
    const { abi, bytecode } = readArtefact(name);
    const receipt = await succeed(operator, { data: encodeDeployData({ abi, bytecode, args }) });
    const { contractAddress } = receipt as LocalReceipt & { contractAddress: Address };
    return getAddress(contractAddress);
  };
  const onToken = (from: LocalAccount, token: Address, functionName: string, args: readonly unknown[] = []) =>
    succeed(from, { to: token, data: encodeFunctionData({ abi: TOKEN as Abi, functionName, args }) });

  return {
    accounts: LOCAL_ACCOUNTS,
    head: ledger.head,
    finalized: () => Math.max(0, ledger.head() - ledger.finalityBlocks),
    mine: ledger.mine,
    stopMining: mining.stop,
    startMining: mining.start,
    reorganise: ledger.reorganise,
    setBaseFee: ledger.setBaseFee,
    baseFee: ledger.baseFee,
    evict: ledger.evict,
    transact,
    read,
    deploy,
    deployToken: ({ name = 'Naira Coin', symbol = 'NGNC', decimals = 6 } = {}) =>
      deploy('TestToken', [name, symbol, decimals, operator.address]),
    deployDisperse: (owner) => deploy('Disperse', [owner]),
    deployFactory: (treasury) => deploy('ForwarderFactory', [treasury]),
    mint: async (token, to, amount) => void (await onToken(operator, token, 'mint', [to, amount])),
    approve: async (token, from, spender, amount = 2n ** 256n - 1n) =>
      void (await onToken(from, token, 'approve', [spender, amount])),
    transfer: (token, from, to, amount) => onToken(from, token, 'transfer', [to, amount]),
    setPaused: async (token, paused) => void (await onToken(operator, token, paused ? 'pause' : 'unpause')),
    setBlacklisted: async (token, holder, blacklisted) =>
      void (await onToken(operator, token, blacklisted ? 'blacklist' : 'unBlacklist', [holder])),
    setHiddenFee: async (token, bps) => void (await onToken(operator, token, 'setHiddenFee', [BigInt(bps)])),
    balanceOf: (token, holder) => read(TOKEN as Abi, token, 'balanceOf', [holder]),
    nativeBalanceOf: async (holder) =>
      hexToBigInt(await node.request<Hex>('eth_getBalance', [holder, 'latest'])),
    request: node.request,
  };
}
