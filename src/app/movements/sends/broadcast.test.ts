// Tests broadcasts whose process dies or whose response is lost. The service stores bytes before it broadcasts them, and
// broadcasts the same bytes again. It signs new bytes only after the old bytes can no longer take effect on the network.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { openSendStage } from '../../../../test/support/stages/sends.ts';
import type { SignedTransaction } from '../../../ports/networks/network-payer.ts';

const { attemptsOf, leaseEnds, paidBuy, polygon, rig, sendOf, sentOnce } = await openSendStage();

test('threat 40: after a crash between signing and broadcast, the same stored transaction is broadcast', async () => {
  const { id } = await paidBuy();
  const dying = rig.another({ network: () => ({ broadcast: async () => assert.fail('died') }) });
  leaseEnds();
  await assert.rejects(dying.run());
  const send = await sendOf(id);
  const [stored, ...more] = await attemptsOf(send.id);
  assert.deepEqual([stored!.state, more, (await rig.find(id)).state], ['prepared', [], 'sending']);
  assert.equal(await polygon.paidTimes(send.id), 0);

  const sent: SignedTransaction[] = [];
  const next = rig.another({
    network: (real) => ({
      broadcast: (prepared) => {
        sent.push(prepared);
        return real.broadcast(prepared);
      },
      prepare: async () => assert.fail('nothing is signed anew'),
    }),
  });
  await rig.rows(
    `update movements set due_at = to_timestamp($1::float8 / 1000) where id = $2`,
    rig.now(),
    send.id,
  );
  await next.run();
  assert.deepEqual(
    sent.map(({ hash, payload }) => [hash, payload]),
    [[stored!.reference, stored!.payload]],
  );
  leaseEnds();
  await sentOnce(id);
  assert.equal((await attemptsOf(send.id)).length, 1);
});

test('threat 40: if a transaction expired before any process broadcast it, it must be rejected or dead before a new one is signed', async () => {
  const { id } = await paidBuy();
  leaseEnds();
  await assert.rejects(
    rig.another({ network: () => ({ broadcast: async () => assert.fail('died') }) }).run(),
  );
  leaseEnds();
  await sentOnce(id);
  const attempts = await attemptsOf((await sendOf(id)).id);
  assert.deepEqual(
    attempts.map(({ state }) => state),
    ['rejected', 'landed'],
  );
});

test('threat 41: after a crash between broadcast and recording, recovery queries the stored hash and does not pay twice', async () => {
  const { id } = await paidBuy();
  const dying = rig.another({
    network: (real) => ({
      broadcast: async (prepared) => {
        assert.equal((await real.broadcast(prepared)).kind, 'accepted');
        return assert.fail('died');
      },
    }),
  });
  leaseEnds();
  await assert.rejects(dying.run());
  const [stored] = await attemptsOf((await sendOf(id)).id);
  assert.equal(stored!.state, 'prepared', 'what the network said was lost');
  leaseEnds();
  await sentOnce(id);
  const attempts = await attemptsOf((await sendOf(id)).id);
  assert.deepEqual(
    attempts.map(({ reference }) => reference),
    [stored!.reference],
  );
});

test('threat 42: an error for a payment that landed is unknown: the same transaction is queried, and the order is paid once', async () => {
  const { id, amountMinor } = await paidBuy();
  rig.meets('broadcast', '*', 'answer_lost');
  await rig.run();
  const send = await sendOf(id);
  const [unknown] = await attemptsOf(send.id);
  assert.deepEqual(
    [send.state, unknown!.state, (await rig.find(id)).state],
    ['unknown', 'unknown', 'sending'],
  );
  assert.equal(
    (await rig.books(id))['NGN owed'],
    -amountMinor,
    'not counted as sent while the outcome is unknown',
  );
  await sentOnce(id);
  assert.equal((await attemptsOf(send.id)).length, 1);
});

test('threat 42: a transaction that was lost is sent again; a new one is signed only after the old one is dead', async () => {
  const { id } = await paidBuy();
  rig.meets('broadcast', '*', 'dropped');
  await rig.run();
  const send = await sendOf(id);
  const [first] = await attemptsOf(send.id);
  const bound = Number(JSON.parse(first!.payload).boundMs);
  for (; rig.now() < bound; rig.pass(100)) {
    await rig.run();
    assert.equal((await attemptsOf(send.id)).length, 1, 'it may still land');
  }
  await sentOnce(id);
  assert.deepEqual(
    (await attemptsOf(send.id)).map(({ no, state }) => [no, state]),
    [
      [1, 'dead'],
      [2, 'landed'],
    ],
  );
});

test('threat 42: a network that does not respond for an hour gets no second attempt', async () => {
  const { id } = await paidBuy();
  const silent = { kind: 'unknown', reason: 'no connection' } as const;
  const deaf = rig.another({ network: () => ({ broadcast: async () => silent, ask: async () => silent }) });
  leaseEnds();
  for (let minute = 0; minute < 60; minute += 5) {
    await deaf.run();
    rig.pass(5 * 60_000);
  }
  const send = await sendOf(id);
  assert.deepEqual([send.state, send.attempts, (await attemptsOf(send.id)).length], ['unknown', 1, 1]);
  rig.pass(10 * 60_000);
  await sentOnce(id);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
