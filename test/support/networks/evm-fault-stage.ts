// A local EVM chain for the tests of provider faults: a token, a client for each provider, and payments that are signed but not
// yet sent.
import assert from 'node:assert/strict';
import { type Address, createPublicClient, type Hex, hexToNumber, http, keccak256, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { FaultPlan } from '../../../local-networks/evm/faults.ts';
import { startEvmChain } from '../../../local-networks/evm/start.ts';
import { until } from '../patience.ts';

const GWEI = 1_000_000_000n;
export const ERC20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
export const SENDS: FaultPlan = { methods: ['eth_sendRawTransaction'] };

const clientOf = (url: string) =>
  createPublicClient({
    transport: http(url, { retryCount: 0, batch: true }),
    cacheTime: 0,
    pollingInterval: 5,
  });

export async function openFaultStage() {
  const net = await startEvmChain({ chainId: 137, blockEveryMs: 0, finalityBlocks: 2 });
  const { chain } = net;
  const clients = net.urls.map(clientOf);
  const token = await chain.deployToken();
  const sender = () => chain.accounts[0]!;
  await chain.mint(token, sender().address, 1_000n);
  const client = (on: 0 | 1 = 0) => clients[on]!;
  const read = (functionName: 'balanceOf' | 'decimals', on: 0 | 1 = 0) =>
    client(on).readContract({
      abi: ERC20,
      address: token,
      functionName,
      args: functionName === 'balanceOf' ? [sender().address] : [],
    } as never) as Promise<bigint>;
  const send = (raw: Hex, on: 0 | 1 = 0) => client(on).sendRawTransaction({ serializedTransaction: raw });
  const receipt = (raw: Hex, on: 0 | 1 = 0) =>
    client(on)
      .getTransactionReceipt({ hash: keccak256(raw) })
      .catch((error) => {
        assert.equal(error.name, 'TransactionReceiptNotFoundError');
        return undefined;
      });
  const landed = async (raw: Hex) => {
    await chain.mine();
    return (await receipt(raw, 1))?.status === 'success';
  };
  const untilLanded = (raw: Hex) => until('it landed', () => landed(raw), { everyMs: 5 });
  const payment = () => signPayment(net, token);
  return { net, token, sender, client, read, payment, send, receipt, landed, untilLanded };
}

async function signPayment(
  { chain }: Awaited<ReturnType<typeof startEvmChain>>,
  token: Address,
): Promise<Hex> {
  const [sender] = chain.accounts;
  const nonce = await chain.request<Hex>('eth_getTransactionCount', [sender!.address, 'pending']);
  const data = `0xa9059cbb${'00'.repeat(12)}${'77'.repeat(20)}${'00'.repeat(31)}01` as const;
  return privateKeyToAccount(sender!.key).signTransaction({
    chainId: 137,
    type: 'eip1559',
    nonce: hexToNumber(nonce),
    to: token,
    data,
    gas: 100_000n,
    maxFeePerGas: 5n * GWEI,
    maxPriorityFeePerGas: GWEI,
  });
}
