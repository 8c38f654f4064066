// Tests that each fault has the described effect on the calls that it affects, while it is active.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/patience.ts';
import { callRaw, failureOf, openTestNetwork } from './test-network.ts';
import { solanaTroubles } from './troubles.ts';

test('threat 42: the response is lost, although the payment landed', async (t) => {
  const network = await openTestNetwork(t);
  const to = await network.newOwner();
  const payment = await network.pay({ to, amountMinor: 3n });
  network.faults.loseAnswer({ times: 1 });
  assert.deepEqual((await failureOf(network.send(payment))).code, null, 'no answer at all');
  network.chain.advance();
  assert.equal((await network.statusOf(payment))?.err, null);
  assert.equal(await network.send(payment), payment.signature, 'for one call only');
});

test('threat 42: an error is returned, although the payment landed', async (t) => {
  const network = await openTestNetwork(t);
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 3n });
  network.faults.answerErrorThoughDone({ times: 1 });
  assert.equal((await failureOf(network.send(payment))).code, -32603);
  network.chain.advance();
  assert.equal((await network.statusOf(payment))?.err, null);
});

test('threat 41: the connection is cut before the payment is accepted', async (t) => {
  const network = await openTestNetwork(t);
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 3n });
  const undo = network.faults.cutBefore({ provider: 0 });
  await failureOf(network.send(payment));
  await failureOf(network.send(payment));
  network.chain.advance();
  assert.equal(await network.statusOf(payment), null);
  await network.send(payment, network.otherRpc);
  undo();
  network.chain.advance();
  assert.equal((await network.statusOf(payment))?.err, null);
});

test('a dropped payment is accepted, and is not included in a block until it is sent again', async (t) => {
  const network = await openTestNetwork(t);
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 3n });
  network.faults.drop({ times: 1 });
  assert.equal(await network.send(payment), payment.signature);
  network.chain.advance(5);
  assert.equal(await network.statusOf(payment), null);
  await network.send(payment);
  network.chain.advance();
  assert.equal((await network.statusOf(payment))?.err, null);
});

test('threat 42: transactions are dropped until those that were signed earlier have expired', async (t) => {
  const network = await openTestNetwork(t);
  const { chain } = network;
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 3n });
  const trouble = solanaTroubles(network).find(({ name }) => name === 'sends dropped until they expire')!;
  const begun = trouble.begin((lowest) => lowest);
  assert.equal(await network.send(payment), payment.signature);
  await until('nothing that was signed before can land', () => begun.over());
  await begun.end();
  assert.equal(begun.met(), 1);
  assert.ok((await network.rpc.getBlockHeight().send()) > payment.lastValidBlockHeight);
  await network.send(payment);
  chain.advance(2);
  assert.equal(await network.statusOf(payment), null);
});

test('threat 45: a confirmed payment disappears in a fork, including its tokens, and lands again when it is resent', async (t) => {
  const network = await openTestNetwork(t);
  const { chain, token } = network;
  const [to, other] = [await network.newOwner(), await network.newOwner()];
  const blockhash = await network.latest();
  const payment = await network.pay({ to, amountMinor: 3n, blockhash });
  const innocent = await network.pay({ to: other, amountMinor: 4n, blockhash });
  network.faults.forkAway(4, { times: 1 });
  await network.send(payment);
  await network.send(innocent);

  chain.advance(4);
  assert.equal((await network.statusOf(payment))?.confirmationStatus, 'confirmed');
  assert.equal(await chain.tokenBalanceOf(token.mint, to), 3n);
  const { value: young } = await network.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
  chain.advance();
  assert.equal(await network.statusOf(payment), null);
  const history = await network.rpc
    .getSignaturesForAddress(token.treasury.address, { commitment: 'confirmed' })
    .send();
  assert.deepEqual(history, []);
  assert.equal(await chain.tokenBalanceOf(token.mint, to), 0n);
  assert.equal(chain.tokenBalance(token.treasuryTokenAccount), 1_000_000_000n);
  const orphan = { commitment: 'processed' } as const;
  assert.equal((await network.rpc.isBlockhashValid(young.blockhash, orphan).send()).value, false);

  chain.advance(10);
  assert.equal(await network.statusOf(payment), null, 'it stays away');
  assert.equal(
    (await network.statusOf(innocent))?.confirmationStatus,
    'finalized',
    'others land again by themselves',
  );
  assert.equal(chain.tokenBalance(token.treasuryTokenAccount), 1_000_000_000n - 4n);
  await network.send(payment);
  chain.advance(9);
  assert.equal((await network.statusOf(payment))?.confirmationStatus, 'finalized');
  assert.equal(await chain.tokenBalanceOf(token.mint, to), 3n);
});

test('threat 45: a manual reorganisation never removes finalized blocks', async (t) => {
  const network = await openTestNetwork(t);
  const { chain, token } = network;
  const to = await network.newOwner();
  const old = await network.pay({ to, amountMinor: 1n });
  await network.send(old);
  chain.advance(9);
  const fresh = await network.pay({ to, amountMinor: 2n });
  await network.send(fresh);
  chain.advance();
  assert.throws(() => chain.reorganise(9), RangeError);
  assert.deepEqual(chain.reorganise(8), [fresh.signature]);
  assert.equal((await network.statusOf(old))?.confirmationStatus, 'finalized');
  assert.equal(await network.statusOf(fresh), null);
  assert.equal(await chain.tokenBalanceOf(token.mint, to), 1n);
});

test('threat 42: a lagging provider is behind in slot, height, statuses and accounts', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, otherRpc, chain } = network;
  const to = await network.newOwner();
  const payment = await network.pay({ to, amountMinor: 3n });
  await network.send(payment);
  chain.advance(9);
  network.faults.lag(20, { provider: 1 });
  const config = { commitment: 'finalized' } as const;
  assert.equal((await rpc.getSlot(config).send()) - (await otherRpc.getSlot(config).send()), 20n);
  assert.equal(
    (await rpc.getBlockHeight(config).send()) - (await otherRpc.getBlockHeight(config).send()),
    20n,
  );
  assert.equal((await network.statusOf(payment))?.confirmationStatus, 'finalized');
  assert.equal(await network.statusOf(payment, otherRpc), null);
  assert.equal((await otherRpc.getSignaturesForAddress(to).send()).length, 0);
  const { value } = await otherRpc
    .getTokenAccountBalance(network.token.treasuryTokenAccount, { commitment: 'processed' })
    .send();
  assert.equal(value.amount, '1000000000');
  const { value: lifetime } = await otherRpc.getLatestBlockhash(config).send();
  assert.equal((await rpc.isBlockhashValid(lifetime.blockhash).send()).value, true);
  network.faults.clear();
  assert.equal((await network.statusOf(payment, otherRpc))?.confirmationStatus, 'finalized');
});

test('threat 46: a lying provider reports unknown payments as finalized, denies known ones, or invents responses', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, otherRpc, faults, chain, token } = network;
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 3n });
  faults.claimFinalized({ provider: 1 });
  assert.equal((await network.statusOf(payment, otherRpc))?.confirmationStatus, 'finalized');
  assert.equal(await network.statusOf(payment), null, 'the other one is honest');
  faults.clear();
  await network.send(payment);
  chain.advance();
  faults.denyStatuses({ provider: 1 });
  assert.equal(await network.statusOf(payment, otherRpc), null);
  assert.equal((await network.statusOf(payment))?.err, null);
  faults.clear();
  faults.forge(() => 999_999_999, { methods: ['getBlockHeight'], provider: 1, times: 1 });
  assert.equal(await otherRpc.getBlockHeight().send(), 999_999_999n);
  assert.ok((await otherRpc.getBlockHeight().send()) < 999_999_999n);
  assert.ok(await rpc.getBalance(token.treasury.address).send());
});

test('faults return HTTP 429 or 500 or delay a call, and affect only the calls that they name', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, faults } = network;
  faults.answerHttp(429, { times: 1 });
  await assert.rejects(rpc.getSlot().send(), /429/);
  faults.answerHttp(500, { methods: ['getSlot'] });
  await assert.rejects(rpc.getSlot().send(), /500/);
  assert.ok(await rpc.getBlockHeight().send());
  faults.clear();
  faults.delay(60, { times: 1 });
  const started = performance.now();
  await rpc.getSlot().send();
  assert.ok(performance.now() - started >= 55);
});

test('answers each call of a batch, refuses an invalid body, and closes with a request open', async (t) => {
  const network = await openTestNetwork(t);
  const [url] = network.urls;
  const post = async (body: string) => (await fetch(url, { method: 'POST', body })).json();
  const batch = ['getHealth', 'nonsense'].map((method, id) => ({ jsonrpc: '2.0', id, method }));
  assert.deepEqual(await post(JSON.stringify(batch)), [
    { jsonrpc: '2.0', result: 'ok', id: 0 },
    { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 1 },
  ]);
  assert.equal(((await post('{')) as { error: { code: number } }).error.code, -32700);
  assert.equal(((await post('{}')) as { error: { code: number } }).error.code, -32600);
  assert.equal((await fetch(url)).status, 405);
  network.faults.delay(60_000);
  const waiting = callRaw(url, 'getHealth');
  const refused = assert.rejects(waiting);
  await network.close();
  await refused;
});
