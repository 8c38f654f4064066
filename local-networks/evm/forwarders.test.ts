// Tests the contracts of deposit addresses. Their addresses are known before they exist, tokens are swept only into the
// treasury, and one failure never stops the other sweeps.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Address,
  decodeErrorResult,
  decodeEventLog,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToNumber,
  hexToString,
  keccak256,
  toHex,
  zeroAddress,
} from 'viem';
import { readArtefact } from './artefacts.ts';
import { depositAddress, type LocalAccount, type LocalReceipt } from './chain.ts';
import { deployNastyToken, type NastyToken, TOKEN_MANNERS, type TokenManner } from './nasty-token.ts';
import { type LocalEvmChain, startEvmChain } from './start.ts';

const { abi } = readArtefact('ForwarderFactory');
const FLUSH_GAS = 250_000;
let net: LocalEvmChain;
let treasury: LocalAccount;
let customer: LocalAccount;
let stranger: LocalAccount;
let factory: Address;
let token: Address;
let nasty: NastyToken;

before(async () => {
  net = await startEvmChain({ chainId: 43114, blockEveryMs: 0 });
  const { chain } = net;
  [treasury, customer, stranger] = [chain.accounts[0]!, chain.accounts[1]!, chain.accounts[2]!];
  factory = await chain.deployFactory(treasury.address);
  token = await chain.deployToken();
  nasty = await deployNastyToken(chain);
  await chain.mint(token, customer.address, 10n ** 12n);
});
after(() => net.close());

const salt = (name: string): Hex => keccak256(toHex(name));
const at = (name: string): Address => depositAddress(factory, salt(name));
const sweepData = (of: Address, names: readonly string[]) =>
  encodeFunctionData({ abi, functionName: 'sweep', args: [of, names.map(salt)] });

interface SweepOptions {
  readonly of?: Address;
  readonly from?: LocalAccount;
  readonly gas?: bigint;
}
const sweep = (names: readonly string[], { of = token, from = treasury, gas }: SweepOptions = {}) =>
  net.chain.transact(from, {
    to: factory,
    data: sweepData(of, names),
    ...(gas === undefined ? {} : { gas }),
  });

function said(receipt: LocalReceipt): (bigint | Hex)[] {
  assert.equal(receipt.status, '0x1');
  return receipt.logs
    .filter(({ address }) => address.toLowerCase() === factory.toLowerCase())
    .map((log) => decodeEventLog({ abi, ...log, topics: [...log.topics] }))
    .map(({ args }) => args as unknown as { amount?: bigint; reason?: Hex })
    .map(({ amount, reason }) => amount ?? reason!);
}
const deployed = async (address: Address) =>
  (await net.chain.request<Hex>('eth_getCode', [address, 'latest'])) !== '0x';
const heldBy = (holder: Address) => net.chain.balanceOf(token, holder);
const gained = async (work: () => Promise<unknown>) => {
  const had = await heldBy(treasury.address);
  await work();
  return (await heldBy(treasury.address)) - had;
};

test('an address is computed from only the factory, the salt and the committed init code', async () => {
  assert.equal(await net.chain.read(abi, factory, 'initCodeHash'), readArtefact('Forwarder').initCodeHash);
  for (const name of ['one', 'two', 'three']) {
    assert.equal(await net.chain.read(abi, factory, 'addressOf', [salt(name)]), at(name));
  }
  assert.notEqual(at('one'), at('two'));
});

test('a sweep moves the tokens from before the deployment, then the later ones, and the third sweep moves nothing', async () => {
  const { chain } = net;
  await chain.transfer(token, customer, at('first'), 700n);
  assert.equal(await deployed(at('first')), false);
  let receipt = await sweep(['first']);
  assert.ok(hexToNumber(receipt.gasUsed) < 145_000, receipt.gasUsed);
  assert.deepEqual(said(receipt), [700n]);
  assert.equal(await deployed(at('first')), true);
  assert.deepEqual([await heldBy(at('first')), await heldBy(treasury.address)], [0n, 700n]);

  await chain.transfer(token, customer, at('first'), 30n);
  receipt = await sweep(['first']);
  assert.ok(hexToNumber(receipt.gasUsed) < 55_000, receipt.gasUsed);
  assert.deepEqual(said(receipt), [30n]);
  assert.deepEqual(said(await sweep(['first', 'first'])), [0n, 0n]);
  assert.equal(await heldBy(treasury.address), 730n);
});

test('an address that received nothing costs no deployment', async () => {
  assert.deepEqual(said(await sweep(['empty'])), [0n]);
  assert.equal(await deployed(at('empty')), false);
});

test('one blocked address among fifty does not stop the others, and is swept once it is unblocked', async () => {
  const { chain } = net;
  const names = Array.from({ length: 50 }, (_, place) => `fifty ${place}`);
  const operator = chain.accounts.at(-1)!;
  for (const name of names) await chain.mint(token, at(name), 2n);
  await chain.setBlacklisted(token, at(names[31]!), true);
  let outcomes: (bigint | Hex)[] = [];
  const sum = await gained(async () => {
    const receipt = await sweep(names, { from: operator });
    assert.ok(hexToNumber(receipt.gasUsed) < 50 * 90_000, receipt.gasUsed);
    outcomes = said(receipt);
  });
  assert.equal(sum, 98n);
  assert.deepEqual(
    outcomes.map((each, place) => each === 2n || place),
    names.map((_, place) => (place === 31 ? 31 : true)),
  );
  const { args } = decodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }],
    data: outcomes[31] as Hex,
  });
  assert.deepEqual(args, ['account is blacklisted']);
  await chain.setBlacklisted(token, at(names[31]!), false);
  assert.equal(await gained(() => sweep([names[31]!])), 2n);
});

test('threat 49: any account may start a sweep, and the tokens go only to the treasury', async () => {
  const { chain } = net;
  await chain.transfer(token, customer, at('asked'), 11n);
  assert.equal(await gained(() => sweep(['asked'], { from: stranger })), 11n);
  await chain.transfer(token, customer, at('asked'), 12n);
  const asked = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [token, 12n]);
  for (const from of [stranger, treasury]) {
    assert.equal((await chain.transact(from, { to: at('asked'), data: asked })).status, '0x0');
  }
  assert.deepEqual([await heldBy(at('asked')), await heldBy(stranger.address)], [12n, 0n]);
});

test('a token counts as swept only if the token contract returns true or nothing; otherwise the tokens stay at the address', async () => {
  const { chain } = net;
  const manners: readonly TokenManner[] = [...TOKEN_MANNERS, 'Honest'];
  const names = manners.map((manner, place) => `nasty ${manner} ${place}`);
  for (const [place, name] of names.entries()) {
    await chain.mint(nasty.address, at(name), 6n);
    await nasty.setManner(at(name), manners[place]!);
  }
  // During its sweep, the token calls back to sweep a later address. It does not get enough gas for that.
  await nasty.setCallBack(factory, sweepData(nasty.address, [names.at(-1)!]));
  const outcomes = said(await sweep(names, { of: nasty.address }));
  assert.deepEqual(
    manners.filter((_, place) => outcomes[place] === 6n),
    ['Honest', 'SaysNothing', 'SuccessBomb', 'CallsBack', 'Honest'],
  );
  for (const [place, outcome] of outcomes.entries()) {
    if (typeof outcome !== 'string') continue;
    assert.ok((outcome.length - 2) / 2 <= 256);
    await nasty.setManner(at(names[place]!), 'Honest');
    assert.equal(await chain.balanceOf(nasty.address, at(names[place]!)), 6n, manners[place]);
  }
  assert.equal(hexToString(outcomes[manners.indexOf('HidesBalance')] as Hex), 'balance unknown');
  // Once the token behaves normally, the sweep finds all its tokens.
  said(await sweep(names, { of: nasty.address }));
  assert.equal(await chain.balanceOf(nasty.address, treasury.address), BigInt(names.length) * 6n);
});

test('with too little gas the whole call reverts: no single address ever fails because of missing gas', async () => {
  const { chain } = net;
  const names = ['starved 0', 'starved 1', 'starved 2'];
  for (const name of names) await chain.transfer(token, customer, at(name), 8n);
  const call = { from: stranger.address, to: factory, data: sweepData(token, names) };
  const enough = BigInt(await chain.request<Hex>('eth_estimateGas', [call, 'latest']));
  for (let gas = 40_000n; gas < enough; gas += 9_973n) {
    const receipt = await sweep(names, { from: stranger, gas });
    assert.deepEqual([receipt.status, receipt.logs.length], ['0x0', 0], `${gas}`);
  }
  assert.deepEqual(said(await sweep(names, { gas: enough + 5_000n })), [8n, 8n, 8n]);
});

test('each token call gets its full share of gas, even the last one that fits', async () => {
  const { chain } = net;
  for (const name of ['last', 'with plenty']) {
    await chain.mint(nasty.address, at(name), 1n);
    await nasty.setManner(at(name), 'BurnsGas');
  }
  const plenty = hexToNumber((await sweep(['with plenty'], { of: nasty.address })).gasUsed);
  const succeeds = (gas: bigint) =>
    chain
      .request('eth_call', [
        { to: factory, data: sweepData(nasty.address, ['last']), gas: toHex(gas) },
        'latest',
      ])
      .then(
        () => true,
        () => false,
      );
  let [low, high] = [100_000n, 1_000_000n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (await succeeds(middle)) high = middle;
    else low = middle;
  }
  const receipt = await sweep(['last'], { of: nasty.address, gas: high });
  assert.deepEqual(said(receipt), ['0x']);
  // The sweep burns all its gas. The result is the same with much gas and with little gas, except for the zero bytes in a salt.
  assert.ok(plenty > FLUSH_GAS + 21_000);
  assert.ok(Math.abs(hexToNumber(receipt.gasUsed) - plenty) < 200, `${plenty} ${receipt.gasUsed}`);
});

test('threat 54: another token, or the native coin, that arrived by mistake is swept too', async () => {
  const { chain } = net;
  const other = await chain.deployToken({ symbol: 'OTHER', decimals: 18 });
  await chain.mint(other, at('mistake'), 5n);
  assert.equal((await chain.transact(customer, { to: at('mistake'), value: 123n })).status, '0x1');
  const had = await chain.nativeBalanceOf(treasury.address);
  assert.deepEqual(said(await sweep(['mistake', 'no coins'], { of: zeroAddress, from: stranger })), [
    123n,
    0n,
  ]);
  assert.equal((await chain.nativeBalanceOf(treasury.address)) - had, 123n);
  assert.deepEqual(said(await sweep(['mistake'], { of: other })), [5n]);
  // Once the contract exists, it refuses coins, so that they stay with their sender.
  assert.equal((await chain.transact(customer, { to: at('mistake'), value: 1n })).status, '0x0');
});

test('a sweep is refused completely if the token address has no contract', async () => {
  assert.equal((await sweep(['first'], { of: stranger.address })).status, '0x0');
});
