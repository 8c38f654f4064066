// Tests the history of an account: newest first, in pages, and only with transactions of the requested commitment. Also tests
// old statuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signature } from '@solana/kit';
import { tokenAccountOf } from './solana-chain.ts';
import { callRaw, openTestNetwork } from './test-network.ts';

test('lists the deposits of a token account by page, with before and until', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, chain, token } = network;
  const to = await network.newOwner();
  const account = await tokenAccountOf(token.mint, to);
  const sent: Signature[] = [];
  for (let order = 0; order < 7; order += 1) {
    const payment = await network.pay({ to, amountMinor: 1n, memo: `order ${order}` });
    sent.push(await network.send(payment));
    // Most blocks have two transactions, so the order within a block matters too.
    if (order % 2 === 1) chain.advance();
  }
  chain.advance(9);
  const page = async (config: { before?: Signature; until?: Signature; limit?: number }) => {
    const found = await rpc.getSignaturesForAddress(account, { commitment: 'finalized', ...config }).send();
    return found.map(({ signature }) => sent.indexOf(signature));
  };
  assert.deepEqual(await page({}), [6, 5, 4, 3, 2, 1, 0]);
  assert.deepEqual(await page({ limit: 3 }), [6, 5, 4]);
  assert.deepEqual(await page({ limit: 3, before: sent[4]! }), [3, 2, 1]);
  assert.deepEqual(await page({ until: sent[3]! }), [6, 5, 4]);
  assert.deepEqual(await page({ until: sent[1]!, before: sent[5]!, limit: 2 }), [4, 3]);
  assert.deepEqual(await page({ until: sent[6]! }), []);
  const unknown = (await network.pay({ to, amountMinor: 99n })).signature;
  assert.deepEqual(await page({ before: unknown }), [], 'nothing is before an unknown signature');
  assert.deepEqual(await page({ until: unknown, limit: 2 }), [6, 5], 'and it bounds nothing');

  const [newest] = await rpc.getSignaturesForAddress(account, { limit: 1 }).send();
  assert.equal(newest?.memo, '[7] order 6');
  assert.equal(newest?.confirmationStatus, 'finalized');
  assert.equal(newest?.err, null);
  const ofOwner = await rpc.getSignaturesForAddress(to).send();
  assert.equal(ofOwner.length, 7, 'the owner is named when the account is made');
});

test('an account lists only transactions with the requested commitment', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, chain, token, urls } = network;
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 1n });
  await network.send(payment);
  const counts: string[] = [];
  for (let slot = 0; slot < 9; slot += 1) {
    chain.advance();
    const at = async (commitment: 'confirmed' | 'finalized') =>
      (await rpc.getSignaturesForAddress(token.treasuryTokenAccount, { commitment }).send()).length;
    counts.push(`${await at('confirmed')}${await at('finalized')}`);
  }
  assert.deepEqual(counts, ['00', '00', '10', '10', '10', '10', '10', '10', '11']);
  const config = { commitment: 'processed' };
  const refused = await callRaw(urls[0], 'getSignaturesForAddress', [token.mint, config]);
  assert.equal(refused.error?.code, -32602);
});

test('an old status is found only with a search of the history', async (t) => {
  const network = await openTestNetwork(t);
  const payment = await network.pay({ to: await network.newOwner(), amountMinor: 1n });
  await network.send(payment);
  network.chain.advance(1 + 8 + 299);
  const recent = async () => (await network.rpc.getSignatureStatuses([payment.signature]).send()).value[0];
  assert.equal((await recent())?.confirmationStatus, 'finalized');
  network.chain.advance();
  assert.equal(await recent(), null);
  assert.equal((await network.statusOf(payment))?.confirmationStatus, 'finalized');
});
