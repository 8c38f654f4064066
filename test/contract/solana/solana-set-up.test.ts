// Tests that a new treasury on a local Solana chain gets one token account.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { startSolanaServer } from '../../../local-networks/solana/rpc/server.ts';
import type { SolanaSettings } from '../../../src/adapters/networks/settings/settings.ts';
import { openSolanaNetwork } from '../../../src/adapters/networks/solana/open.ts';
import { PROGRAM_2022 } from '../../../src/adapters/networks/solana/rpc/token-account.ts';
import { openSolanaSetUp } from '../../../src/adapters/networks/solana/set-up.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';
import { makeSetUpDesk } from '../../support/networks/set-up-desk.ts';

const server = await startSolanaServer({ slotEveryMs: 0, finalizedAfterSlots: 8 });
after(() => server.close());
const { chain, faults } = server;

async function newTreasury(lamports: bigint) {
  const seed = randomUUID();
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(memoryKey('treasury', seed));
  const { mint } = await chain.setUpToken({ decimals: 6 });
  chain.airdrop(address, lamports);
  const settings: SolanaSettings = {
    ...{ family: 'solana', name: 'Solana', mode: 'test', rpc: server.urls, assetCode: 'NGNC', decimals: 6 },
    ...{ native: { asset: 'SOL', decimals: 9 }, key: 'treasury', confirmations: 8, finalAfterMs: 3_200 },
    ...{ explorerTxUrl: null, agreeFromMinor: 1n, marks: { tokenMinor: 0n, nativeMinor: 0n }, batch: 10 },
    ...{ token: mint, offCurve: 'accept', priorityFee: 1_000n, priorityFeeCap: 1_000n, acceptPowers: [] },
  };
  const desk = makeSetUpDesk(() => chain.advance(4), { patienceMs: 120_000 });
  const parts = { clock: desk.clock, signer: memorySigner(seed), onTrouble: () => undefined };
  return {
    ...{ address, desk, mint },
    open: (changes: Partial<SolanaSettings> = {}) => openSolanaSetUp({ ...settings, ...changes }, parts),
    start: () => openSolanaNetwork(settings, parts),
  };
}

test('threat 39: the treasury gets one account for the token, and the network opens', async () => {
  const { address, desk, open, start } = await newTreasury(10n ** 9n);
  await assert.rejects(start(), /has no account for the token yet.*networks set-up Solana --mode test/);
  const planned = await (await open()).look();
  assert.match(planned.steps[0]!.what, new RegExp(`^open \\w+, the account of ${address} for the token`));
  const outcome = await desk.run(await open());
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.error);
  assert.deepEqual(outcome.value.steps, []);
  assert.equal((await (await start()).treasury())!.wallet, address);
  const { nativeMinor } = await (await open()).look();
  const spent = 10n ** 9n - nativeMinor;
  assert.ok(spent > 2_000_000n && spent <= planned.steps[0]!.costMinor, `${spent}`);
  assert.ok((await desk.run(await open())).ok);
  assert.equal(desk.printed.filter((line) => line.startsWith('Signed: ')).length, 1);
});

test('too little coin, or a token that differs from the settings, is reported before anything is signed', async () => {
  const { desk, open } = await newTreasury(1_000_000n);
  const outcome = await desk.run(await open());
  assert.match(outcome.ok ? '' : outcome.error, /has 1000000 coins free, but this costs up to/);
  await assert.rejects(open({ decimals: 9 }), /has 6 decimals, but the settings say 9/);
  assert.deepEqual(desk.printed, []);
});

test('threat 49: the start reports the issuer’s powers over the token, and serious powers must be accepted in the settings', async () => {
  const { desk, open, mint } = await newTreasury(10n ** 9n);
  const frozen = 'can be frozen by its issuer, in the treasury as in any other account';
  assert.deepEqual((await (await open()).look()).advice, [`Solana: the token ${frozen}.`]);
  assert.ok((await desk.run(await open())).ok);
  // The extension names a delegate who may take tokens from any account.
  const extension = Buffer.concat([Buffer.from([1, 12, 0, 32, 0]), Buffer.alloc(32, 7)]);
  chain.rewriteAccount(mint, (state) => {
    const padded = Buffer.concat([state!.data, Buffer.alloc(83), extension]);
    return { ...state!, owner: PROGRAM_2022, data: new Uint8Array(padded) };
  });
  await assert.rejects(open(), /who may take it from any account. To use it .* put "permanent_delegate"/);
  const { advice } = await (await open({ acceptPowers: ['permanent_delegate'] })).look();
  assert.match(advice.join(' '), /may take it from any account .* is accepted.*can be frozen/);
});

test('threat 42: lost responses are resolved; a transaction that no provider accepts is dead after its expiry', async () => {
  const lost = await newTreasury(10n ** 9n);
  faults.loseAnswer({ times: 2 });
  assert.ok((await lost.desk.run(await lost.open())).ok);
  const dropped = await newTreasury(10n ** 9n);
  const undo = faults.drop();
  const outcome = await dropped.desk.run(await dropped.open());
  undo();
  assert.match(outcome.ok ? '' : outcome.error, /was not included in time and can no longer land/);
  assert.equal(dropped.desk.printed.filter((line) => line.startsWith('Signed: ')).length, 1);
});
