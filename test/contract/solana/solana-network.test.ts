// Tests that the Solana adapter passes the contract of a network on a local chain and follows the rules that only this chain
// has. These rules are about packets, about token accounts that are missing, frozen or have another owner, and about what a
// start must refuse.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { AccountState, findAssociatedTokenPda } from '@solana-program/token';
import { tokenAccountOf } from '../../../local-networks/solana/solana-chain.ts';
import { readPayload } from '../../../src/adapters/networks/solana/pay/envelope.ts';
import { PROGRAM_2022 } from '../../../src/adapters/networks/solana/rpc/token-account.ts';
import { type Signer, SigningRefused } from '../../../src/ports/signer.ts';
import { payment, payments } from '../network/case.ts';
import { makePayer } from '../network/payer.ts';
import { networkContract } from '../network/suite.ts';
import { arriving, watcherOf } from '../network/watcher.ts';
import { SOLANA_CASES } from './solana-cases.ts';
import { makeSolanaHarness, openSolanaServer, type SolanaHarness } from './solana-network.ts';

const server = await openSolanaServer();
after(() => server.close());
const IDLE = { lastSequence: null, live: 0, inFlightMinor: 0n };

networkContract('Solana', () => makeSolanaHarness(server));

for (const { title, run } of SOLANA_CASES) test(title, async () => run(await makeSolanaHarness(server)));

const STANDS_STILL = 'the provider is stalled: its newest final block is too old';
const EVERY_CALL = { methods: undefined } as unknown as { methods: readonly string[] };

test('a start is refused if decimals, mint, treasury or chain differ from the settings', async () => {
  const { open, settings, token } = await makeSolanaHarness(server);
  const message = `Solana: the token at ${token.mint} has 2 decimals, but the settings say 6.`;
  await assert.rejects(open({ decimals: 6 }), { message });
  await assert.rejects(open({ token: token.treasury.address }), /belongs to no token program/);
  await assert.rejects(open({ token: token.treasuryTokenAccount }), /is not a mint/);
  await assert.rejects(
    open({ key: 'another' }),
    /has no account for the token yet.*networks set-up Solana --mode test/,
  );
  const elsewhere = await openSolanaServer();
  try {
    await assert.rejects(open({ rpc: [settings.rpc[0]!, elsewhere.urls[0]] }), /different chains/);
  } finally {
    await elsewhere.close();
  }
  await assert.rejects(open({ rpc: [elsewhere.urls[0]] }), /no provider answers/);
  const untilThen = server.faults.answerHttp(503, { provider: 1 });
  const network = await open();
  untilThen();
  assert.equal(network.explorerUrl('abc'), 'https://explorer.example/tx/abc');
});

test('the issuer’s powers over the token are logged once per start', async () => {
  const harness = await makeSolanaHarness(server);
  const before = harness.said.length;
  await harness.open();
  assert.deepEqual(harness.said.slice(before), [
    'the token can be frozen by its issuer, in the treasury as in any other account',
  ]);
});

test('threat 39: a transaction contains as many payments as fit into a packet, to new and to existing accounts', async () => {
  const harness = await makeSolanaHarness(server);
  const payer = makePayer({ ...harness, network: await harness.open({ batch: 100 }) });
  const orders = await payments(harness, 20);
  const sizes: number[][] = [];
  for (const round of [orders, orders.map((order) => ({ ...order, orderId: randomUUID() }))]) {
    const stored = await payer.signAll(round);
    sizes.push(stored.map(({ orderIds }) => orderIds.length));
    for (const send of stored) {
      const bytes = Buffer.from(readPayload(send.versions[0]!).wire, 'base64').length;
      assert.ok(bytes <= 1_232, `${bytes} bytes`);
      const status = await payer.settle(send);
      const opened = status.kind === 'final' ? status.cost!.opened : [];
      const rent =
        round === orders ? send.orderIds.map((_, index) => ({ index, amountMinor: 2_039_280n })) : [];
      assert.deepEqual([status.kind, opened], ['final', rent]);
    }
  }
  assert.deepEqual(sizes, [
    [8, 8, 4],
    [17, 3],
  ]);
  for (const { to, amountMinor } of orders) assert.equal(await harness.received(to), 2n * amountMinor);
});

test('threat 36: tokens are sent to wallets, not to programs, mints, token accounts, frozen accounts or accounts with another owner', async () => {
  const harness = await makeSolanaHarness(server);
  const { network, token } = harness;
  const ready = async (to: string) => network.recipientReady(payment(harness, { to }));
  const [frozen, handedOver, good] = [await harness.wallet(), await harness.wallet(), await harness.wallet()];
  for (const wallet of [frozen, handedOver, good])
    await server.chain.giveTokens(token.mint, wallet as Address, 1n);
  const change = async (wallet: string, to: Parameters<SolanaHarness['rewriteTokens']>[1]) =>
    harness.rewriteTokens(await tokenAccountOf(token.mint, wallet as Address), to);
  await change(frozen, () => ({ state: AccountState.Frozen }));
  await change(handedOver, () => ({ owner: good as Address }));
  assert.deepEqual(await Promise.all([good, await harness.wallet()].map(ready)), ['ready', 'ready']);
  const memo = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
  const refused = [frozen, handedOver, memo, token.mint, token.treasuryTokenAccount];
  assert.deepEqual(
    await Promise.all(refused.map(ready)),
    refused.map(() => 'refused'),
  );
  const orders = [handedOver, good].map((to) => payment(harness, { to }));
  const { envelopes, waiting } = await network.prepare(orders, IDLE);
  assert.deepEqual([envelopes[0]!.orderIds, waiting[0]!.orderId], [[orders[1]!.orderId], orders[0]!.orderId]);
  server.faults.answerHttp(503);
  assert.equal(await ready(good), 'unknown');
});

test('threat 39: if no account may be opened, the payment waits, and is sent once the owner has an account', async () => {
  const harness = await makeSolanaHarness(server);
  const { network, token } = harness;
  const to = await harness.wallet();
  const order = payment(harness, { to, opensAccount: false });
  assert.equal(await network.recipientReady(order), 'waiting');
  const { envelopes, waiting } = await network.prepare([order], IDLE);
  assert.deepEqual([envelopes, waiting.map(({ orderId }) => orderId)], [[], [order.orderId]]);
  await server.chain.giveTokens(token.mint, to as Address, 1n);
  assert.equal(await network.recipientReady(order), 'ready');
  assert.deepEqual((await network.prepare([order], IDLE)).envelopes[0]!.orderIds, [order.orderId]);
});

test('a payment that fails in the trial run is not signed', async () => {
  const harness = await makeSolanaHarness(server);
  const orders = await payments(harness, 2);
  harness.rewriteTokens(harness.token.treasuryTokenAccount, () => ({ state: AccountState.Frozen }));
  const { envelopes, waiting } = await harness.network.prepare(orders, IDLE);
  assert.deepEqual(envelopes, []);
  for (const { obstacle, detail } of waiting) {
    assert.equal(obstacle, 'network_unreachable');
    assert.match(detail, /a trial run failed/);
  }
});

test('without any reachable provider payments wait, and observing fails with the reason', async () => {
  const harness = await makeSolanaHarness(server);
  const orders = await payments(harness, 2);
  server.faults.cutBefore(EVERY_CALL);
  const { envelopes, waiting } = await harness.network.prepare(orders, IDLE);
  assert.deepEqual(
    [envelopes, waiting.map(({ obstacle }) => obstacle)],
    [[], Array(2).fill('network_unreachable')],
  );
  await assert.rejects(harness.network.observe(null, harness.watch));
  server.faults.clear();
});

test('threat 49: one payment above the cap waits, and the other payments of the batch are sent', async () => {
  const harness = await makeSolanaHarness(server);
  const capped =
    (sign: Signer['sign']): Signer['sign'] =>
    async (request) => {
      const sum = request.spends.reduce((total, { amountMinor }) => total + amountMinor, 0n);
      if (sum > 5_000n) throw new SigningRefused('over_cap_per_transaction', 'above the cap');
      return sign(request);
    };
  const network = await harness.open({}, (signer) => ({ ...signer, sign: capped(signer.sign) }));
  const orders = await payments(harness, 3);
  orders[1] = { ...orders[1]!, amountMinor: 9_999n };
  const { envelopes, waiting } = await network.prepare(orders, IDLE);
  assert.deepEqual(
    envelopes.map(({ orderIds }) => orderIds),
    [[orders[0]!.orderId], [orders[2]!.orderId]],
  );
  const { orderId } = orders[1]!;
  assert.deepEqual(waiting, [{ orderId, obstacle: 'signing_refused', detail: 'above the cap' }]);
});

test('threat 42: while a provider lags, a dropped transaction is not reported as dead', async () => {
  const harness = await makeSolanaHarness(server);
  const payer = makePayer(harness);
  const [send] = (await payer.sign(await payments(harness, 1))).stored;
  await harness.untilExpired(send!.versions[0]!);
  server.faults.lag(100, { provider: 1 });
  assert.equal((await payer.ask(send!)).kind, 'pending');
  server.faults.clear();
  assert.equal((await payer.ask(send!)).kind, 'dead');
});

test('a token of the newer token program is sent with that program', async () => {
  const harness = await makeSolanaHarness(server);
  const { chain } = server;
  const { mint, treasury, treasuryTokenAccount } = harness.token;
  const newer = (await generateKeyPairSigner()).address;
  const accountOf = async (owner: Address) =>
    (await findAssociatedTokenPda({ mint: newer, owner, tokenProgram: PROGRAM_2022 }))[0];
  chain.rewriteAccount(newer, () => ({ ...chain.accounts.newest(mint)!, owner: PROGRAM_2022 }));
  const account = await accountOf(treasury.address);
  chain.rewriteAccount(account, () => ({
    ...chain.accounts.newest(treasuryTokenAccount)!,
    owner: PROGRAM_2022,
  }));
  harness.rewriteTokens(account, () => ({ mint: newer }));
  const network = await harness.open({ token: newer });
  const order = payment(harness, { to: await harness.wallet() });
  const { envelopes, waiting } = await network.prepare([order], IDLE);
  assert.deepEqual(waiting, []);
  await network.broadcast(envelopes[0]!);
  await harness.pass();
  const { data } = chain.accounts.newest(await accountOf(order.to as Address))!;
  assert.equal(Buffer.from(data).readBigUInt64LE(64), order.amountMinor);
});

test('equal payments with the same blockhash differ by their memo, and so does an order that is signed twice', async () => {
  const harness = await makeSolanaHarness(server);
  const { network } = harness;
  const to = await harness.wallet();
  const twins = Array.from({ length: 2 }, () => payment(harness, { to, about: null, alone: true }));
  const { envelopes } = await network.prepare(twins, IDLE);
  const again = await network.prepare([twins[0]!], IDLE);
  assert.equal(new Set([...envelopes, ...again.envelopes].map(({ hash }) => hash)).size, 3);
  assert.equal(
    new Set([...envelopes, ...again.envelopes].map((each) => readPayload(each).blockhash)).size,
    1,
  );
  for (const [index, each] of envelopes.entries())
    assert.ok(Buffer.from(readPayload(each).wire, 'base64').includes(twins[index]!.orderId));
});

test('threat 46: the data of a stalled provider is not trusted, neither for payments nor for deposits', async () => {
  const harness = await makeSolanaHarness(server);
  const payer = makePayer(harness);
  const watcher = await watcherOf(harness);
  const [send] = await payer.signAll(await payments(harness, 1));
  const { id, deposit } = arriving(harness);
  const hash = await harness.deposit(id, deposit);
  for (let slot = 0; slot < 12; slot++) await harness.pass();
  harness.passMs(700_000);
  const undo = server.faults.lag(40, { provider: 0 });
  assert.equal((await payer.ask(send!)).kind, 'final');
  assert.deepEqual([...(await watcher.until([hash]))].length, 1);
  const alone = await harness.open({ rpc: harness.settings.rpc.slice(0, 1) });
  assert.partialDeepStrictEqual(await alone.ask(send!), { kind: 'unknown', reason: STANDS_STILL });
  await assert.rejects(alone.observe(null, harness.watch), { message: STANDS_STILL });
  const { envelopes, waiting } = await alone.prepare(await payments(harness, 1), IDLE);
  assert.deepEqual([envelopes, waiting[0]!.detail], [[], STANDS_STILL]);
  undo();
  assert.equal((await alone.ask(send!)).kind, 'final');
});
