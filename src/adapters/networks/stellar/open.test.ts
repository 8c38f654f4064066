// Tests the adapter with a correct ledger whose servers lag, hide transactions and time out. Each order is paid once, in the
// way that the wallet supports.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Account, Asset, Claimant, Keypair, Memo, MuxedAccount, Operation } from '@stellar/stellar-sdk';
import { naira, passSome, payment } from '../../../../test/contract/network/case.ts';
import { makePayer } from '../../../../test/contract/network/payer.ts';
import { watcherOf } from '../../../../test/contract/network/watcher.ts';
import { makeStellarHarness, openStellarServer } from '../../../../test/contract/stellar/stellar-network.ts';
import { treasuryOperations } from './set-up.ts';

const server = await openStellarServer();
const { ledger, faults, urls } = server;
after(() => server.close());

const muxed = (account: string, id: string) => new MuxedAccount(new Account(account, '0'), id).accountId();

async function signed() {
  const harness = await makeStellarHarness(server);
  const payer = makePayer(harness);
  const order = payment(harness, { to: await harness.wallet() });
  const send = (await payer.sign([order])).stored[0]!;
  return { harness, payer, order, send, bytes: send.versions[0]! };
}

test('threat 42: a landed transaction is never reported as dead while one server lags far behind', async () => {
  const { harness, payer, send, bytes } = await signed();
  await payer.broadcast(send);
  await harness.pass();
  faults.add({ kind: 'lag', ledgers: 3 }, { url: urls[0] });
  const { kind } = await payer.ask(send);
  assert.ok(kind === 'pending' || kind === 'final');
  await harness.untilExpired(bytes);
  await passSome(harness, 8);
  assert.equal((await payer.ask(send, await harness.restarted())).kind, 'final');
});

test('threats 42 and 46: a server that hides a landed transaction after its expiry is not believed', async () => {
  const { harness, payer, order, send, bytes } = await signed();
  await payer.broadcast(send);
  await harness.pass();
  await harness.untilExpired(bytes);
  await passSome(harness, 4);
  faults.add({ kind: 'hide' }, { url: urls[0] });
  assert.equal((await payer.ask(send)).kind, 'final', 'the list of what the account did has it');
  assert.equal(await harness.received(order.to), order.amountMinor);
});

test('threat 43: lagging servers do not cause a sequence number to be used twice after a final payment', async () => {
  const { harness, payer, send } = await signed();
  await payer.broadcast(send);
  await payer.settle(send);
  const next = payment(harness, { to: await harness.wallet() });
  for (const url of urls) faults.add({ kind: 'lag', ledgers: 6 }, { url });
  const { waiting } = await payer.sign([next]);
  assert.deepEqual(
    waiting.map(({ obstacle }) => obstacle),
    ['turn_taken'],
  );
  faults.clear(urls[1]);
  const { stored } = await payer.sign([next]);
  assert.equal(BigInt(stored[0]!.versions[0]!.sequence!), BigInt(send.versions[0]!.sequence!) + 1n);
  await payer.broadcast(stored[0]!);
  faults.clear();
  assert.equal((await payer.settle(stored[0]!)).kind, 'final');
});

test('threat 42: a 504 for a transaction that lands is not a refusal, and the order is paid once', async () => {
  const { harness, payer, order, send } = await signed();
  faults.add({ kind: 'timeout_but_lands' }, { next: 2 });
  assert.equal((await payer.broadcast(send)).kind, 'unknown');
  assert.equal((await payer.settle(send)).kind, 'final');
  await passSome(harness, 2);
  assert.equal(await harness.received(order.to), order.amountMinor);
});

test('threat 37: if the settings allow it, a wallet that does not exist yet gets a claimable balance', async () => {
  const harness = await makeStellarHarness(server);
  const keypair = Keypair.random();
  const order = payment(harness, { to: keypair.publicKey() });
  assert.equal(await harness.network.recipientReady(order), 'waiting');
  const network = await harness.open({ withoutTrustline: 'claimable_balance' });
  assert.equal(await network.recipientReady(order), 'ready');
  const payer = makePayer({ ...harness, network });
  const [send] = await payer.signAll([order]);
  const status = await payer.settle(send!, network);
  assert.ok(status.kind === 'final');
  const [laidDown] = status.evidence.claimableBalances as { index: number; id: string }[];
  assert.equal(laidDown!.index, 0);
  // The owner claims the tokens after opening an account and a trustline.
  const { assetCode, token } = harness.settings;
  ledger.createAccounts([keypair]);
  ledger.trust([keypair], new Asset(assetCode, token));
  ledger.execute(keypair, [Operation.claimClaimableBalance({ balanceId: laidDown!.id })]);
  assert.equal(await harness.received(order.to), order.amountMinor);
});

test('threat 38: an account that requires a memo is paid only at a muxed address', async () => {
  const harness = await makeStellarHarness(server);
  const { assetCode, token } = harness.settings;
  const exchange = Keypair.random();
  ledger.createAccounts([exchange]);
  ledger.execute(exchange, treasuryOperations({ code: assetCode, issuer: token }));
  const plain = payment(harness, { to: exchange.publicKey() });
  const named = payment(harness, { to: muxed(exchange.publicKey(), '9') });
  assert.equal(await harness.network.recipientReady(plain), 'refused');
  assert.equal(await harness.network.recipientReady(named), 'ready');
  const { stored, waiting } = await makePayer(harness).sign([plain, named]);
  assert.deepEqual(stored[0]!.orderIds, [named.orderId]);
  assert.equal(waiting.length, 1);
});

test('a deposit to the muxed address of an order, or with its memo as a text, belongs to that order', async () => {
  const harness = await makeStellarHarness(server);
  const watcher = await watcherOf(harness);
  const { address, memo } = harness.network.depositTarget('txn_1');
  const amountMinor = naira(harness.network, 3n);
  const hash = await harness.deposit('one', { address: muxed(address, memo!), memo: null, amountMinor });
  const [sighting] = await watcher.until([hash]);
  assert.deepEqual([sighting!.address, sighting!.memo], [address, memo]);
  const payer = Keypair.random();
  ledger.createAccounts([payer]);
  const xlm = Operation.payment({ destination: address, asset: Asset.native(), amount: '1' });
  const { envelope } = ledger.execute(payer, [xlm], { memo: Memo.text(memo!) });
  const [wrong] = await watcher.until([envelope.hashHex]);
  assert.deepEqual([wrong!.memo, wrong!.ourToken], [memo, false]);
});

test('threat 46: a large deposit is confirmed by the second server as well', async () => {
  const harness = await makeStellarHarness(server);
  const watcher = await watcherOf(harness);
  const network = await harness.open({ agreeFromMinor: 1n });
  const { address, memo } = network.depositTarget('txn_2');
  const amountMinor = naira(network, 3n);
  const hash = await harness.deposit('two', { address, memo, amountMinor });
  const [sighting] = await watcher.until([hash], network);
  assert.equal(sighting!.final, false);
  faults.add({ kind: 'lag', ledgers: 2 }, { url: urls[1] });
  await harness.pass();
  assert.equal(await network.confirm(sighting!), 'pending');
  faults.clear();
  assert.equal(await network.confirm(sighting!), 'final');
});

test('threat 54: a claimable balance for the treasury is reported once, unless the treasury has already claimed it', async () => {
  const harness = await makeStellarHarness(server);
  const { network, settings, treasury, sender } = { ...harness, ...harness.town };
  const asset = new Asset(settings.assetCode, settings.token);
  const { position } = await network.observe(null, harness.watch);
  const layDown = (amount: string) => {
    const claimants = [new Claimant(treasury.publicKey())];
    ledger.execute(sender, [Operation.createClaimableBalance({ asset, amount, claimants })]);
    return [...ledger.stateAsOf(ledger.latest.sequence).allClaimables()].at(-1)!.id;
  };
  const claimed = layDown('5');
  ledger.execute(treasury, [Operation.claimClaimableBalance({ balanceId: claimed })]);
  layDown('6');
  const seen = await network.observe(position, harness.watch);
  assert.deepEqual(seen.sightings, []);
  assert.deepEqual(
    seen.unreadable.map(({ reason }) => /^a claimable balance of (\S+) NGNC/.exec(reason)?.[1]),
    ['6.0000000'],
  );
  assert.deepEqual((await network.observe(seen.position, harness.watch)).unreadable, []);
});
