// Tests the contract that pays many recipients at once. One failing payment never stops the other payments, a lack of gas
// always shows as a failure, and nothing is paid twice.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Address, decodeErrorResult, encodeFunctionData, type Hex, hexToNumber } from 'viem';
import {
  abi,
  batchOf,
  openDisperseStage,
  payData,
  wallet,
} from '../../test/support/networks/disperse-stage.ts';
import { TOKEN_MANNERS, type TokenManner } from './nasty-token.ts';

const ITEM_GAS = 200_000;

const { net, treasury, stranger, disperse, token, nasty, pay, said, refusal } = await openDisperseStage();
after(() => net.close());

test('pays each recipient its amount from the treasury, and emits events', async () => {
  const to = ['a', 'b', 'c'].map(wallet);
  const receipt = await pay('first', to, [1n, 2n, 3n]);
  assert.equal(receipt.status, '0x1');
  assert.deepEqual(
    said(receipt).map(({ batch, place, to: payee, amount, paid }) => [
      batch,
      place,
      payee.toLowerCase(),
      amount,
      paid,
    ]),
    to.map((payee, place) => [batchOf('first'), BigInt(place), payee, BigInt(place + 1), true]),
  );
  for (const [place, payee] of to.entries()) {
    assert.equal(await net.chain.balanceOf(token, payee), BigInt(place + 1));
  }
  assert.equal(await net.chain.balanceOf(token, disperse), 0n);
});

test('one blocked wallet among fifty does not stop the other payments, and its reason is reported', async () => {
  const to = Array.from({ length: 50 }, (_, place) => wallet(`fifty ${place}`));
  await net.chain.setBlacklisted(token, to[17]!, true);
  const receipt = await pay(
    'fifty',
    to,
    to.map(() => 5n),
  );
  const items = said(receipt);
  assert.deepEqual(
    items.filter(({ paid }) => !paid).map(({ place }) => place),
    [17n],
  );
  const { args } = decodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }],
    data: items[17]!.reason!,
  });
  assert.deepEqual(args, ['account is blacklisted']);
  const balances = await Promise.all(to.map((payee) => net.chain.balanceOf(token, payee)));
  assert.deepEqual(
    balances,
    to.map((_, place) => (place === 17 ? 0n : 5n)),
  );
  assert.ok(hexToNumber(receipt.gasUsed) < 50 * 36_000, receipt.gasUsed);
});

test('with a paused token or an empty treasury nothing is paid and nothing reverts', async () => {
  const { chain } = net;
  await chain.setPaused(token, true);
  const paused = said(await pay('paused', [wallet('p'), wallet('q')], [1n, 1n]));
  await chain.setPaused(token, false);
  assert.deepEqual(
    paused.map(({ paid }) => paid),
    [false, false],
  );
  const rest = await chain.balanceOf(token, treasury.address);
  const short = said(await pay('short', [wallet('s'), wallet('t'), wallet('u')], [rest - 1n, 2n, 1n]));
  assert.deepEqual(
    short.map(({ paid }) => paid),
    [true, false, true],
  );
  await chain.mint(token, treasury.address, 10n ** 12n);
});

test('a payment counts as made only if the token returns true or nothing, and each payment gets only its share of gas', async () => {
  // The contract never reads a balance.
  const asked = TOKEN_MANNERS.filter((manner) => !manner.endsWith('Balance'));
  const manners: readonly TokenManner[] = [...asked, 'Honest'];
  const to = manners.map((manner, place) => wallet(`${manner} ${place}`));
  for (const [place, payee] of to.entries()) await nasty.setManner(payee, manners[place]!);
  const again = payData(nasty.address, batchOf('again'), [wallet('thief')], [1n]);
  await nasty.setCallBack(disperse, again);

  const receipt = await pay(
    'nasty',
    to,
    to.map(() => 3n),
    { of: nasty.address },
  );
  assert.equal(receipt.status, '0x1');
  const items = said(receipt);
  assert.deepEqual(
    manners.filter((_, place) => items[place]!.paid),
    ['Honest', 'SaysNothing', 'SuccessBomb', 'CallsBack', 'Honest'],
  );
  for (const [place, { reason = '0x', paid }] of items.entries()) {
    assert.ok((reason.length - 2) / 2 <= 256, manners[place]);
    // If a payment was refused, no tokens move, even if the token had moved them before it refused.
    assert.equal(await net.chain.balanceOf(nasty.address, to[place]!), paid ? 3n : 0n, manners[place]);
  }
  const reasonOf = (manner: TokenManner) => items[manners.indexOf(manner)]!.reason!;
  assert.equal(BigInt(reasonOf('SaysFalse')), 0n);
  assert.equal((reasonOf('RevertsLong').length - 2) / 2, 256);
  assert.equal(reasonOf('BurnsGas'), '0x');
  // The token itself made the call in the callback, not the treasury.
  assert.equal(await net.chain.balanceOf(nasty.address, wallet('thief')), 0n);
  assert.equal(await net.chain.read(abi, disperse, 'executed', [batchOf('again')]), false);
});

test('a token that returns very long data uses only the gas of its own payment', async () => {
  const cost = async (manner: TokenManner) => {
    const to = Array.from({ length: 5 }, (_, place) => wallet(`cost ${manner} ${place}`));
    for (const payee of to) await nasty.setManner(payee, manner);
    return hexToNumber(
      (
        await pay(
          `cost ${manner}`,
          to,
          to.map(() => 1n),
          { of: nasty.address },
        )
      ).gasUsed,
    );
  };
  const [burnt, bomb, revertBomb] = [
    await cost('BurnsGas'),
    await cost('SuccessBomb'),
    await cost('RevertBomb'),
  ];
  assert.ok(burnt > 5 * ITEM_GAS && burnt < 5 * (ITEM_GAS + 30_000) + 60_000, `${burnt}`);
  // If the contract copied the whole response, each of these calls would cost 132,000 gas more.
  assert.ok(bomb < burnt && revertBomb < burnt, `${bomb} ${revertBomb}`);
});

test('with too little gas the whole batch reverts: no single payment ever fails because of missing gas', async () => {
  const { chain } = net;
  const to = Array.from({ length: 6 }, (_, place) => wallet(`starved ${place}`));
  const data = payData(
    token,
    batchOf('starved'),
    to,
    to.map(() => 9n),
  );
  const call = { from: treasury.address, to: disperse, data };
  const enough = BigInt(await chain.request<Hex>('eth_estimateGas', [call, 'latest']));
  const outcomes = new Set<string>();
  // Tries amounts of gas from the minimum cost of a call up to a sufficient amount.
  for (let gas = 40_000n; gas < enough; gas += 9_973n) {
    const receipt = await chain.transact(treasury, { to: disperse, data, gas });
    assert.deepEqual([receipt.status, receipt.logs.length], ['0x0', 0], `${gas}`);
    outcomes.add(await refusal(data, treasury, gas));
  }
  assert.ok(outcomes.has('NotEnoughGas'), [...outcomes].join());
  assert.equal(await chain.read(abi, disperse, 'executed', [batchOf('starved')]), false);
  const receipt = await pay(
    'starved',
    to,
    to.map(() => 9n),
    { gas: enough + 5_000n },
  );
  assert.deepEqual(
    said(receipt).map(({ paid }) => paid),
    to.map(() => true),
  );
});

test('each payment gets its full share of gas, even the last one that fits', async () => {
  const to = [wallet('last')];
  await nasty.setManner(to[0]!, 'BurnsGas');
  const plenty = hexToNumber((await pay('with plenty', to, [1n], { of: nasty.address })).gasUsed);
  const data = payData(nasty.address, batchOf('last'), to, [1n]);
  let [low, high] = [100_000n, 1_000_000n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if ((await refusal(data, treasury, middle)) === 'none') high = middle;
    else low = middle;
  }
  const receipt = await net.chain.transact(treasury, { to: disperse, data, gas: high });
  assert.equal(receipt.status, '0x1');
  assert.deepEqual(
    said(receipt).map(({ paid }) => paid),
    [false],
  );
  // The payment burns all its gas. The result is the same with much gas and with little gas, except for the zero bytes in the
  // name of the batch.
  const { structLogs } = await net.chain.request<{ structLogs: readonly { depth: number; gas: number }[] }>(
    'debug_traceTransaction',
    [receipt.transactionHash, { disableStorage: true, disableMemory: true, disableStack: true }],
  );
  assert.equal(structLogs.find(({ depth }) => depth === 3)?.gas, ITEM_GAS);
  assert.ok(Math.abs(hexToNumber(receipt.gasUsed) - plenty) < 200, `${plenty} ${receipt.gasUsed}`);
});

test('threat 42: a batch is executed once, even if its content differs the second time', async () => {
  assert.equal((await pay('once', [wallet('once')], [4n])).status, '0x1');
  const again = await pay('once', [wallet('once')], [4n]);
  assert.deepEqual([again.status, again.logs.length], ['0x0', 0]);
  assert.equal(
    await refusal(payData(token, batchOf('once'), [wallet('other')], [1n]), treasury),
    'AlreadyExecuted',
  );
  assert.equal(await net.chain.balanceOf(token, wallet('once')), 4n);
});

test('threat 49: only the treasury can pay with the contract', async () => {
  const receipt = await pay('theft', [stranger.address], [1_000n], { from: stranger });
  assert.deepEqual([receipt.status, receipt.logs.length], ['0x0', 0]);
  assert.equal(
    await refusal(payData(token, batchOf('theft'), [stranger.address], [1n]), stranger),
    'NotOwner',
  );
  // Only the contract itself can call its inner function. The treasury cannot call it, and a token cannot call it during its
  // own call.
  const args = [token, stranger.address, 1_000n];
  const payOne = encodeFunctionData({ abi, functionName: 'payOne', args });
  for (const from of [stranger, treasury]) {
    assert.equal((await net.chain.transact(from, { to: disperse, data: payOne })).status, '0x0');
    assert.equal(await refusal(payOne, from), 'NotOwner');
  }
  await nasty.setManner(wallet('caller'), 'CallsBack');
  await nasty.setCallBack(disperse, payOne);
  const called = await pay('called back', [wallet('caller')], [1n], { of: nasty.address });
  assert.deepEqual(
    said(called).map(({ paid }) => paid),
    [true],
  );
  assert.equal(await net.chain.balanceOf(token, stranger.address), 0n);
});

test('an invalid batch is refused completely', async () => {
  const refused = (of: Address, to: Address[], amounts: bigint[]) =>
    refusal(payData(of, batchOf('nonsense'), to, amounts), treasury);
  assert.equal(await refused(token, [wallet('a')], [1n, 2n]), 'LengthsDiffer');
  assert.equal(await refused(token, [], []), 'NoItems');
  assert.equal(await refused(wallet('no contract'), [wallet('a')], [1n]), 'NotAContract');
  const withCoins = { to: disperse, data: payData(token, batchOf('coins'), [wallet('a')], [1n]), value: 1n };
  assert.equal((await net.chain.transact(treasury, withCoins)).status, '0x0');
  assert.equal((await net.chain.transact(treasury, { to: disperse, value: 1n })).status, '0x0');
});
