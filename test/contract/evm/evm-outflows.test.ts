// Tests outflows from the treasury of an EVM network with a real token. A transfer by allowance counts; a transfer of zero does
// not, because anyone can send it in the treasury's name. The network shows a transfer in a block even if a provider reports
// that it failed, and the balance is compared.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeFunctionData, getAddress, parseAbi } from 'viem';
import { eventually, naira, payments } from '../network/case.ts';
import { makePayer } from '../network/payer.ts';
import { makeEvmHarness, stopEvmChain } from './evm-network.ts';

const TOKEN = parseAbi(['function transferFrom(address from, address to, uint256 amount)']);

after(stopEvmChain);

test('threat 49: a transfer by another account through an allowance is an outflow, and a transfer of zero is not', async () => {
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

test('threat 46: if one provider reports "reverted" for a landed transaction, nothing is signed again, and the outflow is still shown', async () => {
  const harness = await makeEvmHarness();
  const { network, stage } = harness;
  const payer = makePayer(harness);
  const { position } = await network.outflows(null);
  const [order] = await payments(harness, 1);
  const lie = stage.local.faults.add({ kind: 'lie', lie: { about: 'reverted' } }, { on: 0 });
  const [send] = await payer.signAll([order!]);
  for (let step = 0; step < 12; step++) {
    const { kind } = await network.ask(send!);
    assert.match(kind, /^(pending|included|unknown|stuck|final)$/);
    await harness.pass();
  }
  assert.equal(await network.shows(send!), true, 'the other one shows it');
  const shown = await network.outflows(position);
  assert.deepEqual(
    [shown.outflows.map(({ txHash }) => txHash), shown.unlistedMinor],
    [[send!.versions[0]!.hash], 0n],
  );
  lie.clear();
  assert.equal((await payer.settle(send!)).kind, 'final');
  // The logs of both providers omit a payment, so the balance shows the exact difference.
  const [second] = await payments(harness, 1);
  const before = (await network.outflows(shown.position)).position;
  assert.equal((await payer.pay([second!])).paid.length, 1);
  const hidden = stage.local.faults.add({ kind: 'lie', lie: { about: 'no-logs' } });
  assert.equal((await network.outflows(before)).unlistedMinor, -second!.amountMinor);
  hidden.clear();
  assert.equal((await network.outflows(before)).unlistedMinor, 0n);
  await harness.close();
});
