// Tests that the reader refuses malformed bytes, because they would end the whole process in the virtual machine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RpcError } from '../rpc-error.ts';
import { callRaw, openTestNetwork } from './test-network.ts';
import { isWritable, readTransaction } from './wire-transaction.ts';

test('reads the transactions that the client library writes', async (t) => {
  const network = await openTestNetwork(t);
  const to = await network.newOwner();
  const payment = await network.pay({ to, amountMinor: 1n, memo: 'order 1' });
  const { message, signature } = readTransaction(Buffer.from(payment.wire, 'base64'));
  const { treasury, treasuryTokenAccount, mint } = network.token;
  assert.equal(signature, payment.signature);
  assert.equal(message.version, 0);
  assert.equal(message.keys[0], treasury.address);
  assert.equal(message.instructions.length, 3);
  assert.equal(isWritable(message, message.keys.indexOf(treasuryTokenAccount)), true);
  assert.equal(isWritable(message, message.keys.indexOf(mint)), false);
});

test('refuses truncated, extended and random bytes', async (t) => {
  const network = await openTestNetwork(t);
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 1n });
  const whole = Buffer.from(payment.wire, 'base64');
  for (let length = 0; length < whole.length; length += 1) {
    assert.throws(() => readTransaction(whole.subarray(0, length)), RpcError, `${length} bytes`);
  }
  assert.throws(() => readTransaction(Buffer.concat([whole, Buffer.from([0])])), RpcError);
  assert.throws(() => readTransaction(Buffer.concat([whole, Buffer.alloc(1232)])), /too large/);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.throws(() => readTransaction(bytes), RpcError);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('if any byte is changed, the network keeps running and only the original transaction lands', async (t) => {
  const network = await openTestNetwork(t);
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 1n });
  const whole = Buffer.from(payment.wire, 'base64');
  const config = { encoding: 'base64', skipPreflight: true };
  for (let at = 0; at < whole.length; at += 3) {
    const changed = Buffer.from(whole);
    changed[at] = changed[at]! ^ (1 + (at % 255));
    const wire = changed.toString('base64');
    await callRaw(network.urls[0], 'sendTransaction', [wire, config]);
    await callRaw(network.urls[0], 'simulateTransaction', [
      wire,
      { encoding: 'base64', replaceRecentBlockhash: true },
    ]);
  }
  await network.send(payment);
  network.chain.advance();
  assert.equal(network.chain.landed.count, 1);
  assert.equal((await network.statusOf(payment))?.err, null);
});
