// Encodes the calls to the contracts of an EVM network: the token, the contract for batches of payments (Disperse), and the
// contract that creates deposit addresses (ForwarderFactory). Returned addresses are in lower case.
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  parseAbi,
  stringToBytes,
  toEventSelector,
} from 'viem';
import forwarder from '../../../../../contracts/artefacts/Forwarder.json' with { type: 'json' };

const TOKEN = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
  'function allowance(address holder, address spender) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function approve(address spender, uint256 amount) returns (bool)',
]);
const DISPERSE = parseAbi([
  'function pay(address token, bytes32 batch, address[] to, uint256[] amounts)',
  'function owner() view returns (address)',
]);
const FACTORY = parseAbi([
  'function sweep(address token, bytes32[] salts)',
  'function treasury() view returns (address)',
  'function initCodeHash() view returns (bytes32)',
]);

export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
export const PAID = toEventSelector('Paid(bytes32,uint256,address,uint256)');
export const UNPAID = toEventSelector('Unpaid(bytes32,uint256,address,uint256,bytes)');
export const SWEPT = toEventSelector('Swept(bytes32,address,uint256)');
export const NOT_SWEPT = toEventSelector('NotSwept(bytes32,address,bytes)');

/** The hash of the code of every deposit address. The factory on the chain must return the same hash. */
export const FORWARDER_CODE_HASH = forwarder.initCodeHash as Hex;

export const transferCall = (to: Hex, amountMinor: bigint): Hex =>
  encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [to, amountMinor] });

export const approveCall = (spender: Hex, amountMinor: bigint): Hex =>
  encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [spender, amountMinor] });

export const payCall = (token: Hex, batch: Hex, to: readonly Hex[], amounts: readonly bigint[]): Hex =>
  encodeFunctionData({ abi: DISPERSE, functionName: 'pay', args: [token, batch, to, amounts] });

export const sweepCall = (token: Hex, salts: readonly Hex[]): Hex =>
  encodeFunctionData({ abi: FACTORY, functionName: 'sweep', args: [token, salts] });

/** A call that sends no transaction: its encoded data, and the function that reads the response. */
export interface ContractQuestion<Answer> {
  readonly data: Hex;
  read(answer: Hex): Answer;
}

export const balanceOf = (holder: Hex): ContractQuestion<bigint> => ({
  data: encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [holder] }),
  read: (data) => decodeFunctionResult({ abi: TOKEN, functionName: 'balanceOf', data }),
});

export const allowance = (holder: Hex, spender: Hex): ContractQuestion<bigint> => ({
  data: encodeFunctionData({ abi: TOKEN, functionName: 'allowance', args: [holder, spender] }),
  read: (data) => decodeFunctionResult({ abi: TOKEN, functionName: 'allowance', data }),
});

export const decimals: ContractQuestion<number> = {
  data: encodeFunctionData({ abi: TOKEN, functionName: 'decimals' }),
  read: (data) => decodeFunctionResult({ abi: TOKEN, functionName: 'decimals', data }),
};

export const disperseOwner: ContractQuestion<Hex> = {
  data: encodeFunctionData({ abi: DISPERSE, functionName: 'owner' }),
  read: (data) => lowerHex(decodeFunctionResult({ abi: DISPERSE, functionName: 'owner', data })),
};

export const factoryTreasury: ContractQuestion<Hex> = {
  data: encodeFunctionData({ abi: FACTORY, functionName: 'treasury' }),
  read: (data) => lowerHex(decodeFunctionResult({ abi: FACTORY, functionName: 'treasury', data })),
};

export const factoryCodeHash: ContractQuestion<Hex> = {
  data: encodeFunctionData({ abi: FACTORY, functionName: 'initCodeHash' }),
  read: (data) => lowerHex(decodeFunctionResult({ abi: FACTORY, functionName: 'initCodeHash', data })),
};

/** The salt of a transaction's deposit address. The address depends only on this salt and on the factory. */
export const saltOf = (transactionId: string): Hex => keccak256(stringToBytes(transactionId));

/** The deposit address with checksum, as customers see it. */
export const forwarderAddress = (factory: Hex, transactionId: string): string =>
  forwarderAt(factory, saltOf(transactionId));

export const forwarderOf = (factory: Hex, salt: Hex): Hex => lowerHex(forwarderAt(factory, salt));

function forwarderAt(factory: Hex, salt: Hex): Hex {
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt,
    bytecodeHash: FORWARDER_CODE_HASH,
  });
}

/** The id of a batch. The contract never pays the same batch twice, which is an additional safeguard. */
export const hashBatchId = (orderIds: readonly string[]): Hex =>
  keccak256(encodeAbiParameters([{ type: 'string[]' }], [orderIds]));

export const addressTopic = (address: string): Hex =>
  `0x${lowerHex(address as Hex)
    .slice(2)
    .padStart(64, '0')}`;

export function lowerHex(text: Hex): Hex {
  return text.toLowerCase() as Hex;
}
