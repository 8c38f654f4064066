// A local EVM chain for the tests of the contract Disperse, with this contract, a token that behaves well and a faulty token.
import {
  type Address,
  decodeErrorResult,
  decodeEventLog,
  encodeFunctionData,
  type Hex,
  keccak256,
  toHex,
} from 'viem';
import { readArtefact } from '../../../local-networks/evm/artefacts.ts';
import type { LocalAccount, LocalReceipt } from '../../../local-networks/evm/chain.ts';
import { deployNastyToken } from '../../../local-networks/evm/nasty-token.ts';
import { startEvmChain } from '../../../local-networks/evm/start.ts';

export const { abi } = readArtefact('Disperse');

export const wallet = (name: string): Address => `0x${keccak256(toHex(name)).slice(26)}`;
export const batchOf = (name: string): Hex => keccak256(toHex(name));
export const payData = (of: Address, batch: Hex, to: readonly Address[], amounts: readonly bigint[]) =>
  encodeFunctionData({ abi, functionName: 'pay', args: [of, batch, to, amounts] });

/**
 * One event of the contract, which says whether the contract made one payment of the batch. `place` is the contract's own name
 * for the payment's index.
 */
interface Said {
  readonly batch: Hex;
  readonly place: bigint;
  readonly to: Address;
  readonly amount: bigint;
  readonly reason?: Hex;
}

export async function openDisperseStage() {
  const net = await startEvmChain({ chainId: 137, blockEveryMs: 0 });
  const { chain } = net;
  const [treasury, stranger] = [chain.accounts[0]!, chain.accounts[1]!];
  const disperse = await chain.deployDisperse(treasury.address);
  const token = await chain.deployToken();
  const nasty = await deployNastyToken(chain);
  await chain.mint(token, treasury.address, 10n ** 12n);
  await chain.approve(token, treasury, disperse);
  await chain.mint(nasty.address, treasury.address, 10n ** 12n);

  const pay = (
    batch: string,
    to: readonly Address[],
    amounts: readonly bigint[],
    { of = token, from = treasury, gas }: { of?: Address; from?: LocalAccount; gas?: bigint } = {},
  ): Promise<LocalReceipt> => {
    const data = payData(of, batchOf(batch), to, amounts);
    return chain.transact(from, { to: disperse, data, ...(gas === undefined ? {} : { gas }) });
  };
  const said = (receipt: LocalReceipt) =>
    receipt.logs
      .filter(({ address }) => address.toLowerCase() === disperse.toLowerCase())
      .map((log) => decodeEventLog({ abi, ...log, topics: [...log.topics] }))
      .map(({ eventName, args }) => ({ ...(args as unknown as Said), paid: eventName === 'Paid' }));
  const refusal = async (data: Hex, from: LocalAccount, gas?: bigint): Promise<string> => {
    const limit = gas === undefined ? {} : { gas: toHex(gas) };
    try {
      await chain.request('eth_call', [{ from: from.address, to: disperse, data, ...limit }, 'latest']);
    } catch (error) {
      const reason = (error as { data?: Hex }).data;
      return reason === undefined || reason === '0x'
        ? 'nothing'
        : decodeErrorResult({ abi, data: reason }).errorName;
    }
    return 'none';
  };
  return { net, treasury, stranger, disperse, token, nasty, pay, said, refusal };
}
