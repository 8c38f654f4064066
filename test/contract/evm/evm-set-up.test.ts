// Tests that a new treasury on a local EVM chain gets its contracts and the approval once. A second set-up finds the existing
// contracts again, and a network opens with the printed settings.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Address, getContractAddress, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startEvmChain } from '../../../local-networks/evm/start.ts';
import { openEvmNetwork } from '../../../src/adapters/networks/evm/open.ts';
import { openEvmSetUp } from '../../../src/adapters/networks/evm/set-up.ts';
import { type EvmSettings, NOT_DEPLOYED } from '../../../src/adapters/networks/settings/settings.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';
import { makeSetUpDesk } from '../../support/networks/set-up-desk.ts';

const GWEI = 10n ** 9n;
const local = await startEvmChain({ chainId: 31_337, blockEveryMs: 0, finalityBlocks: 2, baseFee: GWEI });
after(() => local.close());
const { chain, faults } = local;
const ALLOWANCE = parseAbi(['function allowance(address, address) view returns (uint256)']);
let made = 0;

async function newTreasury(coins = 10n ** 19n) {
  const seed = `set-up ${made++}`;
  const key: Hex = `0x${Buffer.from(memoryKey('treasury', seed)).toString('hex')}`;
  const { address } = privateKeyToAccount(key);
  await chain.transact(chain.accounts[0]!, { to: address, value: coins });
  const token = await chain.deployToken({ decimals: 6 });
  await chain.mine(3);
  const settings: EvmSettings = {
    ...{ family: 'evm', name: 'Polygon', mode: 'test', rpc: local.urls, assetCode: 'NGNC', decimals: 6 },
    ...{ native: { asset: 'POL', decimals: 18 }, key: 'treasury', confirmations: 3, finalAfterMs: 1_000 },
    ...{ explorerTxUrl: null, agreeFromMinor: 1n, marks: { tokenMinor: 0n, nativeMinor: 0n }, batch: 5 },
    ...{ chainId: 31_337, token, disperse: NOT_DEPLOYED, forwarderFactory: NOT_DEPLOYED },
    ...{ firstBlock: 0n, logBlocks: 500, stuckAfterMs: 60_000, maxFeePerGas: 500n * GWEI },
  };
  const desk = makeSetUpDesk(() => chain.mine());
  const parts = { clock: desk.clock, signer: memorySigner(seed), onTrouble: () => undefined };
  const open = (changes: Partial<EvmSettings> = {}) => openEvmSetUp({ ...settings, ...changes }, parts);
  const start = (changes: Partial<EvmSettings> = {}) => openEvmNetwork({ ...settings, ...changes }, parts);
  const nonce = async () => Number(await chain.request('eth_getTransactionCount', [address, 'latest']));
  return { settings, address, token, desk, open, start, nonce };
}

test('contracts and approval are created once; the start is refused without them in the settings and accepted with them', async () => {
  const { address, token, desk, open, start, nonce } = await newTreasury();
  await assert.rejects(start(), {
    message:
      'Polygon: its contracts are not deployed yet. See: bin/sliproad networks set-up Polygon --mode test',
  });
  const planned = await (await open()).look();
  assert.deepEqual(
    planned.steps.map(({ what }) => /^(deploy \w+|approve)/.exec(what)?.[1]),
    ['deploy ForwarderFactory', 'deploy Disperse', 'approve'],
  );
  assert.ok(planned.steps.every(({ costMinor }) => costMinor > 0n && costMinor < planned.nativeMinor));
  assert.deepEqual(planned.advice, []);
  const outcome = await desk.run(await open());
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.error);
  const forwarderFactory = getContractAddress({ from: address, nonce: 0n });
  const disperse = getContractAddress({ from: address, nonce: 1n });
  const [advice] = outcome.value.advice;
  assert.match(advice!, /^In the networks file, for Polygon \(test\): /);
  assert.ok(advice!.includes(`"forwarder_factory": "${forwarderFactory}"`));
  assert.ok(advice!.includes(`"disperse": "${disperse}"`));
  const firstBlock = BigInt(/"first_block": (\d+)/.exec(advice!)![1]!);
  assert.ok(firstBlock > 0n && firstBlock < BigInt(chain.head()));
  assert.equal(await chain.read(ALLOWANCE, token, 'allowance', [address, disperse]), 2n ** 256n - 1n);
  assert.equal(await nonce(), 3);

  // A process that knows nothing of the first run prints the same settings again.
  const again = await (await open()).look();
  assert.deepEqual(again.steps, []);
  assert.ok(again.advice[0]!.includes(`"disperse": "${disperse}"`));
  assert.match(again.advice[0]!, /"first_block": the block in which the factory was deployed/);
  assert.ok((await desk.run(await open())).ok);
  assert.equal(await nonce(), 3);

  const named = { forwarderFactory, disperse, firstBlock };
  assert.deepEqual(await (await open(named)).look().then(({ steps, advice }) => [steps, advice]), [[], []]);
  assert.equal((await start(named)).orderedBy, address);
});

test('an unwanted paying contract is not deployed; for a contract with too low an allowance, the allowance is raised', async () => {
  const { address, token, desk, open, settings } = await newTreasury();
  const outcome = await desk.run(await open({ disperse: null }));
  assert.ok(outcome.ok);
  assert.equal(desk.printed.filter((line) => line.startsWith('Signed: ')).length, 1);
  const forwarderFactory = getContractAddress({ from: address, nonce: 0n });
  const disperse = await chain.deployDisperse(address as Address);
  const [only, ...more] = (await (await open({ forwarderFactory, disperse })).look()).steps;
  assert.match(
    only!.what,
    new RegExp(`^approve, at the token contract ${settings.token}, that Disperse at ${disperse} may spend`),
  );
  assert.deepEqual(more, []);
  assert.ok((await desk.run(await open({ forwarderFactory, disperse }))).ok);
  assert.equal(await chain.read(ALLOWANCE, token, 'allowance', [address, disperse]), 2n ** 256n - 1n);
});

test('threat 42: a lost response has no effect: the transaction landed and is not signed again', async () => {
  const { desk, open, nonce } = await newTreasury();
  faults.add({ kind: 'cut-after' }, { times: 2, methods: ['eth_sendRawTransaction'] });
  const outcome = await desk.run(await open({ disperse: null }));
  faults.clear();
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.error);
  assert.equal(await nonce(), 1);
});

test('threat 42: if no provider accepts a transaction, its outcome is unknown, and the next run sends the same transaction again', async () => {
  const { desk, open, nonce } = await newTreasury();
  faults.add({ kind: 'cut-before' }, { methods: ['eth_sendRawTransaction'] });
  const outcome = await desk.run(await open({ disperse: null }));
  faults.clear();
  assert.match(outcome.ok ? '' : outcome.error, /outcome of 0x\w{64} is not known yet/);
  assert.equal(desk.printed.filter((line) => line.startsWith('Signed: ')).length, 1);
  assert.equal(await nonce(), 0);
  assert.ok((await desk.run(await open({ disperse: null }))).ok);
  assert.equal(await nonce(), 1);
  assert.equal(desk.printed.filter((line) => line.startsWith('Signed: ')).length, 1, 'the same bytes again');
});

test('a wrong chain, contracts of another treasury and an empty wallet are reported before anything is signed', async () => {
  const { desk, open, nonce } = await newTreasury(1n);
  await assert.rejects((await open({ decimals: 18 })).look(), /has 6 decimals, but the settings say 18/);
  await assert.rejects((await open({ chainId: 5 })).look(), /is on the chain 31337, but the settings say 5/);
  const disperse = await chain.deployDisperse(chain.accounts[0]!.address);
  await assert.rejects((await open({ disperse })).look(), /belongs to 0x\w+, but the treasury is/);
  const outcome = await desk.run(await open());
  assert.match(outcome.ok ? '' : outcome.error, /has 1 coins free, but this costs up to/);
  assert.equal(await nonce(), 0);
});

test('threat 46: while the providers disagree about the treasury, nothing is signed', async () => {
  const { desk, open, nonce } = await newTreasury();
  faults.add({ kind: 'lie', lie: { about: 'nonce', more: 1 } }, { on: 1 });
  await assert.rejects(desk.run(await open()), /disagree about the treasury/);
  faults.clear();
  assert.equal(await nonce(), 0);
  assert.equal(desk.holds.at(-1), 0, 'and the turn is given back');
});

test('threat 42: a contract that a lagging server does not show is not deployed again', async () => {
  const { desk, open } = await newTreasury();
  const height = chain.head();
  assert.ok((await desk.run(await open())).ok);
  await chain.mine(3);
  for (const servers of ['random', 'switching', 'sticky'] as const) {
    const fault = { kind: 'paths-behind', paths: ['account'], servers, height } as const;
    const planned = faults.add(fault);
    for (let time = 0; time < 4; time++) {
      const state = await (await open()).look().catch(() => undefined);
      const made = state?.steps.filter(({ what }) => what.startsWith('deploy')) ?? [];
      assert.deepEqual(made, [], servers);
    }
    planned.clear();
  }
  assert.deepEqual((await (await open()).look()).steps, []);
});
