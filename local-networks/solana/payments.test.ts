// Tests the rules of sending. One message lands once, a blockhash is valid for 150 blocks, signatures are verified, and
// preflight refuses a failing transaction. A transaction that landed and failed has paid its fee.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Base64EncodedWireTransaction, generateKeyPairSigner } from '@solana/kit';
import { getFreezeAccountInstruction } from '@solana-program/token';
import { memoInstruction } from './sign.ts';
import { tokenAccountOf } from './solana-chain.ts';
import { callRaw, failureOf, openTestNetwork } from './test-network.ts';

const PREFLIGHT_FAILED = -32002;

test('threats 40, 41: the same bytes are one payment, however often they are sent', async (t) => {
  const network = await openTestNetwork(t);
  const to = await network.newOwner();
  const payment = await network.pay({ to, amountMinor: 10n, memo: 'order 1' });
  for (let sends = 0; sends < 3; sends += 1) {
    assert.equal(await network.send(payment), payment.signature);
    assert.equal(await network.send(payment, network.otherRpc), payment.signature);
    network.chain.advance();
  }
  network.chain.advance(10);
  assert.equal(await network.send(payment), payment.signature, 'harmless after finality too');
  network.chain.advance();
  assert.equal(await network.chain.tokenBalanceOf(network.token.mint, to), 10n);
  const preflighted = network.rpc.sendTransaction(payment.wire, { encoding: 'base64' }).send();
  assert.deepEqual(await failureOf(preflighted), {
    code: PREFLIGHT_FAILED,
    cause: 'This transaction has already been processed',
  });
  const { value } = await network.rpc.simulateTransaction(payment.wire, { encoding: 'base64' }).send();
  assert.equal(value.err, 'AlreadyProcessed');
});

test('equal payments with different memos are two payments; without a memo they are one', async (t) => {
  const network = await openTestNetwork(t);
  const to = await network.newOwner();
  const blockhash = await network.latest();
  const twins = [
    await network.pay({ to, amountMinor: 10n, memo: 'order 1', blockhash }),
    await network.pay({ to, amountMinor: 10n, memo: 'order 2', blockhash }),
  ];
  assert.notEqual(twins[0]!.signature, twins[1]!.signature);
  for (const twin of twins) await network.send(twin);
  network.chain.advance();
  assert.equal(await network.chain.tokenBalanceOf(network.token.mint, to), 20n);

  const bare = await network.pay({ to, amountMinor: 10n, blockhash });
  const again = await network.pay({ to, amountMinor: 10n, blockhash });
  assert.equal(bare.signature, again.signature);
  await network.send(bare);
  await network.send(again);
  network.chain.advance();
  assert.equal(await network.chain.tokenBalanceOf(network.token.mint, to), 30n);
});

test('threat 42: a blockhash is valid for 150 blocks; afterwards a transaction with it can never land', async (t) => {
  const network = await openTestNetwork(t);
  const { chain, rpc } = network;
  const to = await network.newOwner();
  const blockhash = await network.latest();
  const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send();
  assert.equal(blockhash.lastValidBlockHeight - height, 150n);
  const last = await network.pay({ to, amountMinor: 1n, memo: 'just in time', blockhash });
  const late = await network.pay({ to, amountMinor: 1n, memo: 'too late', blockhash });
  const isValid = async () => {
    const config = { commitment: 'processed' } as const;
    return (await rpc.isBlockhashValid(blockhash.blockhash, config).send()).value;
  };

  // Skipped slots create no blocks, so they do not shorten the validity.
  chain.advance(500, { skipped: true });
  chain.advance(Number(blockhash.lastValidBlockHeight) - chain.height);
  assert.equal(await isValid(), true);
  await network.send(last);
  chain.advance();
  assert.equal(
    (await network.statusOf(last))?.err,
    null,
    'the last block that may take it is one above the bound',
  );

  assert.equal(await isValid(), false);
  assert.equal(await network.send(late), late.signature, 'without preflight a node takes anything');
  chain.advance(20);
  assert.equal(await network.statusOf(late), null);
  const refused = rpc
    .sendTransaction(late.wire, { encoding: 'base64', preflightCommitment: 'processed' })
    .send();
  assert.deepEqual(await failureOf(refused), { code: PREFLIGHT_FAILED, cause: 'Blockhash not found' });
  assert.equal(await chain.tokenBalanceOf(network.token.mint, to), 1n);
});

test('preflight at an older commitment does not know newer blockhashes or newer accounts', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, chain } = network;
  const { value: young } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send();
  const to = await network.newOwner();
  const payment = await network.pay({ to, amountMinor: 1n, blockhash: young });
  const strict = { encoding: 'base64', preflightCommitment: 'finalized' } as const;
  const refused = await failureOf(rpc.sendTransaction(payment.wire, strict).send());
  assert.equal(refused.cause, 'Blockhash not found');

  const account = await tokenAccountOf(network.token.mint, to);
  await network.send(payment);
  chain.advance();
  const { authority, mint } = network.token;
  const freeze = await network.sign([getFreezeAccountInstruction({ account, mint, owner: authority })]);
  const on = async (commitment: 'processed' | 'finalized') =>
    (await rpc.simulateTransaction(freeze.wire, { encoding: 'base64', commitment }).send()).value.err;
  assert.equal(await on('processed'), null);
  assert.notEqual(await on('finalized'), null, 'the account is not there yet');
  assert.equal(await on('processed'), null, 'and looking back changed nothing');
});

test('preflight refuses a transaction that would fail, with the reason and the logs', async (t) => {
  const network = await openTestNetwork(t);
  const to = await network.newOwner();
  const payment = await network.pay({ to, amountMinor: 10n ** 15n, memo: 'too much' });
  const { error } = await callRaw(network.urls[0], 'sendTransaction', [payment.wire, { encoding: 'base64' }]);
  assert.equal(error?.code, PREFLIGHT_FAILED);
  assert.equal(
    error?.message,
    'Transaction simulation failed: Error processing Instruction 1: custom program error: 0x1',
  );
  const data = error?.data as { err: unknown; logs: string[] };
  assert.deepEqual(data.err, { InstructionError: [1, { Custom: 1 }] });
  assert.ok(data.logs.some((line) => line.includes('insufficient funds')));
  network.chain.advance(2);
  assert.equal(await network.statusOf(payment), null);
});

test('without preflight a transaction that would fail lands, fails, pays its fee and moves nothing', async (t) => {
  const network = await openTestNetwork(t);
  const to = await network.newOwner();
  const payment = await network.pay({ to, amountMinor: 10n ** 15n });
  const lamportsOf = async () => {
    const { address } = network.token.treasury;
    return (await network.rpc.getBalance(address, { commitment: 'processed' }).send()).value;
  };
  const before = await lamportsOf();
  await network.send(payment);
  network.chain.advance();
  const status = await network.statusOf(payment);
  // The client library reads every integer as a bigint.
  assert.deepEqual<unknown>(status?.err, { InstructionError: [1n, { Custom: 1n }] });
  assert.equal(before - (await lamportsOf()), 5_000n);
  assert.equal(network.chain.tokenBalance(network.token.treasuryTokenAccount), 1_000_000_000n);
  assert.equal(await network.chain.tokenBalanceOf(network.token.mint, to), 0n);
});

test('signatures are verified: a changed one is refused, and without preflight it never lands', async (t) => {
  const network = await openTestNetwork(t);
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 10n });
  const bytes = Buffer.from(payment.wire, 'base64');
  bytes[10]! ^= 1;
  const wire = bytes.toString('base64') as Base64EncodedWireTransaction;
  await network.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
  network.chain.advance();
  const refused = await failureOf(network.rpc.sendTransaction(wire, { encoding: 'base64' }).send());
  assert.equal(refused.code, -32003);
  const { value } = await network.rpc.simulateTransaction(wire, { encoding: 'base64' }).send();
  assert.equal(value.err, null, 'a simulation may go without');
  await network.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
  await network.send(payment);
  network.chain.advance();
  assert.equal(network.chain.landed.count, 1, 'the forged twin did not land');
  assert.equal((await network.statusOf(payment))?.err, null);
});

test('a transaction whose fee payer has no lamports leaves no record', async (t) => {
  const network = await openTestNetwork(t);
  const payer = await generateKeyPairSigner();
  const unpaid = await network.sign([memoInstruction('who pays')], { payer });
  await network.send(unpaid);
  network.chain.advance();
  assert.equal(await network.statusOf(unpaid), null);
  const refused = await failureOf(network.rpc.sendTransaction(unpaid.wire, { encoding: 'base64' }).send());
  assert.equal(refused.code, PREFLIGHT_FAILED);
  assert.match(refused.cause, /debit an account/);
  network.chain.airdrop(payer.address, 1_000_000_000n);
  await network.send(unpaid);
  network.chain.advance();
  assert.equal((await network.statusOf(unpaid))?.err, null, 'with lamports the same bytes land');
});

test('the charged priority fee equals the estimate', async (t) => {
  const network = await openTestNetwork(t);
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, 250_001n, true);
  const price = { programAddress: 'ComputeBudget111111111111111111111111111111', data } as never;
  const { wire, signature } = await network.sign([price, memoInstruction('priority')]);
  const message = Buffer.from(wire, 'base64').subarray(65).toString('base64');
  const { value: foretold } = await network.rpc.getFeeForMessage(message as never).send();
  await network.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  network.chain.advance(4);
  const found = await network.rpc
    .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
    .send();
  const { preBalances, postBalances, fee } = found!.meta!;
  assert.equal(preBalances[0]! - postBalances[0]!, foretold);
  assert.equal(fee, foretold);
  assert.equal(foretold, 5_000n + 50_751n);
  assert.deepEqual(found!.transaction, [wire, 'base64']);
});
