// Tests stuck, cancelled or held bytes, and sweeps of tokens, on a scripted network and with the real store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { DEATH, landed, openScriptedRig } from '../../../../test/support/networks/scripted-network.ts';
import { envelopeOf, makeReplacement } from './attempts.ts';

const { attemptsOf, feedsAreFree, paidBuys, rig, scripted, untilAll } = await openScriptedRig();

test('threat 44: at the maximum fee the same transaction is sent again, because a pool may have dropped it', async () => {
  const [id] = await paidBuys(1);
  let stuck = true;
  const { process, sent } = scripted({
    statusOf: (envelope) => (stuck ? { kind: 'stuck' } : landed(envelope)),
    more: { replace: async () => undefined },
  });
  await untilAll(process, [id!], 'confirming');
  for (let step = 0; step < 5; step++) {
    rig.pass(60_000);
    await process.run();
  }
  assert.ok(sent.length > 3);
  assert.equal(new Set(sent.map(({ hash }) => hash)).size, 1);
  stuck = false;
  rig.pass(300_000);
  await untilAll(process, [id!], 'completed');
});

test('threat 44: a transaction with a sufficient fee is sent again unchanged, and nothing is signed or stored', async () => {
  const [id] = await paidBuys(1);
  let stuck = true;
  const { process, sent } = scripted({
    statusOf: (envelope) => (stuck ? { kind: 'stuck' } : landed(envelope)),
    more: { replace: async ({ versions }) => versions.at(-1) },
  });
  await untilAll(process, [id!], 'confirming');
  for (let step = 0; step < 5; step++) {
    rig.pass(60_000);
    await process.run();
  }
  assert.ok(sent.length > 3);
  const [hash, ...others] = new Set(sent.map((each) => each.hash));
  assert.deepEqual(others, []);
  assert.deepEqual(await rig.rows('select from attempt_replacements where reference = $1', hash!), []);
  assert.ok(!process.troubles.some(({ message }) => /refused|highest fee/.test(message)));
  stuck = false;
  rig.pass(300_000);
  await untilAll(process, [id!], 'completed');
});

test('threat 44: a stuck transaction is signed again with the same sequence number, stored before the broadcast, and the hash that lands is shown', async () => {
  const ids = await paidBuys(2);
  let storedFirst = true;
  const { process, sent, asked } = scripted({
    statusOf: (envelope) => (envelope.versions.length === 1 ? { kind: 'stuck' } : landed(envelope)),
    more: {
      replace: async (envelope) => ({
        ...envelope.versions[0]!,
        hash: `0xdearer${envelope.versions[0]!.hash}`,
        payload: 'dearer',
      }),
      broadcast: async (prepared) => {
        if (prepared.payload === 'dearer') {
          const rows = await rig.rows('select no from attempt_replacements where hash = $1', prepared.hash);
          storedFirst &&= rows.length === 1;
        }
        sent.push(prepared);
        return { kind: 'accepted' };
      },
    },
  });
  await untilAll(process, ids, 'completed');
  assert.ok(storedFirst);
  assert.deepEqual(asked.at(-1)!.versions.length, 2);
  const dearer = sent.filter(({ payload }) => payload === 'dearer');
  assert.equal(dearer.length, 1, 'once for all orders in it');
  for (const id of ids) assert.equal((await rig.find(id)).txHash, dearer[0]!.hash);
});

test('a cancelled send is not tried again: it is held for review', async () => {
  const [id] = await paidBuys(1);
  const { process } = scripted({ statusOf: () => ({ kind: 'failed', reason: 'cancelled', cost: null }) });
  await untilAll(process, [id!], 'on_hold');
  assert.equal((await rig.find(id!)).exception, 'send_failed');
  assert.equal((await attemptsOf(id!)).length, 1);
});

test('a send that the network reports as held is reported to operators, and nothing is sent again', async () => {
  const [id] = await paidBuys(1);
  const { process, sent } = scripted({ statusOf: () => ({ kind: 'held', reason: 'its place is taken' }) });
  for (let step = 0; step < 30; step++) {
    await process.run();
    rig.pass(1_000);
  }
  assert.equal((await rig.find(id!)).state, 'confirming');
  assert.equal(sent.length, 1);
  assert.ok(process.troubles.some(({ message }) => message === 'a send is held'));
  await untilAll(scripted().process, [id!], 'completed');
});

test('threat 44: if a version that this process does not know used the sequence number, the attempt is not held: the stored versions are read first', async () => {
  const ids = await paidBuys(2);
  const { process, asked } = scripted({
    statusOf: (envelope) =>
      envelope.versions.length === 1 ? { kind: 'held', reason: 'its place is taken' } : landed(envelope),
  });
  await untilAll(process, ids, 'confirming');
  const { store } = rig.deps;
  const [send] = await store.movementsOf([ids[0]!]);
  const attempt = (await store.lastAttempts([send!.id])).get(send!.id)!;
  const [bytes] = envelopeOf(attempt).versions;
  const dearer = makeReplacement(attempt, { ...bytes!, hash: `0xdearer${bytes!.hash}`, payload: 'dearer' });
  const [stored] = await store.commit([{ atMs: rig.now(), replacements: [dearer] }]);
  assert.equal(stored!.kind, 'committed');
  await untilAll(process, ids, 'completed');
  assert.equal(asked[0]!.versions.length, 1, 'it did not know');
  assert.deepEqual(
    process.troubles.map(({ message }) => message),
    [],
  );
  for (const id of ids) assert.equal((await rig.find(id)).txHash, dearer.hash);
});

test('a sweep is tried without limit and never ends as failed', async () => {
  const sell = await rig.sell({ amountMinor: 1_600_000n }, ['Polygon']);
  await rig.depositFor(sell, 1_600_000n);
  feedsAreFree();
  const failed = new Set<string>();
  const { process } = scripted({
    statusOf: (envelope) => {
      const { hash } = envelope.versions[0]!;
      if (failed.size < 12) failed.add(hash);
      return failed.has(hash) ? { kind: 'failed', reason: 'it changed', cost: null } : landed(envelope);
    },
    more: { sweeps: true },
  });
  for (let step = 0; step < 60; step++) {
    await process.run();
    rig.pass(60_000);
  }
  const [sweep] = await rig.rows<{ state: string; attempts: number }>(
    `select state, attempts from movements where transaction_id = $1 and kind = 'sweep'`,
    sell.id,
  );
  assert.deepEqual(sweep, { state: 'done', attempts: 13 });
});

test('a sweep that the network refuses repeatedly does not end as failed either', async () => {
  const sell = await rig.sell({ amountMinor: 1_700_000n }, ['Polygon']);
  await rig.depositFor(sell, 1_700_000n);
  feedsAreFree();
  let refusals = 12;
  const { process } = scripted({
    more: {
      sweeps: true,
      broadcast: async () =>
        refusals-- > 0 ? { kind: 'rejected', reason: 'no', death: DEATH } : { kind: 'accepted' },
    },
    statusOf: (envelope) => (refusals >= 0 ? { kind: 'dead', death: DEATH } : landed(envelope)),
  });
  for (let step = 0; step < 60; step++) {
    await process.run();
    rig.pass(60_000);
  }
  const [sweep] = await rig.rows<{ state: string; attempts: number }>(
    `select state, attempts from movements where transaction_id = $1 and kind = 'sweep'`,
    sell.id,
  );
  assert.deepEqual(sweep, { state: 'done', attempts: 13 });
});

test('tokens at a separate deposit address are swept into the treasury once, whatever happens to the sell', async () => {
  const sell = await rig.sell({ amountMinor: 1_600_000n }, ['Polygon']);
  await rig.depositFor(sell, 1_600_000n);
  feedsAreFree();
  const { process, payments } = scripted({ more: { sweeps: true } });
  for (let step = 0; step < 30; step++) {
    await process.run();
    rig.pass(300);
  }
  const [sweep, ...more] = await rig.rows<{ state: string; kind: string; id: string }>(
    `select id, kind, state from movements where transaction_id = $1 and kind = 'sweep'`,
    sell.id,
  );
  assert.deepEqual([sweep!.state, more], ['done', []]);
  const swept = payments.flat().filter(({ from }) => from === sell.id);
  assert.deepEqual(
    swept.map(({ orderId, amountMinor }) => [orderId, amountMinor]),
    [[sweep!.id, 16_000_000_000n]],
  );
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
