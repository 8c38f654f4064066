// Tests that a new treasury account on a local Stellar ledger gets its trustline and its memo flag once, in one transaction.
// Existing settings do not change.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { startStellarLedger } from '../../../local-networks/stellar/server.ts';
import type { StellarSettings } from '../../../src/adapters/networks/settings/settings.ts';
import { openStellarNetwork } from '../../../src/adapters/networks/stellar/open.ts';
import { openStellarSetUp } from '../../../src/adapters/networks/stellar/set-up.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';
import { makeSetUpDesk } from '../../support/networks/set-up-desk.ts';

const server = await startStellarLedger({ closeEveryMs: 0 });
after(() => server.close());
const { ledger, faults } = server;
let made = 0;

function newTreasury(lumens?: string) {
  const seed = `set-up ${made++}`;
  const treasury = Keypair.fromRawEd25519Seed(memoryKey('treasury', seed));
  const issuer = Keypair.random();
  ledger.createAccounts([issuer]);
  if (lumens !== undefined) ledger.createAccounts([treasury], lumens);
  const settings: StellarSettings = {
    ...{ family: 'stellar', name: 'Stellar', mode: 'test', rpc: server.urls, assetCode: 'NGNC', decimals: 7 },
    ...{ native: { asset: 'XLM', decimals: 7 }, key: 'treasury', confirmations: 1, finalAfterMs: 5_000 },
    ...{ explorerTxUrl: null, agreeFromMinor: 1n, marks: { tokenMinor: 0n, nativeMinor: 0n }, batch: 100 },
    ...{ token: issuer.publicKey(), passphrase: server.passphrase, validForMs: 60_000 },
    ...{ feePerOperation: 100n, maxFeePerOperation: 10_000n },
    ...{ withoutTrustline: 'wait', issuerControl: 'accept' },
  };
  const pass = (ms: number) => {
    ledger.advance(ms);
    ledger.close();
  };
  const desk = makeSetUpDesk(pass, { startMs: ledger.now(), patienceMs: 120_000 });
  const troubles: string[] = [];
  const parts = {
    ...{ clock: { now: () => ledger.now() }, signer: memorySigner(seed) },
    onTrouble: (message: string) => void troubles.push(message),
  };
  return {
    ...{ treasury, asset: new Asset('NGNC', issuer.publicKey()), desk, troubles },
    open: () => openStellarSetUp(settings, parts),
    start: () => openStellarNetwork(settings, parts),
    sequence: () => ledger.account(treasury.publicKey())!.sequence,
  };
}

test('the trustline and the memo flag are set in one transaction, and then the network opens without a warning', async () => {
  const { treasury, desk, open, start, sequence, troubles } = newTreasury('10');
  await assert.rejects(
    start(),
    /no trustline for NGNC of G\w+\. See: bin\/sliproad networks set-up Stellar --mode test/,
  );
  const before = sequence();
  const planned = await (await open()).look();
  assert.match(
    planned.steps[0]!.what,
    /^open a trustline for NGNC of G\w+, without limit; set config\.memo_required to 1/,
  );
  assert.equal(planned.steps[0]!.costMinor, 2n * (100n + 5_000_000n));
  const outcome = await desk.run(await open());
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.error);
  assert.equal(sequence(), before + 1n);
  const network = await start();
  assert.deepEqual([network.orderedBy, troubles], [treasury.publicKey(), []]);
  assert.ok((await desk.run(await open())).ok);
  assert.equal(sequence(), before + 1n, 'nothing is left to sign');
});

test('existing settings of the account do not change', async () => {
  const { treasury, asset, desk, open, start, troubles } = newTreasury('10');
  ledger.trust([treasury], asset, '5000');
  assert.match((await (await open()).look()).steps[0]!.what, /^set config\.memo_required to 1/);
  await start();
  assert.match(troubles.join(), /does not ask its senders for a memo.*networks set-up Stellar --mode test/);
  assert.ok((await desk.run(await open())).ok);
  const shown = await (await fetch(`${server.urls[0]}/accounts/${treasury.publicKey()}`)).json();
  const { balances } = shown as { balances: { asset_code?: string; limit?: string }[] };
  assert.equal(balances.find((each) => each.asset_code === 'NGNC')?.limit, '5000.0000000');
  const other = newTreasury('10');
  ledger.execute(other.treasury, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
  assert.match(
    (await (await other.open()).look()).steps[0]!.what,
    /^open a trustline for NGNC of G\w+, without limit$/,
  );
});

test('an account that does not exist or cannot pay for the set-up is reported', async () => {
  const missing = newTreasury();
  await assert.rejects((await missing.open()).look(), /G\w+ does not exist: send it some XLM\./);
  const { desk, open, sequence } = newTreasury('1.5');
  const before = sequence();
  const outcome = await desk.run(await open());
  assert.match(
    outcome.ok ? '' : outcome.error,
    /has 5000000 coins free, but this costs up to 10000200 coins/,
  );
  assert.equal(sequence(), before);
});

test('threat 42: a lost response is resolved; a transaction that is never accepted is dead after its expiry, and nothing has changed', async () => {
  const lost = newTreasury('10');
  faults.add({ kind: 'lost_answer' }, { on: 'submit', next: 2 });
  assert.ok((await lost.desk.run(await lost.open())).ok);
  const before = newTreasury('10');
  const drop = faults.add({ kind: 'drop' }, { on: 'submit' });
  const sequence = before.sequence();
  const outcome = await before.desk.run(await before.open());
  drop.clear();
  faults.clear();
  assert.match(outcome.ok ? '' : outcome.error, /was not included in time and can no longer land/);
  assert.equal(before.sequence(), sequence);
  assert.equal(before.desk.printed.filter((line) => line.startsWith('Signed: ')).length, 1);
});
