// What leaves the treasury of an EVM network without its own signature, on a real token: by an allowance it counts, and nothing
// at all, which every account can send in its name, does not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeFunctionData, getAddress, parseAbi } from 'viem';
import { eventually, naira } from '../network/case.ts';
import { makeEvmHarness, stopEvmChain } from './evm-network.ts';

const TOKEN = parseAbi(['function transferFrom(address from, address to, uint256 amount)']);

after(stopEvmChain);

test('threat 49: what another account takes by an allowance is an outflow, and a transfer of zero is not', async () => {
  const harness = await makeEvmHarness();
  const { network, stage } = harness;
  const { token, treasury, local } = stage;
  const { chain } = local;
  const [, , thief, other] = chain.accounts;
  const take = async (amount: bigint) => {
    const args = [treasury.address, other!.address, amount] as const;
    const data = encodeFunctionData({ abi: TOKEN, functionName: 'transferFrom', args });
    const receipt = await chain.transact(thief!, { to: token, data });
    assert.equal(receipt.status, '0x1');
    return receipt;
  };
  const { position } = await network.outflows(null);
  await take(0n);
  assert.deepEqual((await network.outflows(position)).outflows, []);
  const amountMinor = naira(network, 7n);
  await chain.approve(token, treasury, thief!.address, amountMinor);
  const { transactionHash: txHash, blockNumber } = await take(amountMinor);
  const wanted = [{ txHash, innerHash: null, index: 0, to: getAddress(other!.address), amountMinor }];
  assert.deepEqual((await network.outflows(position)).outflows, wanted, 'before it is final');
  const final = await eventually(
    harness,
    () => network.outflows(position),
    (shown) => BigInt(JSON.parse(shown.position).block) >= BigInt(blockNumber),
  );
  assert.deepEqual(final.outflows, wanted);
  await harness.close();
});
