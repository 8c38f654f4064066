// A token that misbehaves for chosen addresses, for tests of contracts and adapters.
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { readArtefact } from './artefacts.ts';
import type { EvmChain } from './chain.ts';

export const TOKEN_MANNERS = [
  'Honest',
  'SaysNothing',
  'SaysFalse',
  'SaysTwo',
  'SaysOneByte',
  'Reverts',
  'RevertsLong',
  'BurnsGas',
  'Invalid',
  'SuccessBomb',
  'RevertBomb',
  'CallsBack',
  'HidesBalance',
  'BurnsGasOnBalance',
] as const;

export type TokenManner = (typeof TOKEN_MANNERS)[number];

export interface NastyToken {
  readonly address: Address;
  setManner(holder: Address, manner: TokenManner): Promise<void>;
  /** The call that the token makes before it moves anything. It applies only to the manner `CallsBack`. */
  setCallBack(to: Address, data: Hex): Promise<void>;
}

export async function deployNastyToken(chain: EvmChain): Promise<NastyToken> {
  const { abi } = readArtefact('NastyToken');
  const address = await chain.deploy('NastyToken', []);
  const call = async (functionName: string, args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi, functionName, args });
    const { status } = await chain.transact(chain.accounts[8]!, { to: address, data });
    if (status !== '0x1') throw new Error(`${functionName} reverted`);
  };
  return {
    address,
    setManner: (holder, manner) => call('setManner', [holder, TOKEN_MANNERS.indexOf(manner)]),
    setCallBack: (to, data) => call('setCallBack', [to, data]),
  };
}
